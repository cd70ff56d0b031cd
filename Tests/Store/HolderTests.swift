import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// Engines end transactions of the Gateway's role that block other services.
@Suite struct HolderTests {
    private struct CountBlocked: Statement {
        static let sql = "SELECT count(*) FROM pg_locks WHERE NOT granted AND waitstart IS NOT NULL"
        static func decode(_ row: inout RowReader) throws -> Int64 { try row.read() }
    }

    /// The moments from which `end_holders` counts.
    private enum Beginning: String {
        case wait = """
            SELECT min(waitstart) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
            WHERE NOT l.granted AND a.datname = current_database()
            """
        case transaction = """
            SELECT coalesce(min(xact_start), now()) FROM pg_stat_activity
            WHERE datname = current_database() AND usename IN ('aqua_gateway', 'aqua_ingestor')
            """
    }

    /// Stops the clock that `end_holders` reads at so many seconds after a beginning, however long the test really takes.
    private static func stopClock(_ fixture: SchemaFixture, _ seconds: Int, after beginning: Beginning) async throws {
        try await fixture.owner.executeScript(
            #"""
            DO $do$ BEGIN EXECUTE regexp_replace(pg_get_functiondef('end_holders()'::regprocedure),
                'clock_timestamp\(\)|timestamptz ''[^'']*''',
                format('timestamptz %L', (\#(beginning.rawValue)) + interval '\#(seconds) s'), 'g'); END $do$
            """#)
    }

    private static func with(
        _ body:
            @Sendable (SchemaFixture, _ gateway: PostgresConnection, _ engine: PostgresConnection) async throws -> Void
    ) async throws {
        try await SchemaFixture.with { fixture in
            let gateway = try await SchemaFixture.connect(fixture.database, .gateway)
            let engine = try await SchemaFixture.connect(fixture.database, .rules)
            // A client with the Gateway's role can set time-outs of its own.
            try await gateway.executeScript("SET idle_in_transaction_session_timeout = 0; SET statement_timeout = 0")
            try await body(fixture, gateway, engine)
            await gateway.close()
            await engine.close()
        }
    }

    @Test func whatAnotherServiceWaitsForIsEndedAfterTenSeconds() async throws {
        try await Self.with { fixture, gateway, engine in
            // The Gateway's own rights allow no such lock.
            try await fixture.owner.executeScript("GRANT DELETE ON snooze TO aqua_gateway")
            try await gateway.executeScript("BEGIN; LOCK TABLE snooze IN ACCESS EXCLUSIVE MODE")
            let waiting = try await SchemaFixture.connect(fixture.database, .rules)
            let loaded = Task { try await waiting.execute(LoadSnoozes([], kinds: [.range])) }
            try await awaitFact("an engine waits") {
                try await fixture.owner.execute(CountBlocked()) == [1] ? true : nil
            }
            try await Self.stopClock(fixture, 9, after: .wait)
            #expect(try await engine.execute(EndHolders()) == [0])
            try await Self.stopClock(fixture, 11, after: .wait)
            #expect(try await engine.execute(EndHolders()) == [1])
            #expect(try await loaded.value.isEmpty)
            await #expect(throws: PostgresError.self) { try await gateway.executeScript("COMMIT") }
            await waiting.close()
        }
    }

    /// Engines skip a slot whose row is locked, without waiting.
    @Test func rowsAreFreeAgainAfterAMinute() async throws {
        try await Self.with { fixture, gateway, engine in
            try await gateway.executeScript("BEGIN; SELECT count(*) FROM account")
            try await Self.stopClock(fixture, 70, after: .transaction)
            #expect(try await engine.execute(EndHolders()) == [0], "it has locked nothing")
            try await gateway.executeScript("ROLLBACK; BEGIN; SELECT follow_slots(gen_random_uuid(), 1, '1 min')")
            try await Self.stopClock(fixture, 70, after: .transaction)
            #expect(try await engine.execute(EndHolders()) == [1])
        }
    }

    @Test func whatOnlyReadsEndsAfterFiveMinutes() async throws {
        try await Self.with { fixture, gateway, engine in
            try await gateway.executeScript("BEGIN; SELECT count(*) FROM person_sample")
            try await Self.stopClock(fixture, 290, after: .transaction)
            #expect(try await engine.execute(EndHolders()) == [0])
            try await Self.stopClock(fixture, 310, after: .transaction)
            #expect(try await engine.execute(EndHolders()) == [1])
        }
    }

    /// Only engines end transactions, and only those of the Gateway's role.
    @Test func theGatewaysTransactionsAlone() async throws {
        try await Self.with { fixture, _, engine in
            let ingestor = try await SchemaFixture.connect(fixture.database, .ingestor)
            try await ingestor.executeScript("BEGIN; SELECT pg_current_xact_id()")
            try await Self.stopClock(fixture, 3_600, after: .transaction)
            #expect(try await engine.execute(EndHolders()) == [0])
            try await ingestor.executeScript("COMMIT")
            await ingestor.close()
        }
    }
}
