import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// An engine's looks, with its rights, in an installation that has listened for a day. Its database's clock stands
/// still, so that nothing ages between two steps on a busy machine.
struct SilenceScene: Sendable {
    let fixture: EngineFixture
    let engine: PostgresConnection

    static func with(
        isFrozen: Bool = true, _ body: @Sendable (SilenceScene) async throws -> Void
    ) async throws {
        try await EngineFixture.with { fixture in
            if isFrozen { try await fixture.database.freezeClock() }
            _ = try await fixture.sql(
                """
                SELECT make_sample_partitions(current_date - 2, current_date + 2);
                UPDATE silence_clock SET runs_from = now() - interval '1 day', looked_at = now()
                """)
            let engine = try await PostgresConnection.connect(
                EngineFixture.configuration(fixture.database, .rules))
            let scene = SilenceScene(fixture: fixture, engine: engine)
            try await scene.listen()
            try await body(scene)
            await engine.close()
        }
    }

    /// Records, as the Ingestor, that nothing waits at the broker.
    func listen(at seconds: Int = 0) async throws {
        try await sql(
            """
            INSERT INTO ingest_seat (seat, session_open, level_at) VALUES (1, true, now() - interval '\(seconds) s')
            ON CONFLICT (seat) DO UPDATE SET session_open = true, level_at = excluded.level_at
            """)
    }

    /// Adds readings, one every thirty seconds.
    func hear(
        until seconds: Int, of device: DeviceKey? = nil, _ column: String = "ph", count: Int = 20
    ) async throws {
        let device = device ?? fixture.device
        let values = column.split(separator: ",").map { _ in "8" }.joined(separator: ", ")
        try await sql(
            """
            INSERT INTO sample (slot, flags, device_id, event_time, received_at, \(column))
            SELECT \(device.slot.rawValue), 0, \(device.device.rawValue), t, t, \(values)
            FROM generate_series(0, \(count - 1)) n,
                LATERAL (SELECT now() - interval '\(seconds) s' - n * interval '30 s' AS t) AS s
            """)
    }

    /// Looks for silence, and at the recoveries that are due.
    @discardableResult
    func look(
        _ steps: ClockSteps = ClockSteps(), on connection: PostgresConnection? = nil
    ) async throws
        -> SweepReport
    {
        try await (connection ?? engine).transaction { transaction in
            var steps = steps
            var report = try SilenceSweep(policy: AlertPolicy()).perform(transaction, &steps)
            let now = try transaction.execute(ReadClock())[0]
            report.alerts += try RecoverySweep(policy: AlertPolicy()).perform(transaction, now: now).notices
            return report
        }
    }

    /// Looks at every device, due or not.
    func lookAgain() async throws -> SweepReport {
        try await sql("UPDATE silence_check SET due_at = now()")
        return try await look()
    }

    /// All alerts, oldest first.
    func told() async throws -> [String] {
        try await sql("SELECT kind || ' ' || purpose FROM alert ORDER BY alert_id")
            .split(separator: "\n").map(String.init)
    }

    @discardableResult
    func sql(_ text: String) async throws -> String { try await fixture.sql(text) }
}
