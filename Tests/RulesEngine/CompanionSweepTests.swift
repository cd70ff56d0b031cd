import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// Two devices of one owner in the same water, and what is told where their probes lie apart.
@Suite struct CompanionSweepTests {
    @Test func aDifferenceIsToldOnceToWhoeverHasBoth() async throws {
        try await CompanionScene.with { scene in
            let watcher = try await scene.fixture.addPerson("watcher")
            try await scene.fixture.join(watcher)
            try await scene.age()
            try await scene.measure(first: 7.6, second: 7)
            try await scene.look()
            #expect(
                try await scene.told() == ["\(scene.owner) alarm 1 0.6"], "who shares one of them learns of no other")
            #expect(
                try await scene.sql("SELECT opened_at < now() - interval '7 hours', flat_at IS NULL FROM episode")
                    == "t|t", "since it began")
            try await scene.look()
            #expect(try await scene.told().count == 1)
            #expect(
                try await scene.sql(
                    "SELECT array_length(parameters, 1), round(differences[2]::numeric, 1), due_at > now() FROM companion"
                )
                    == "2|0.6|t")
        }
    }

    @Test func whatIsWithinTheToleranceIsNotTold() async throws {
        try await CompanionScene.with { scene in
            try await scene.measure(first: 7.3, second: 7)
            try await scene.look()
            #expect(try await scene.told() == [])
            #expect(try await scene.sql("SELECT round(differences[2]::numeric, 1) FROM companion") == "0.3")
        }
    }

    @Test func agreementEndsItWithoutAWordAndADayPassesBeforeTheNext() async throws {
        try await CompanionScene.with { scene in
            try await scene.measure(first: 7.6, second: 7)
            try await scene.look()
            try await scene.measure(first: 7, second: 7)
            try await scene.look()
            #expect(
                try await scene.sql("SELECT closed_because, recovery_due_at IS NULL FROM episode") == "recovered|t")
            try await scene.sql("UPDATE alert SET state = 'delivered'")
            try await scene.measure(first: 7.6, second: 7)
            try await scene.look()
            #expect(try await scene.told().count == 1, "once a day at most")
            #expect(try await scene.open() == "1")
            try await scene.sql(
                "UPDATE throttle SET charged_at = charged_at - interval '1 day'; UPDATE companion SET due_at = now()")
            try await scene.look()
            #expect(try await scene.told().count == 2)
        }
    }

    @Test func quietHoursGatherIt() async throws {
        try await CompanionScene.with { scene in
            try await scene.sql(
                """
                DELETE FROM endpoint; -- a receiver of webhooks is told at night as well
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
                SELECT 7, account_id, 'ntfy', 'https://ntfy.example.org/topic', '' FROM account;
                INSERT INTO quiet_hours
                SELECT account_id, date_trunc('minute', (now() - interval '1 hour') AT TIME ZONE time_zone)::time,
                    date_trunc('minute', (now() + interval '1 hour') AT TIME ZONE time_zone)::time, 127, true
                FROM account
                """)
            try await scene.measure(first: 7.6, second: 7)
            try await scene.look()
            #expect(try await scene.told() == [])
            #expect(try await scene.sql("SELECT gathered, differs_by IS NOT NULL FROM episode") == "t|t")
        }
    }

    @Test func aPairThatIsTakenApartEndsIt() async throws {
        try await CompanionScene.with { scene in
            try await scene.measure(first: 7.6, second: 7)
            try await scene.look()
            #expect(try await scene.open() == "1")
            try await scene.sql("DELETE FROM companion")
            try await scene.look()
            #expect(try await scene.open() == "0")
        }
    }

    /// A fault that the probe tells of itself takes its place.
    @Test func aBrokenProbeTakesItsPlace() async throws {
        try await CompanionScene.with { scene in
            try await scene.measure(first: 7.6, second: 7)
            try await scene.look()
            try await scene.sql(
                """
                DELETE FROM throttle; UPDATE alert SET state = 'delivered';
                UPDATE sample SET ph = NULL WHERE event_time > now() - interval '5 minutes'
                """)
            try await scene.fixture.hand(
                [
                    ([.temperature: 20], ParameterSet(.ph), .now - .seconds(90)),
                    ([.temperature: 20], ParameterSet(.ph), .now),
                ])
            try await scene.fixture.runEngine()
            #expect(
                try await scene.sql(
                    "SELECT string_agg(concat_ws('/', differs_by IS NOT NULL, closed_at IS NOT NULL), ' ' ORDER BY episode_id) FROM episode WHERE kind = 'fault'"
                ) == "t/t f/f")
            try await scene.sql("UPDATE companion SET due_at = now()")
            try await scene.look()
            #expect(try await scene.open() == "1", "the fault stays")
        }
    }

    @Test func nothingBeginsWhileSomebodyWorks() async throws {
        try await CompanionScene.with { scene in
            try await scene.sql(
                """
                INSERT INTO water_work (work_id, slot, tank_id, device_id, kind, begins_at, until, asked, account_id)
                SELECT gen_random_uuid(), slot, tank_id, device_id, 'calibration', now() - interval '10 minutes',
                    now() + interval '10 minutes', '', account_id FROM ownership WHERE name = 'tank-2'
                """)
            try await scene.measure(first: 7.6, second: 7)
            try await scene.look()
            #expect(try await scene.told() == [])
        }
    }

    /// The clock of the second device prints local time, two hours ahead.
    @Test func valuesAreComparedByACorrectClock() async throws {
        try await CompanionScene.with { scene in
            try await scene.sql(
                """
                INSERT INTO device_clock (slot, device_id, lag_seconds)
                SELECT slot, device_id, -7200 FROM device WHERE hardware_id = 'tank-2'
                """)
            try await scene.measure(first: 7.6, second: 7, secondAhead: 7_200)
            try await scene.look()
            #expect(try await scene.told() == ["\(scene.owner) alarm 1 0.6"])
        }
    }
}

/// An engine's looks at pairs, with its rights.
private struct CompanionScene: Sendable {
    let fixture: EngineFixture
    let engine: PostgresConnection
    let second: DeviceKey

    var owner: Int64 { fixture.account.rawValue }

    static func with(_ body: @Sendable (CompanionScene) async throws -> Void) async throws {
        try await EngineFixture.with { fixture in
            let second = try await EngineFixture.link("tank-2", to: fixture.account, fixture.owner)
            let engine = try await PostgresConnection.connect(
                EngineFixture.configuration(fixture.database, .rules))
            let scene = CompanionScene(fixture: fixture, engine: engine, second: second)
            try await scene.age()
            try await scene.sql(
                """
                BEGIN;
                SELECT name_person(\(fixture.account.rawValue));
                SELECT pair_devices('tank-1', 'tank-2');
                COMMIT
                """)
            try await body(scene)
            await engine.close()
        }
    }

    /// Everybody has had their devices for days.
    func age() async throws {
        try await sql("UPDATE ownership SET linked_at = now() - interval '9 days', readings_from = '-infinity'")
    }

    /// Eight hours of pH and a temperature of both devices, a message in two minutes, in place of what was there; the pair is due.
    /// - Parameter ahead: Seconds by which the second device's clock is ahead.
    func measure(first: Double, second: Double, secondAhead ahead: Int = 0) async throws {
        try await sql(
            """
            DELETE FROM sample;
            INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature, ph)
            SELECT slot, 0, device_id,
                now() - n * interval '2 minutes'
                    + CASE hardware_id WHEN 'tank-2' THEN interval '\(ahead) s' ELSE interval '0' END,
                now() - n * interval '2 minutes', 20, CASE hardware_id WHEN 'tank-1' THEN \(first) ELSE \(second) END
            FROM device, generate_series(0, 239) n;
            UPDATE companion SET due_at = now()
            """)
    }

    func look() async throws {
        _ = try await engine.transaction { try CompanionSweep(policy: AlertPolicy()).perform($0) }
    }

    /// All alerts, oldest first.
    func told() async throws -> [String] {
        try await sql(
            """
            SELECT concat_ws(' ', account_id, purpose, parameter, round(change::numeric, 1))
            FROM alert WHERE kind = 'fault' ORDER BY alert_id
            """
        ).split(separator: "\n").map(String.init)
    }

    /// The number of open episodes.
    func open() async throws -> String {
        try await sql("SELECT count(*) FROM episode WHERE kind = 'fault' AND closed_at IS NULL")
    }

    @discardableResult
    func sql(_ text: String) async throws -> String { try await fixture.sql(text) }
}
