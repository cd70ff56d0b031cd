import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// Tests by hand of the owner's, and what a watcher with a limit of pH 8.4 is told of them.
@Suite struct HandTestSweepTests {
    @Test func theOthersAreToldOnceAndWhoeverMeasuredIsNot() async throws {
        try await HandScene.with { scene in
            try await scene.measure(9.1)
            try await scene.look()
            #expect(try await scene.told() == ["watcher alarm 9.1 8.4 high"])
            #expect(try await scene.open() == "watcher")
            try await scene.measure(9.2)
            try await scene.look()
            #expect(try await scene.told().count == 1, "it goes on, and nobody is reminded")
            try await scene.look()
            #expect(try await scene.told().count == 1)
            #expect(try await scene.sql("SELECT count(*) FROM hand_test WHERE judged_at IS NULL") == "0")
        }
    }

    @Test func theNextTestWithinTheLimitsEndsIt() async throws {
        try await HandScene.with { scene in
            try await scene.measure(9.1, ago: 3600)
            try await scene.look()
            try await scene.measure(8)
            try await scene.look()
            #expect(try await scene.open() == "")
            #expect(
                try await scene.sql("SELECT closed_because, recovery_due_at IS NOT NULL FROM episode")
                    == "recovered|t", "which is announced")
        }
    }

    @Test func oneWhoMeasuresThemselvesThatItIsOverNeedsNoWord() async throws {
        try await HandScene.with { scene in
            try await scene.measure(9.1, ago: 3600)
            try await scene.look()
            try await scene.measure(8, by: scene.watcher)
            try await scene.look()
            #expect(try await scene.sql("SELECT recovery_due_at IS NULL FROM episode") == "t")
        }
    }

    @Test func theOtherSideIsAnotherAlarm() async throws {
        try await HandScene.with { scene in
            try await scene.measure(9.1, ago: 3600)
            try await scene.look()
            try await scene.measure(5)
            try await scene.look()
            #expect(try await scene.told() == ["watcher alarm 9.1 8.4 high", "watcher alarm 5 6.5 low"])
            #expect(try await scene.open() == "watcher")
        }
    }

    /// Nobody measures again because a message was throttled: the other side is told whenever it is not what was told last.
    @Test func eachTurnIsToldWithinTheThrottle() async throws {
        try await HandScene.with { scene in
            for (value, ago) in [(9.1, 1500), (9.3, 1200), (5, 900), (8, 600), (9.2, 300), (5.1, 200), (9, 100)] {
                try await scene.measure(value, ago: ago)
                try await scene.look()
            }
            #expect(
                try await scene.told() == [
                    "watcher alarm 9.1 8.4 high", "watcher alarm 5 6.5 low", "watcher alarm 9.2 8.4 high",
                    "watcher alarm 5.1 6.5 low", "watcher alarm 9 8.4 high",
                ])
            #expect(try await scene.sql("SELECT kind FROM throttle") == "byHand")
        }
    }

    /// The watcher allows 9.5 at the time of day at which the first one was measured, two hours ago, and 8.4 by now.
    @Test func aValueIsJudgedByTheLimitsOfItsTime() async throws {
        try await HandScene.with { scene in
            let then = (Timestamp.now - .seconds(7_200)).civilTime()
            let minute = then.hour * 60 + then.minute
            let (from, until) = ((minute + 1430) % 1440, (minute + 10) % 1440)
            _ = try await scene.sql(
                """
                UPDATE setting SET periods = '{"zone": "UTC", "periods": [{"from": \(from), "until": \(until), "maximum": 95}]}'
                WHERE parameter = 1 AND valid_until IS NULL
                """)
            try await scene.measure(9.1, ago: 7_200)
            try await scene.look()
            #expect(try await scene.told() == [])
            try await scene.measure(9.1)
            try await scene.look()
            #expect(try await scene.told() == ["watcher alarm 9.1 8.4 high"])
        }
    }

    @Test func theFirstCriticalValueAfterALesserOneIsToldOnce() async throws {
        try await HandScene.with { scene in
            _ = try await scene.sql(
                "UPDATE setting SET critical_maximum = 90 WHERE parameter = 1 AND valid_until IS NULL")
            for (value, ago) in [(8.6, 400), (9.5, 300), (9.7, 200), (8.6, 100)] {
                try await scene.measure(value, ago: ago)
                try await scene.look()
            }
            #expect(try await scene.told() == ["watcher alarm 8.6 8.4 high", "watcher alarm 9.5 9 high"])
            #expect(
                try await scene.sql("SELECT string_agg(critical::text, ' ' ORDER BY alert_id) FROM alert")
                    == "false true")
            #expect(try await scene.sql("SELECT count(*), bool_and(critical) FROM episode") == "1|t")
        }
    }

    @Test func aStepIsToldOnlyWhereAllOfItIsBeyond() async throws {
        try await HandScene.with { scene in
            try await scene.measure(8.4, step: (8.3, 8.6))
            try await scene.look()
            #expect(try await scene.told() == [], "it may be 8.35")
            try await scene.measure(8.8, step: (8.6, nil))
            try await scene.look()
            #expect(try await scene.told() == ["watcher alarm 8.8 8.4 high"])
        }
    }

    @Test func oldValuesTellNothingAndHoldNothingOpen() async throws {
        try await HandScene.with { scene in
            try await scene.measure(9.1, ago: 25 * 3600)
            try await scene.look()
            #expect(try await scene.told() == [], "written down three days late")
            try await scene.measure(9.2, ago: 60)
            try await scene.look()
            #expect(try await scene.open() == "watcher")
            _ = try await scene.sql(
                """
                UPDATE hand_value SET at = at - interval '1 day'; UPDATE hand_test SET at = at - interval '1 day';
                UPDATE episode SET opened_at = opened_at - interval '1 day'
                """)
            try await scene.look()
            #expect(try await scene.open() == "")
            #expect(try await scene.sql("SELECT recovery_due_at IS NULL FROM episode") == "t", "without a word")
        }
    }

    @Test func whatIsTakenBackEndsIt() async throws {
        try await HandScene.with { scene in
            try await scene.measure(9.1)
            try await scene.look()
            _ = try await scene.sql("DELETE FROM hand_test")
            try await scene.look()
            #expect(try await scene.open() == "")
        }
    }

    @Test func whatWasRightOnlyByATestThatIsDeletedIsWrongAgain() async throws {
        try await HandScene.with { scene in
            try await scene.measure(9.1, ago: 3600)
            try await scene.look()
            try await scene.measure(8, ago: 1200)
            try await scene.look()
            try await scene.fixture.arrive(AlertPolicy())
            #expect(try await scene.sql("SELECT purpose FROM alert ORDER BY alert_id") == "alarm\nrecovery")
            #expect(try await scene.open() == "")
            try await scene.deleteNewest()
            try await scene.look()
            #expect(try await scene.open() == "watcher")
            #expect(try await scene.told().last == "watcher alarm 9.1 8.4 high", "they hold an all-clear")
            try await scene.look()
            #expect(try await scene.told().count == 3)
        }
    }

    @Test func aTestThatIsOlderThanAnotherIsNotJudged() async throws {
        try await HandScene.with { scene in
            try await scene.measure(8, ago: 60)
            try await scene.measure(9.1, ago: 3600)
            try await scene.look()
            #expect(try await scene.told() == [])
        }
    }
}

/// An engine's looks at tests by hand, with its rights: an owner who measures, and a watcher with limits of 6.5 and 8.4.
private struct HandScene: Sendable {
    let fixture: EngineFixture
    let engine: PostgresConnection
    let watcher: Account.ID

    static func with(_ body: @Sendable (HandScene) async throws -> Void) async throws {
        try await EngineFixture.with { fixture in
            let watcher = try await fixture.addPerson("watcher")
            try await fixture.join(watcher)
            _ = try await fixture.sql(
                """
                UPDATE ownership SET linked_at = now() - interval '9 days', readings_from = '-infinity';
                UPDATE setting SET minimum = 65, maximum = 84 WHERE parameter = 1 AND valid_until IS NULL
                """)
            let engine = try await PostgresConnection.connect(
                EngineFixture.configuration(fixture.database, .rules))
            try await body(HandScene(fixture: fixture, engine: engine, watcher: watcher))
            await engine.close()
        }
    }

    /// Writes down a pH.
    /// - Parameters:
    ///   - step: The bounds of the kit's step, where it is one.
    ///   - person: Who measured it; the owner unless given.
    func measure(
        _ value: Double, step: (Double, Double?)? = nil, ago seconds: Int = 0, by person: Account.ID? = nil
    ) async throws {
        let bounds = step.map { "\($0.0), \($0.1.map { "\($0)" } ?? "NULL"), '\(value)'" } ?? "NULL, NULL, NULL"
        _ = try await sql(
            """
            WITH test AS (
                INSERT INTO hand_test (slot, device_id, tank_id, test_id, account_id, at)
                SELECT slot, device_id, tank_id, gen_random_uuid(), \((person ?? fixture.account).rawValue),
                    now() - interval '\(seconds) s'
                FROM ownership WHERE role = 'owner'
                RETURNING *
            )
            INSERT INTO hand_value (slot, parameter, device_id, tank_id, test_id, at, value, lower, upper, choice, read, unit)
            SELECT slot, 1, device_id, tank_id, test_id, at, \(value), \(bounds), \(value), 'pH' FROM test
            """)
    }

    /// Deletes the newest test, as its owner does.
    func deleteNewest() async throws {
        _ = try await sql(
            """
            BEGIN;
            SELECT name_person(\(fixture.account.rawValue));
            SELECT delete_hand_test(slot, device_id, test_id) FROM hand_test ORDER BY at DESC LIMIT 1;
            COMMIT
            """)
    }

    func look() async throws {
        _ = try await engine.transaction { try HandTestSweep(policy: AlertPolicy()).perform($0) }
    }

    /// All alerts, oldest first.
    func told() async throws -> [String] {
        try await sql(
            """
            SELECT concat_ws(' ', CASE account_id WHEN \(watcher.rawValue) THEN 'watcher' ELSE 'owner' END, purpose, value,
                limit_value, heading)
            FROM alert WHERE kind = 'byHand' ORDER BY alert_id
            """
        ).split(separator: "\n").map(String.init)
    }

    /// Whose episodes are open.
    func open() async throws -> String {
        try await sql(
            """
            SELECT coalesce(string_agg(CASE account_id WHEN \(watcher.rawValue) THEN 'watcher' ELSE 'owner' END, ' '), '')
            FROM episode WHERE kind = 'byHand' AND closed_at IS NULL
            """)
    }

    func sql(_ text: String) async throws -> String { try await fixture.sql(text) }
}
