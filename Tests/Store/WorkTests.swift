import Postgres
import TestSupport
import Testing
import WaterQuality

@testable import Store

/// Who may enter work on the water, how much of it there may be, and what follows.
@Suite struct WorkTests {
    private struct Scene: Sendable {
        let scene: SharingScene
        let lee: Account.ID
        let eve: Account.ID
        let eves: DeviceKey

        /// Kim's tank of ten days, which Lee watches. Eve has another.
        static func with(_ body: @Sendable (Scene) async throws -> Void) async throws {
            try await SharingScene.with { scene in
                let lee = try await scene.fixture.addAccount("lee")
                let eve = try await scene.fixture.addAccount("eve")
                _ = try await scene.invite(1)
                #expect(try await scene.join(1, lee) == .joined)
                let eves = try await scene.fixture.addDevice("tank-2")
                try await scene.fixture.link(eves, to: eve)
                try await scene.sql("UPDATE ownership SET linked_at = now() - interval '10 days'")
                try await body(Scene(scene: scene, lee: lee, eve: eve, eves: eves))
            }
        }

        var kim: Account.ID { scene.kim }

        /// Enters work as a person, with the Gateway's rights.
        func put(
            _ number: Int, by person: Account.ID, from: String = "NULL", until: String = "NULL", minutes: String = "30",
            kind: String = "cleaning", known: String = "NULL", of device: DeviceKey? = nil
        ) async throws -> String {
            let device = device ?? scene.device
            return try await asGateway(
                person,
                """
                SELECT put_work(\(device.slot.rawValue)::smallint, \(device.device.rawValue), \(id(number)), '\(kind)', \(from), \(until),
                    \(minutes), true, \(known))
                """)
        }

        func change(
            _ number: Int, _ said: String, by person: Account.ID, minutes: String = "NULL"
        ) async throws -> String {
            try await asGateway(
                person,
                """
                SELECT change_work(\(scene.device.slot.rawValue)::smallint, \(scene.device.device.rawValue), \(id(number)), '\(said)', \(minutes))
                """)
        }

        func id(_ number: Int) -> String { "'00000000-0000-4000-8000-\(String(repeating: "0", count: 11))\(number)'" }

        func asGateway(_ person: Account.ID, _ sql: String) async throws -> String {
            let owner = scene.fixture.database
            return try await owner.sql(
                """
                BEGIN;
                DO 'BEGIN PERFORM name_person(\(person.rawValue)); END';
                SET LOCAL ROLE aqua_gateway;
                \(sql);
                COMMIT
                """, as: .superuser
            ).split(separator: "\n").last.map(String.init) ?? ""
        }

        func sql(_ text: String) async throws -> String { try await scene.sql(text) }
    }

    @Test func theSameAgainIsTheSameAndAnotherNeedsTheVersion() async throws {
        try await Scene.with { scene in
            let outcome1 = try await scene.put(1, by: scene.kim)
            #expect(outcome1 == "created")
            let outcome2 = try await scene.put(1, by: scene.kim)
            #expect(outcome2 == "same")
            let outcome3 = try await scene.put(1, by: scene.kim, kind: "feeding")
            #expect(outcome3 == "stale")
            let outcome4 = try await scene.put(1, by: scene.kim, kind: "feeding", known: "2")
            #expect(outcome4 == "stale")
            let outcome5 = try await scene.put(1, by: scene.kim, kind: "feeding", known: "1")
            #expect(outcome5 == "changed")
            let outcome6 = try await scene.put(2, by: scene.kim, known: "1")
            #expect(outcome6 == "stale", "nothing is there to be changed")
            #expect(try await scene.sql("SELECT kind, version FROM water_work") == "feeding|2")
        }
    }

    @Test func whoeverSharesTheTankWorksAndOthersDoNot() async throws {
        try await Scene.with { scene in
            let outcome7 = try await scene.put(1, by: scene.lee)
            #expect(outcome7 == "created")
            let outcome8 = try await scene.put(2, by: scene.eve)
            #expect(outcome8 == "foreign", "not her device")
            let outcome9 = try await scene.put(1, by: scene.eve, of: scene.eves)
            #expect(outcome9 == "foreign", "the id is somebody else's")
            for (person, count) in [(scene.kim, "1"), (scene.lee, "1"), (scene.eve, "0")] {
                let rows = try await scene.asGateway(person, "SELECT count(*) FROM water_work")
                let shown = try await scene.asGateway(person, "SELECT count(*) FROM person_work")
                #expect(rows == count && shown == count)
            }
            let outcome10 = try await scene.asGateway(scene.kim, "SELECT name, is_oneself FROM person_work")
            #expect(outcome10 == "lee|f")
            let outcome11 = try await scene.change(1, "extend", by: scene.kim, minutes: "15")
            #expect(outcome11 == "done")
            let outcome12 = try await scene.change(1, "finish", by: scene.eve)
            #expect(outcome12 == "unknown")
            let outcome13 = try await scene.change(1, "finish", by: scene.kim)
            #expect(outcome13 == "done")
            let outcome14 = try await scene.change(1, "finish", by: scene.lee)
            #expect(outcome14 == "done", "twice is once")
            let outcome15 = try await scene.change(1, "extend", by: scene.lee, minutes: "15")
            #expect(outcome15 == "over")
        }
    }

    @Test func onlyWhoeverBeganItAndTheOwnerChangeAndRemoveIt() async throws {
        try await Scene.with { scene in
            let outcome16 = try await scene.put(1, by: scene.kim)
            #expect(outcome16 == "created")
            let outcome17 = try await scene.put(2, by: scene.lee)
            #expect(outcome17 == "created")
            let changed = try await scene.put(1, by: scene.lee, kind: "feeding", known: "1")
            #expect(changed == "notYours")
            let steps = [(1, scene.lee, "notYours"), (2, scene.lee, "done"), (1, scene.kim, "done")]
            for (number, person, expected) in steps {
                let outcome = try await scene.change(number, "remove", by: person)
                #expect(outcome == expected, "\(number)")
            }
            #expect(try await scene.sql("SELECT count(*) FROM water_work WHERE withdrawn_at IS NULL") == "0")
        }
    }

    @Test(
        arguments: [
            ("now() - interval '13 hours'", "now()", "tooLong"), ("now()", "now()", "tooLong"),
            ("now() + interval '6 minutes'", "now() + interval '1 hour'", "tooEarly"),
            ("now() - interval '11 days'", "now() - interval '10 days 23 hours'", "tooLate"),
            ("now() - interval '12 hours'", "now()", "created"),
        ])
    func workHasBounds(from: String, until: String, outcome: String) async throws {
        try await Scene.with { scene in
            let found = try await scene.put(1, by: scene.kim, from: from, until: until, minutes: "NULL")
            #expect(found == outcome)
        }
    }

    /// Nobody keeps a tank from alarming for ever, however the stretches lie.
    @Test func ofTwentyFourHoursTwelveAreWork() async throws {
        try await Scene.with { scene in
            let stretches = [
                (1, 40, 34, "created"), (2, 30, 24, "created"),
                (3, 24, 23, "tooMuch"),  // thirteen of the twenty-four hours from 40 to 16
                (4, 28, 25, "created"),  // what overlaps counts once
                (5, 16, 10, "created"), (6, 10, 9, "tooMuch"),
            ]
            for (number, from, until, expected) in stretches {
                let outcome = try await scene.put(
                    number, by: number % 2 == 0 ? scene.kim : scene.lee, from: "now() - interval '\(from) hours'",
                    until: "now() - interval '\(until) hours'", minutes: "NULL")
                #expect(outcome == expected, "\(number)")
            }
            let outcome18 = try await scene.change(5, "extend", by: scene.kim, minutes: "15")
            #expect(outcome18 == "over")
        }
    }

    /// Hours are marked by the clock: a roll-up that has read its samples and not ended yet sees no work.
    @Test func enginesAndRollUpsLearnOfItHoweverFarTheyAre() async throws {
        try await Scene.with { scene in
            _ = try await scene.sql(
                "UPDATE rollup_progress SET hours_since = date_trunc('hour', now()) - interval '9 days', hours_until = date_trunc('hour', now()) - interval '8 days'"
            )
            let before = try await scene.sql("SELECT rules_version FROM device WHERE hardware_id = 'tank-1'")
            let hour = try await scene.sql("SELECT date_trunc('hour', now())")
            _ = try await scene.put(
                1, by: scene.kim, from: "'\(hour)'::timestamptz - interval '150 min'",
                until: "'\(hour)'::timestamptz - interval '90 min'", minutes: "NULL")
            #expect(try await scene.sql("SELECT rules_version FROM device WHERE hardware_id = 'tank-1'") != before)
            let due = try await scene.sql(
                "SELECT extract(epoch FROM '\(hour)'::timestamptz - hour)::integer / 3600 FROM rollup_due ORDER BY 1")
            #expect(due == "2\n3")
            let outcome = try await scene.put(2, by: scene.kim, minutes: "600")
            #expect(outcome == "created")
            #expect(
                try await scene.sql("SELECT count(*) FROM rollup_due WHERE hour >= date_trunc('hour', now())") == "0",
                "an hour that is open sees the work when it is rolled up")
        }
    }

    @Test func itGoesWithTheTankAndStaysWithoutTheNameOfAWatcher() async throws {
        try await Scene.with { scene in
            _ = try await scene.put(1, by: scene.lee)
            _ = try await scene.sql(
                "DELETE FROM setting WHERE account_id = \(scene.lee.rawValue); DELETE FROM ownership WHERE account_id = \(scene.lee.rawValue); DELETE FROM account WHERE account_id = \(scene.lee.rawValue)"
            )
            let outcome19 = try await scene.asGateway(scene.kim, "SELECT name IS NULL, kind FROM person_work")
            #expect(outcome19 == "t|cleaning")
            _ = try await scene.sql("DELETE FROM ownership WHERE account_id = \(scene.kim.rawValue)")
            #expect(try await scene.sql("SELECT count(*) FROM water_work") == "0")
        }
    }
}
