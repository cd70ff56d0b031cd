import Operator
import TestSupport
import Testing
import WaterQuality

@Suite struct OwnershipTests {
    @Test func aLinkedDeviceHasTheManualsLimits() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let settings = try await instance.database.sql(
                "SELECT parameter, unit, minimum, maximum, colour, position FROM setting ORDER BY parameter")
            #expect(
                settings == """
                    0|C|120|240|red|0
                    1|pH|75|85|blue|1
                    2|ppm||25|green|2
                    3|ppm|0|400|purple|3
                    4|ppm||25|yellow|4
                    5|ppm|50|200|#7c3f00|5
                    6|ppm|200|530|#f7138e|6
                    7|ppm|70|90|#6bcae2|7
                    8|ppt|30|70|gray|8
                    9|%|||#209194|9
                    10|ppm|||#6b8c4f|10
                    11|ppm|||#81863f|11
                    12|mV|||#757ab8|12
                    13|uS/cm|||#9f7938|13
                    14|ppm|||#4388b2|14
                    15|NTU|||#a06b9b|15
                    16|FNU|||#35937b|16
                    17|ppm|||#a8733c|17
                    18|ppm|||#8f7f95|18
                    19|ppm|||#5f8a73|19
                    20|ppm|||#b06a78|20
                    21|ppm|||#a85a3a|21
                    22|ppm|||#3f8f7a|22
                    23|ppm|||#7f9a2f|23
                    24|ppm|||#5e8fa3|24
                    25|ppm|||#8c77a8|25
                    26|ppm|||#6f7fa0|26
                    """)
        }
    }

    @Test func threeWrongClaimsGetThreeMessages() async throws {
        try await Instance.with { instance in
            let code = try await instance.populate()
            try await instance.addPeople("bob@example.org")

            let unknown = await instance.aqua("device", "link", Instance.person, "7KQ2-M8XD-0R4T", "--name", "Pond")
            let theirs = await instance.aqua("device", "link", Instance.person, code.lowercased(), "--name", "Pond")
            let anothers = await instance.aqua("device", "link", "bob@example.org", code, "--name", "Pond")
            #expect(
                unknown.errors
                    == "aqua: No device has the claim code 7KQ2-M8XD-0R4T. Compare it with what aqua device add or unlink printed last.\n"
            )
            #expect(
                theirs.errors
                    == "aqua: The device of this claim code, \(instance.device), is linked to ada@example.org already, as \"Garden pond\".\n"
            )
            #expect(
                anothers.errors
                    == "aqua: The device of this claim code is linked to another account. It must be unlinked there first, which prints a new claim code.\n"
            )
            #expect([unknown, theirs, anothers].allSatisfy { $0.code == 1 })
        }
    }

    @Test func twoClaimsAtOnceMakeOneOwner() async throws {
        try await Instance.with { instance in
            let people = ["ada@example.org", "bob@example.org", "eve@example.org"]
            for person in people { try await instance.addPeople(person) }
            let code = try await instance.succeed(instance.aqua("device", "add", instance.device, "--json")).field(
                "claimCode")
            let codes = await withTaskGroup(of: Int32.self) { group in
                for person in people {
                    group.addTask { await instance.aqua("device", "link", person, code, "--name", "Pond").code }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.sorted() == [0, 1, 1])
            #expect(try await instance.database.sql("SELECT count(*) FROM ownership WHERE unlinked_at IS NULL") == "1")
        }
    }

    @Test func unlinkingEndsEverythingOfTheOldOwner() async throws {
        try await Instance.with { instance in
            let code = try await instance.populate()
            try await instance.openEpisode()
            let unlinked = try await instance.succeed(
                instance.aqua("device", "unlink", Instance.person, instance.device, "--json"))
            let next = try unlinked.field("claimCode")
            #expect(next != code)

            let database = instance.database
            #expect(
                try await database.sql(
                    "SELECT closed_because, closed_at >= last_at, recovery_due_at IS NULL FROM episode ORDER BY episode_id"
                ) == "unlinked|t|t\nrecovered|t|t")
            #expect(try await database.sql("SELECT reason, notification FROM transition") == "unlinked|none")
            #expect(
                try await database.sql("SELECT state FROM alert ORDER BY alert_id") == "cancelled\ncancelled\ndelivered"
            )
            #expect(
                try await database.sql("SELECT state, ended_at IS NOT NULL FROM delivery ORDER BY alert_id")
                    == "cancelled|t\naccepted|t")
            #expect(try await database.sql("SELECT count(*) FROM throttle") == "0")
            #expect(try await database.sql("SELECT count(*) FROM setting WHERE valid_until IS NULL") == "0")
            #expect(try await database.sql("SELECT unlinked_at IS NOT NULL FROM ownership") == "t")

            // The old code is void; the new one makes the next owner, with limits of their own.
            try await instance.addPeople("bob@example.org")
            #expect(await instance.aqua("device", "link", "bob@example.org", code, "--name", "Pond").code == 1)
            try await instance.succeed(instance.aqua("device", "link", "bob@example.org", next, "--name", "Pond"))
            #expect(
                try await database.sql("SELECT count(*) FROM setting WHERE valid_until IS NULL")
                    == "\(Parameter.allCases.count)")
            #expect(
                try await database.sql(
                    "SELECT bool_and(b.linked_at >= a.unlinked_at) FROM ownership a, ownership b WHERE a.unlinked_at IS NOT NULL AND b.unlinked_at IS NULL"
                ) == "t")
        }
    }

    @Test func linkedAgainADeviceKeepsItsHistoryOfSettings() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let code = try await instance.succeed(
                instance.aqua("device", "unlink", Instance.person, instance.device, "--json")
            ).field("claimCode")
            try await instance.succeed(instance.aqua("device", "link", Instance.person, code, "--name", "Pond"))
            #expect(
                try await instance.database.sql("SELECT count(*), max(version) FROM setting")
                    == "\(2 * Parameter.allCases.count)|2")
        }
    }

    @Test func unlinkingAWatcherLeavesTheOwnerTheirs() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            try await instance.addPeople("bob@example.org")
            try await instance.database.sql(
                """
                SELECT add_ownership(o.slot, o.device_id, b.account_id, 'watcher', 'Pond',
                    '{0}', '{C}', '{120}', '{240}', '{red}', '{0}')
                FROM ownership o, account b WHERE b.email = 'bob@example.org'
                """)
            try await instance.succeed(
                instance.aqua("range", "set", "bob@example.org", instance.device, "temperature", "--max", "20"))
            #expect(
                try await instance.succeed(instance.aqua("device", "list")).output.contains("bob") == false,
                "the list names owners")
            let run = try await instance.succeed(
                instance.aqua("device", "unlink", "bob@example.org", instance.device))
            #expect(run.output == "bob@example.org no longer watches \(instance.device).\n")
            #expect(
                try await instance.database.sql(
                    "SELECT role, unlinked_at IS NULL FROM ownership ORDER BY role") == "owner|t\nwatcher|f")
        }
    }

    @Test func withoutAReaderNothingIsUnlinked() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let run = await instance.aqua("device", "unlink", Instance.person, instance.device, losesOutput: true)
            #expect(run.code == 1)
            #expect(try await instance.database.sql("SELECT count(*) FROM ownership WHERE unlinked_at IS NULL") == "1")
        }
    }

    @Test func unlinkingWhatIsNotTheirs() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            try await instance.addPeople("bob@example.org")
            let nobody = await instance.aqua("device", "unlink", "nobody@example.org", instance.device)
            #expect(
                nobody.errors.contains(
                    "There is no account of nobody@example.org. Correct the address, or add it: aqua account add nobody@example.org"
                ))
            let anothers = await instance.aqua("device", "unlink", "bob@example.org", instance.device)
            #expect(anothers.errors.contains("is not linked to bob@example.org. aqua device list shows who owns it."))
            let none = await instance.aqua("device", "unlink", Instance.person, "no-such-device")
            #expect(
                none.errors.contains("There is no device no-such-device. Correct the id; aqua device list shows all."))
            #expect([nobody, anothers, none].allSatisfy { $0.code == 1 })
        }
    }

    @Test func theListShowsOwnersAndLastReadings() async throws {
        try await Instance.with { instance in
            #expect(
                await instance.aqua("device", "list").output
                    == "There is no device yet. Add one: aqua device add DEVICE-ID\n")
            try await instance.populate()
            let today = try await instance.database.sql("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD')")
            try await instance.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature)
                SELECT slot, 0, device_id, t, t, 20
                FROM device, (VALUES ('\(today) UTC'::timestamptz), ('\(today) UTC'::timestamptz - interval '1 day')) v (t);
                INSERT INTO device_status SELECT slot, device_id, true, now() FROM device;
                INSERT INTO episode (slot, parameter, device_id, account_id, episode_id, kind, side, opened_at, last_at)
                SELECT slot, n, device_id, account_id, n, 'range', 'high', now(), now() FROM ownership, (VALUES (1), (2)) v (n)
                """)
            let list = try await instance.succeed(instance.aqua("device", "list", "--zone", "+02:00")).output
            #expect(list.contains(instance.device))
            #expect(list.contains("online") && list.contains("ada@example.org") && list.contains("Garden pond"))
            #expect(list.contains("  2       \(today) 02:00:00 +02:00  "), "two alarms, and the time in the zone")
            let json = try await instance.succeed(instance.aqua("device", "list", "--json")).output
            #expect(json.contains(#""lastReadingAt" : "\#(today)T00:00:00Z""#) && json.contains(#""alarms" : 2"#))
        }
    }

    @Test func aDeviceBeginsWithTheLimitsOfWhatLivesInIt() async throws {
        try await Instance.with { instance in
            try await instance.addPeople(Instance.person)
            let code = try await instance.succeed(instance.aqua("device", "add", instance.device, "--json")).field(
                "claimCode")
            let cats = await instance.aqua(
                "device", "link", Instance.person, code, "--name", "Pond", "--preset", "cats")
            #expect(cats.code == 64 && cats.errors.contains("The presets are community, goldfish_koi, marine_fish"))
            try await instance.succeed(
                instance.aqua("device", "link", Instance.person, code, "--name", "Pond", "--preset", "goldfish_koi"))
            #expect(
                try await instance.database.sql(
                    """
                    SELECT string_agg(concat(minimum, '-', maximum), ' ' ORDER BY parameter) FROM setting
                    WHERE parameter < 9
                    """)
                    == "20-290 70-85 -20 -500 -20 71- - 50- -")
        }
    }

    @Test(arguments: ["", "   ", String(repeating: "x", count: 65), "two\nlines", "\u{9B}2J"])
    func namesThatAreNone(_ name: String) async {
        let run = await runAqua(["device", "link", Instance.person, "7KQ2-M8XD-0R4T", "--name", name])
        #expect(run.code == 64)
    }
}

extension Instance {
    /// Adds an open episode with one alert being sent and one waiting, and a closed one whose all-clear might still be
    /// sent.
    func openEpisode() async throws {
        try await database.sql(
            """
            INSERT INTO endpoint SELECT nextval('endpoint_id'), account_id, 'webhook', 'https://example.org/', '\\x00' FROM account;
            INSERT INTO episode (slot, parameter, device_id, account_id, episode_id, kind, side, opened_at, last_at)
                SELECT slot, 0, device_id, account_id, 1, 'range', 'high', now(), now() FROM device, account;
            INSERT INTO episode (slot, parameter, device_id, account_id, episode_id, kind, side, opened_at, last_at, closed_at,
                    closed_because, recovery_due_at)
                SELECT slot, 1, device_id, account_id, 2, 'range', 'high', now(), now(), now(), 'recovered', now()
                FROM device, account;
            INSERT INTO alert (slot, parameter, device_id, account_id, alert_id, episode_id, kind, purpose, opened_at, event_time, state)
                SELECT slot, 0, device_id, account_id, n, 1, 'range', 'alarm', now(), now(), state FROM device, account,
                    (VALUES (1, 'decided'), (2, 'sending'), (3, 'delivered')) AS v (n, state);
            INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, expires_at, state, ended_at)
                SELECT a.slot, a.account_id, a.alert_id, e.endpoint_id, now() + interval '1 h',
                    CASE a.alert_id WHEN 2 THEN 'pending' ELSE 'accepted' END, CASE a.alert_id WHEN 2 THEN NULL ELSE now() END
                FROM alert a, endpoint e WHERE a.alert_id IN (2, 3);
            INSERT INTO throttle SELECT slot, 0, device_id, account_id, 'range', now(), 3 FROM device, account;
            """)
    }
}
