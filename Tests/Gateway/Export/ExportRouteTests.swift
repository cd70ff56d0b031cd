import Foundation
import NIOHTTP1
import Routes
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// A person's export contains everything of theirs, and nothing of others.
@Suite(.timeLimit(.minutes(10))) struct ExportRouteTests {
    private static let path = "/api/v1/account/export"

    private func texts(_ archive: [UInt8]) async throws -> [String: String] {
        try await Paths.withTemporaryDirectory { directory in
            let file = "\(directory.path)/export.zip"
            try Data(archive).write(to: URL(fileURLWithPath: file))
            let json = try await ProcessUnderTest.run(
                "/usr/bin/env",
                [
                    "python3", "-c",
                    """
                    import json, sys, zipfile
                    z = zipfile.ZipFile(sys.argv[1])
                    for name in z.namelist():
                        if name.endswith('.json'): json.loads(z.read(name))
                    print(json.dumps({n: z.read(n).decode() for n in z.namelist()}))
                    """, file,
                ])
            return try JSONDecoder().decode([String: String].self, from: Data(json.utf8))
        }
    }

    @Test func theArchiveHoldsEverythingOfThePersonAlone() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            let bob = try await gateway.person("bob@example.com")
            try await gateway.link("tank-1", to: anna)
            try await gateway.link("tank-2", to: bob)
            try await gateway.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature)
                SELECT slot, 0, device_id, now() - n * interval '1 second', now(), 20.5
                FROM device, generate_series(1, 6000) AS n
                """)
            let reply = try await gateway.request(.GET, Self.path, anna)
            #expect(reply.status == 200)
            #expect(reply[header: "Content-Type"] == "application/zip")
            #expect(reply[header: "Content-Disposition"] == "attachment; filename=\"aquamonitor-export.zip\"")
            let files = try await texts(reply.body)
            #expect(
                Set(files.keys) == [
                    "account.json", "devices.json", "episodes.json", "alerts.json", "hand-tests.json",
                    "calibrations.json", "deletions.json", "approvals.json",
                    "readings/tank-1.csv",
                    "hours/tank-1.csv", "journal.csv", "inventory.json", "former-tanks.json", "reminders.json",
                    "tank-answers.json", "plans.json", "zones.json", "audit.json", "field-samples.json",
                    "field-sample-versions.json", "field-protocols.json", "sample-receivers.json",
                ])
            let all = files.values.joined()
            #expect(!all.contains("bob") && !all.contains("tank-2") && !all.contains("scrypt"))
            #expect(files["account.json"]?.contains("anna@example.com") == true)
            let readings = try #require(files["readings/tank-1.csv"]).split(separator: "\r\n")
            #expect(readings.count == 6001, "more than a page")
            #expect(readings[0].hasPrefix("time,received,temperature (°C),ph"))
            #expect(readings[1].contains("Z,20.5,"))
            #expect(readings[0].contains(",temperature_qc,ph_qc,"))
            #expect(
                readings.dropFirst().allSatisfy {
                    $0.hasSuffix(",,,,1" + String(repeating: ",", count: Parameter.allCases.count - 1))
                })
            #expect(files["alerts.json"] == "[]\n")
        }
    }

    /// The person's own name, and that somebody was on it, but not who.
    @Test func namesAndAnswersAreExported() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            let bob = try await gateway.person("bob@example.com")
            try await gateway.link("tank-1", to: anna)
            try await gateway.database.sql(
                """
                UPDATE account SET display_name = CASE WHEN account_id = \(anna.account) THEN 'Anna' ELSE 'Bob' END;
                INSERT INTO snooze (slot, device_id, account_id, kind, episode_id, snoozed_until, answered_by)
                SELECT slot, device_id, \(anna.account), 'silence', 1, now() + interval '1 hour', \(bob.account) FROM device
                """)
            let files = try await texts(try await gateway.request(.GET, Self.path, anna).body)
            #expect(files["account.json"]?.contains(/"name" ?: ?"Anna"/) == true)
            let devices = try #require(files["devices.json"])
            let isSaid = devices.contains(/"answered" ?: ?true/) && devices.contains(/"byThemselves" ?: ?false/)
            #expect(isSaid, "\(devices)")
            #expect(!files.values.joined().lowercased().contains("bob"))
        }
    }

    /// Plans of the person's own, with the pictures beside them; nobody else's.
    @Test func plansAreExported() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            let bob = try await gateway.person("bob@example.com")
            try await gateway.link("tank-1", to: anna)
            try await gateway.link("tank-2", to: bob)
            try await gateway.database.sql(
                """
                INSERT INTO site_plan (account_id, place, name) SELECT account_id, 1, 'Hall of ' || split_part(email, '@', 1) FROM account;
                INSERT INTO plan_picture (plan_id, type, width, height, content) SELECT plan_id, 'image/png', 1, 1, 'picture' FROM site_plan;
                INSERT INTO plan_place (plan_id, slot, tank_id, x, y)
                SELECT p.plan_id, o.slot, o.tank_id, 250, 500 FROM site_plan p JOIN ownership o ON o.account_id = p.account_id
                """)
            let files = try await texts(try await gateway.request(.GET, Self.path, anna).body)
            let plans = try #require(files["plans.json"])
            #expect(plans.contains("Hall of anna") && plans.contains("tank-1"), "\(plans)")
            #expect(plans.contains(/"x" ?: ?250/) && !plans.contains("bob") && !plans.contains("tank-2"))
            let plan = try await gateway.ask("SELECT plan_id FROM site_plan WHERE account_id = \(anna.account)")
            #expect(files.keys.filter { $0.hasPrefix("plans/") } == ["plans/\(plan).png"])
            #expect(files["plans/\(plan).png"] == "picture")
        }
    }

    /// Zones of the person's own; nobody else's.
    @Test func zonesAreExported() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            _ = try await gateway.person("bob@example.com")
            try await gateway.database.sql(
                """
                INSERT INTO zone (account_id, place, name, outline)
                SELECT account_id, 1, 'River of ' || split_part(email, '@', 1), '{48500000,16000000,48600000,16000000,48500000,16100000}' FROM account
                """)
            let files = try await texts(try await gateway.request(.GET, Self.path, anna).body)
            let zones = try #require(files["zones.json"])
            #expect(zones.contains("River of anna") && !zones.contains("bob"), "\(zones)")
            #expect(zones.contains(/"latitude" ?: ?48.5/) && zones.contains(/"longitude" ?: ?16.1/), "\(zones)")
        }
    }

    /// Lives of the person's devices, as far as they may see them.
    @Test func theLifeOfDevicesIsExported() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            try await gateway.link("tank-1", to: anna)
            try await gateway.database.sql(
                """
                INSERT INTO device_life (slot, device_id, family, version, noted_at) SELECT slot, device_id, 'native', '1.8.0', now() FROM device;
                INSERT INTO device_life_day (slot, device_id, day, battery, noted_at) SELECT slot, device_id, '2026-05-01', 87, now() FROM device;
                INSERT INTO device_life_change (slot, device_id, at, kind, former, value)
                    SELECT slot, device_id, now(), 'version', '1.7.2', '1.8.0' FROM device
                """)
            let files = try await texts(try await gateway.request(.GET, Self.path, anna).body)
            let devices = try #require(files["devices.json"])
            #expect(devices.contains(/"version" ?: ?"1.8.0"/) && devices.contains(/"battery" ?: ?87/))
            #expect(devices.contains(/"former" ?: ?"1.7.2"/) && devices.contains(/"day" ?: ?"2026-05-01"/))
        }
    }

    /// Of a device that moves a person takes its positions along, of their own time.
    @Test func positionsAreExportedWhereThereAreAny() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            try await gateway.link("boat-1", to: anna)
            try await gateway.link("tank-1", to: anna)
            try await gateway.database.sql(
                """
                INSERT INTO track SELECT slot, device_id, '2026-05-01 12:00Z'::timestamptz + n * interval '1 minute', -4820812, 5, NULLIF(n, 2)
                FROM device, generate_series(1, 2) AS n WHERE hardware_id = 'boat-1';
                UPDATE ownership SET moves = true FROM device d WHERE d.device_id = ownership.device_id AND d.hardware_id = 'boat-1'
                """)
            let files = try await texts(try await gateway.request(.GET, Self.path, anna).body)
            #expect(
                files["positions/boat-1.csv"] == """
                    time,latitude,longitude,accuracy (m)\r
                    2026-05-01T12:01:00.000000Z,-48.20812,0.00005,1\r
                    2026-05-01T12:02:00.000000Z,-48.20812,0.00005,\r

                    """)
            #expect(files["positions/tank-1.csv"] == nil)
            #expect(files["devices.json"]?.contains(/"moves" ?: ?true/) == true)
        }
    }

    /// A person takes along where their tanks were, and at which sites devices stood.
    @Test func placesAreExported() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            let bob = try await gateway.person("bob@example.com")
            try await gateway.link("tank-1", to: anna)
            for (person, latitude) in [(anna, 48.25), (bob, 12.5)] {
                let made = try await gateway.request(
                    .POST, "/api/v1/sites", person,
                    json: ["name": "Weir", "latitude": .number(latitude), "longitude": 16.3])
                #expect(made.status == 201, "\(made.text)")
            }
            let site = try await gateway.ask(
                "SELECT hardware_id FROM device JOIN ownership USING (device_id) WHERE kind = 'site' AND account_id = \(anna.account)"
            )
            let stands = try await gateway.request(
                .PUT, "/api/v1/devices/tank-1/site", anna, json: ["site": .string(site)])
            #expect(stands.status == 200, "\(stands.text)")
            let files = try await texts(try await gateway.request(.GET, Self.path, anna).body)
            let devices = try #require(files["devices.json"])
            #expect(
                devices.contains(/"kind" ?: ?"site"/) && devices.contains(/"since" ?: ?"[^"]*", ?"latitude" ?: ?48.25/))
            #expect(
                devices.contains(/"sites" ?: ?\[ ?\{ ?"site" ?: ?"site-/) && !devices.contains("12.5"), "\(devices)")
        }
    }

    /// A person takes their tank's journal along with what others wrote in it, without their names, and what they wrote for others' tanks.
    @Test func theJournalIsExportedWithItsPhotos() async throws {
        try await JournalScene.with { scene in
            for (number, person) in [(1, scene.anna), (2, scene.ben)] {
                #expect(try await scene.put(scene.path(number), person, JournalScene.fed("=\(number)")).status == 201)
                #expect(
                    try await scene.put(scene.photo(10 + number, of: number), person, file: Pictures.webP).status == 201
                )
            }
            let fish: JSON = ["species": "Neon", "count": 12]
            let path = "/api/v1/devices/pond-1/livestock/\(JournalScene.id(1))"
            #expect(try await scene.put(path, scene.anna, fish).status == 201)
            let annas = try await names(in: try await scene.get(Self.path, scene.anna).body)
            let bens = try await names(in: try await scene.get(Self.path, scene.ben).body)
            let photos = [11, 12].map { "photos/pond-1/\(JournalScene.id($0)).webp" }
            let size = try CleanImage(Pictures.webP).bytes.count
            #expect(photos.map { annas[$0]?.count } == [size, size])
            #expect(photos.map { bens[$0]?.count } == [nil, size], "of another's tank only what was his")
            let table = String(decoding: annas["journal.csv"] ?? [], as: UTF8.self).split(separator: "\r\n")
            #expect(
                table.count == 3 && table[1].contains(",'=2,somebody else,") && table[2].contains(",'=1,me,"),
                "\(table)")
            #expect(String(decoding: bens["journal.csv"] ?? [], as: UTF8.self).split(separator: "\r\n").count == 2)
            #expect(String(decoding: annas["inventory.json"] ?? [], as: UTF8.self).contains("Neon"))
            #expect(String(decoding: bens["inventory.json"] ?? [], as: UTF8.self) == "[]\n")
        }
    }

    /// Whoever watched a tank takes along their own words and pictures, whoever ended it, and nothing of anybody else's.
    @Test func whatAFormerWatcherWroteIsInTheirExport() async throws {
        try await JournalScene.with { scene in
            func test(_ person: JournalScene.Person, _ number: Int, _ note: String) async throws {
                let json: JSON = [
                    "at": "2026-05-01T13:00:00Z", "note": .string(note), "values": [["parameter": "ph", "value": 7.4]],
                ]
                let path = "/api/v1/devices/pond-1/tests/\(JournalScene.id(number))"
                #expect(try await scene.put(path, person, json).status == 201)
            }
            func calibration(_ person: JournalScene.Person, _ number: Int, _ note: String) async throws {
                let json: JSON = [
                    "kind": "check", "at": "2026-05-01T12:00:00Z", "note": .string(note),
                    "points": [["standard": 7, "before": 7.1]],
                ]
                let path = "/api/v1/devices/pond-1/parameters/ph/calibrations/\(JournalScene.id(number))"
                #expect(try await scene.put(path, person, json).status == 201)
            }
            for (number, person, text) in [(1, scene.anna, "by Anna"), (2, scene.ben, "by Ben")] {
                #expect(try await scene.put(scene.path(number), person, JournalScene.fed(text)).status == 201)
                #expect(
                    try await scene.put(scene.photo(10 + number, of: number), person, file: Pictures.webP).status == 201
                )
                try await test(person, 20 + number, "tested \(text)")
                try await calibration(person, 30 + number, "checked \(text)")
            }
            func file(_ name: String, of person: JournalScene.Person) async throws -> String {
                let files = try await names(in: try await scene.get(Self.path, person).body)
                return String(decoding: files[name] ?? [], as: UTF8.self)
            }
            #expect(try await file("former-tanks.json", of: scene.ben) == "[]\n")
            for (name, what) in [("hand-tests.json", "tested"), ("calibrations.json", "checked")] {
                let watched = try await file(name, of: scene.ben)
                #expect(watched.contains("\(what) by Ben") && !watched.contains("Anna"), "the owner's are not his")
                let owned = try await file(name, of: scene.anna)
                #expect(owned.contains("\(what) by Ben") && owned.contains("\(what) by Anna"))
            }

            try await scene.unlink("pond-1", from: scene.ben)
            let files = try await names(in: try await scene.get(Self.path, scene.ben).body)
            let left = String(decoding: files["former-tanks.json"] ?? [], as: UTF8.self)
            #expect(left.contains(#""text" : "by Ben""#) && left.contains(#""parameter" : "ph""#), "\(left)")
            #expect(left.contains(#""device" : "pond-1""#) && !left.contains("Anna"), "\(left)")
            #expect(left.contains("tested by Ben") && left.contains("checked by Ben"), "\(left)")
            let photos = files.keys.filter { $0.hasPrefix("photos/") }
            #expect(photos == ["photos/pond-1/\(JournalScene.id(12)).webp"])
            #expect(try await file("former-tanks.json", of: scene.anna) == "[]\n")
            #expect(try await file("former-tanks.json", of: scene.eve) == "[]\n")
        }
    }

    /// The files of an archive.
    private func names(in archive: [UInt8]) async throws -> [String: [UInt8]] {
        try await Paths.withTemporaryDirectory { directory in
            let file = "\(directory.path)/export.zip"
            try Data(archive).write(to: URL(fileURLWithPath: file))
            let script =
                "import json, sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(json.dumps({n: list(z.read(n)) for n in z.namelist()}))"
            let json = try await ProcessUnderTest.run("/usr/bin/env", ["python3", "-c", script, file])
            return try JSONDecoder().decode([String: [UInt8]].self, from: Data(json.utf8))
        }
    }

    @Test func whatIsTooLongForOneFileGoesOnInAnother() async throws {
        let short = GatewayUnderTest.adjusting { $0.settings.exportedLines = 5_000 }
        try await GatewayUnderTest.with(short) { gateway in
            let anna = try await gateway.person("anna@example.com")
            try await gateway.link("tank-1", to: anna)
            try await gateway.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature)
                SELECT slot, 0, device_id, now() - n * interval '1 second', now(), 20.5
                FROM device, generate_series(1, 6000) AS n;
                INSERT INTO episode (
                    slot, episode_id, device_id, parameter, account_id, kind, side, opened_at, last_at, worst, closed_at,
                    closed_because)
                SELECT slot, n, device_id, 0, account_id, 'range', 'high', now() - n * interval '1 second', now(), 30, now(),
                    'recovered'
                FROM ownership, generate_series(1, 5500) AS n
                """)
            let files = try await texts(try await gateway.request(.GET, Self.path, anna).body)
            let lines = ["", "-2"].map { part in
                files["readings/tank-1\(part).csv"]?.split(separator: "\r\n").count
            }
            #expect(lines == [5_001, 1_001])
            #expect(files["readings/tank-1-3.csv"] == nil)
            let episodes = try ["", "-2"].map { part in
                let text = try #require(files["episodes\(part).json"])
                return (try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [Any])?.count
            }
            #expect(episodes == [5_000, 500])
            #expect(files["hours/tank-1-2.csv"] == nil && files["alerts-2.json"] == nil)
        }
    }

    @Test func whatHasTooManyBytesForOneFileGoesOnInAnother() async throws {
        let short = GatewayUnderTest.adjusting { $0.settings.exportedBytes = 200_000 }
        try await GatewayUnderTest.with(short) { gateway in
            let anna = try await gateway.person("anna@example.com")
            try await gateway.link("tank-1", to: anna)
            try await gateway.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature)
                SELECT slot, 0, device_id, now() - n * interval '1 second', now(), 20.5
                FROM device, generate_series(1, 6000) AS n
                """)
            let files = try await texts(try await gateway.request(.GET, Self.path, anna).body)
            let lines = ["", "-2"].map { part in
                files["readings/tank-1\(part).csv"]?.split(separator: "\r\n").count
            }
            #expect(lines == [5_001, 1_001], "a page is never cut")
        }
    }

    @Test func onlyASessionExports() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            #expect(try await gateway.request(.GET, Self.path).status == 401)
            let token = try await gateway.personalToken(anna, scope: "write")
            #expect(try await gateway.request(.GET, Self.path, token: token).status == 403)
            // Exports one after another do not conflict: the place is given back.
            for _ in 1...3 { #expect(try await gateway.request(.GET, Self.path, anna).status == 200) }
        }
    }

    @Test func aPersonExportsOnceAtATime() throws {
        let exports = RunningExports()
        let (anna, ben) = (Account.ID(rawValue: 1), Account.ID(rawValue: 2))
        var place: PersonPlaces.Place? = try exports.begin(anna)
        #expect(throws: Problem.self) { try exports.begin(anna) }
        _ = try exports.begin(ben)
        #expect(place != nil)
        place = nil
        _ = try exports.begin(anna)
    }
}
