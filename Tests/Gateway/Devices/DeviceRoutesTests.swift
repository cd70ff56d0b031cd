import NIOHTTP1
import Routes
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

@Suite struct DeviceRoutesTests {
    private let devices = "/api/v1/devices"

    @Test func linkingHasTheManualsRefusals() async throws {
        try await GatewayUnderTest.with { gateway in
            let (anna, ben) = (try await gateway.person(), try await gateway.person("ben@example.com"))
            let code = try await gateway.addDevice("pond-1")
            let linked = try await gateway.link(code: code.lowercased(), anna, name: " Garden pond ")
            #expect(linked.status == 201)
            #expect(linked[header: "Location"] == "\(devices)/pond-1")
            #expect(linked.json?["id"]?.string == "pond-1" && linked.json?["name"]?.string == "Garden pond")
            #expect(linked.json?["role"]?.string == "owner")
            #expect(try await gateway.link(code: code, anna).code == "device-already-yours")
            let taken = try await gateway.link(code: code, ben)
            #expect(taken.status == 409 && taken.code == "device-taken")
            #expect(!taken.text.contains("pond-1"))
            let unknown = try await gateway.link(code: "7KQ2-M8XD-0R4T", ben)
            #expect(unknown.status == 404 && unknown.code == "claim-code-unknown")
            #expect(try await gateway.ask("SELECT count(*) FROM ownership") == "1")
            #expect(try await gateway.ask("SELECT count(*) FROM setting") == "\(Parameter.allCases.count)")
        }
    }

    @Test func claimCodesCannotBeGuessed() async throws {
        try await GatewayUnderTest.with { gateway in
            let (anna, ben) = (try await gateway.person(), try await gateway.person("ben@example.com"))
            let code = try await gateway.addDevice("pond-1")
            for _ in 0..<10 {
                #expect(try await gateway.link(code: "7KQ2-M8XD-0R4T", anna).status == 404)
            }
            let refused = try await gateway.link(code: code, anna)
            #expect(refused.status == 429 && refused[header: "Retry-After"] != nil, "also with the right one")
            #expect(try await gateway.link(code: code, ben).status == 201, "another person is not locked out")
        }
    }

    @Test func aRepeatedLinkWithOneKeyHasOneAnswer() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            let body: JSON = ["claimCode": .string(try await gateway.addDevice("pond-1")), "name": "Pond"]
            for _ in 0..<2 {
                let reply = try await gateway.request(
                    .POST, devices, anna, json: body, headers: ["Idempotency-Key": "k-1"])
                #expect(reply.status == 201 && reply.json?["id"]?.string == "pond-1")
            }
        }
    }

    @Test func aListGoesPageByPage() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            for number in 1...3 { try await gateway.device("pond-\(number)", of: anna) }
            let first = try await gateway.request(.GET, "\(devices)?limit=2", anna)
            #expect(first.json?["items"]?[0]?["id"]?.string == "pond-1" && first.json?["items"]?[2] == nil)
            let next = try #require(first.json?["next"]?.string)
            let second = try await gateway.request(.GET, "\(devices)?limit=2&cursor=\(next)", anna)
            #expect(second.json?["items"]?[0]?["id"]?.string == "pond-3" && second.json?["next"] == .null)
        }
    }

    @Test func whenADeviceWasHeardIsShown() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            try await gateway.device("pond-1", of: anna)
            func shown() async throws -> JSON? { try await gateway.request(.GET, "\(devices)/pond-1", anna).json }
            let fresh = try await shown()
            #expect(fresh?["online"] == .null && fresh?["lastReadingAt"] == .null)
            try await gateway.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
                    SELECT slot, 0, device_id, date_trunc('day', now()) - n * interval '1 hour', now(), 7
                    FROM device, generate_series(0, 5) n;
                INSERT INTO device_status SELECT slot, device_id, false, now() FROM device
                """)
            let silent = try await shown()
            #expect(silent?["online"] == .bool(false))
            #expect(silent?["lastReadingAt"]?.string?.contains("T00:00:00") == true)
            #expect(silent?["silentSince"] == silent?["lastReadingAt"])
            try await gateway.database.sql("UPDATE device_status SET online = true")
            #expect(try await shown()?["silentSince"] == .null)
            // A connected device may be silent all the same. Another person's silence, and one that is over, do not
            // count.
            let berta = try await gateway.person("berta@example.com")
            try await gateway.database.sql(
                """
                INSERT INTO episode (slot, device_id, account_id, episode_id, kind, opened_at, last_at, closed_at,
                    closed_because)
                SELECT slot, device_id, account, number, 'silence', opened::timestamptz, now(), closed,
                    CASE WHEN closed IS NOT NULL THEN 'recovered' END
                FROM device, (VALUES
                    (\(anna.account), 1, '2026-05-01T12:00:00Z', NULL::timestamptz),
                    (\(anna.account), 2, '2026-05-01T09:00:00Z', now()),
                    (\(berta.account), 3, '2026-05-01T08:00:00Z', NULL)) v (account, number, opened, closed)
                """)
            #expect(try await shown()?["silentSince"]?.string == "2026-05-01T12:00:00Z")
        }
    }

    /// A clock that was set back in an earlier owner's time is still wrong, but nobody sees any more when that was.
    @Test func aClockThatIsWrongIsShown() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            try await gateway.device("pond-1", of: anna)
            func shown() async throws -> JSON? {
                try await gateway.request(.GET, "\(devices)/pond-1", anna).json?["clock"]
            }
            #expect(try await shown() == .null)
            try await gateway.database.sql(
                "INSERT INTO device_clock (slot, device_id) SELECT slot, device_id FROM device")
            #expect(try await shown()?["lagSeconds"] == .null)
            try await gateway.database.sql(
                "UPDATE device_clock SET lag_seconds = 3600, stepped_at = '2026-05-01T12:00:00Z'")
            #expect(try await shown()?["lagSeconds"]?.number == 3_600)
            #expect(try await shown()?["steppedAt"] == .null)
            try await gateway.database.sql(
                "UPDATE ownership SET linked_at = '2026-04-01', readings_from = '2026-04-01'")
            #expect(try await shown()?["steppedAt"]?.string == "2026-05-01T12:00:00Z")
        }
    }

    /// Each person sees their own episodes: a watcher's are not the owner's.
    @Test func brokenProbesAreShownWhileTheyLast() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            try await gateway.device("pond-1", of: anna)
            func shown() async throws -> JSON? {
                try await gateway.request(.GET, "\(devices)/pond-1", anna).json?["brokenProbes"]
            }
            #expect(try await shown() == .array([]))
            try await gateway.database.sql(
                """
                INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, opened_at, last_at, flat_at)
                SELECT o.slot, o.device_id, n.parameter, o.account_id, n.parameter + 1, n.kind, '2026-05-01T12:00:00Z', now(),
                    n.flat_at
                FROM ownership o, (VALUES (0, 'fault', NULL), (1, 'fault', 8.2), (8, 'silence', NULL))
                    n (parameter, kind, flat_at)
                """)
            let list = try await gateway.request(.GET, devices, anna).json?["items"]?[0]?["brokenProbes"]
            #expect(list?.array?.map { $0["parameter"]?.string } == ["temperature", "ph"])
            #expect(list?[0]?["since"]?.string == "2026-05-01T12:00:00Z")
            #expect(list?[0]?["flatAt"] == .null && list?[1]?["flatAt"]?.number == 8.2)
            try await gateway.database.sql(
                "UPDATE episode SET closed_at = now(), closed_because = 'recovered' WHERE parameter = 0")
            #expect(try await shown()?.array?.map { $0["parameter"]?.string } == ["ph"])
        }
    }

    @Test func nameAndPlaceChangeOnlyOnTheirLatestVersion() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            try await gateway.device("pond-1", of: anna)
            let path = "\(devices)/pond-1"
            let tag = try #require(try await gateway.request(.GET, path, anna)[header: "ETag"])
            func change(_ json: JSON, _ tag: String?) async throws -> GatewayUnderTest.Reply {
                try await gateway.request(
                    .PATCH, path, anna, json: json, headers: tag.map { ["If-Match": $0] } ?? [:])
            }
            #expect(try await change(["name": "Koi"], nil).status == 428)
            let changed = try await change(["name": "Koi", "latitude": 48.25, "longitude": 16.5], tag)
            #expect(changed.status == 200 && changed.json?["latitude"]?.number == 48.25)
            let next = try #require(changed[header: "ETag"])
            #expect(next != tag)
            #expect(try await change(["name": "Carp"], tag).status == 412)
            let half = try await change(["latitude": .null], next)
            #expect(half.status == 422 && half.text.contains("latitude"))
            #expect(try await change(["latitude": 91, "longitude": 0], next).status == 422)
            #expect(try await change(["name": "\u{7}"], next).status == 422)
            let without = try await change(["latitude": .null, "longitude": .null], next)
            #expect(without.json?["longitude"] == .null && without.json?["name"]?.string == "Koi")
        }
    }

    /// The device's key then opens what its owner sees, which a watcher has no say in.
    @Test func onlyItsOwnerLetsADeviceShowAnything() async throws {
        try await PersonScene.with { people in
            let token = try await people.gateway.invite(to: "pond-1", by: people.ada)
            #expect(try await people.gateway.accept(token, people.bob).status == 201)
            func change(_ json: JSON, as person: PersonScene.Person) async throws -> GatewayUnderTest.Reply {
                let tag = try await people.gateway.request(.GET, "\(devices)/pond-1", person)[header: "ETag"]
                return try await people.gateway.request(
                    .PATCH, "\(devices)/pond-1", person, json: json, headers: ["If-Match": try #require(tag)])
            }
            #expect(try await change(["name": "Koi"], as: people.ada).json?["showsOnDevice"]?.bool == false)
            #expect(try await change(["showsOnDevice": true], as: people.ada).json?["showsOnDevice"]?.bool == true)
            #expect(
                try await change(["name": "Carp"], as: people.ada).json?["showsOnDevice"]?.bool == true,
                "another change leaves it")
            let refused = try await change(["showsOnDevice": true], as: people.bob)
            #expect(refused.status == 403 && refused.text.contains("owner-only"))
            #expect(try await change(["showsOnDevice": false], as: people.bob).status == 200)
            #expect(try await people.ask("SELECT count(*) FROM ownership WHERE shows_on_device") == "1")
            #expect(try await change(["showsOnDevice": false], as: people.ada).json?["showsOnDevice"]?.bool == false)
        }
    }

    @Test func unlinkingGivesTheCodeForTheNextOwner() async throws {
        try await GatewayUnderTest.with { gateway in
            let (anna, ben) = (try await gateway.person(), try await gateway.person("ben@example.com"))
            try await gateway.device("pond-1", of: anna)
            let unlinked = try await gateway.request(.DELETE, "\(devices)/pond-1", anna)
            let code = try #require(unlinked.json?["claimCode"]?.string)
            #expect(try await gateway.request(.GET, "\(devices)/pond-1", anna).status == 404)
            #expect(try await gateway.request(.DELETE, "\(devices)/pond-1", anna).status == 404)
            #expect(try await gateway.link(code: code, ben).status == 201)
            #expect(!"\(gateway.log.lines)".contains(code))
        }
    }
}
