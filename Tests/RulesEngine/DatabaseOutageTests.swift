import Instants
import Logging
import ServiceKit
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

@Suite struct DatabaseOutageTests {
    private struct Lines: LogOutput {
        let sink: AsyncStream<String>.Continuation

        func write(_ line: [UInt8]) { sink.yield(String(decoding: line, as: UTF8.self)) }
    }

    private static func log() -> (Logger, AsyncStream<String>) {
        let (lines, sink) = AsyncStream.makeStream(of: String.self)
        let logger = Logger(label: "test") {
            JSONLogHandler(label: $0, level: .info, output: Lines(sink: sink), clock: .system)
        }
        return (logger, lines)
    }

    @Test(.timeLimit(.minutes(5))) func theListenerAndTheEngineLogThatThereIsNoDatabase() async throws {
        let (logger, lines) = Self.log()
        let configuration = RulesConfiguration(
            database: DatabaseSettings(url: "postgresql://nobody@/none?host=/nowhere", password: Secret("secret")))
        let engine = try RulesEngine(configuration, Facilities(logger: logger))
        let task = Task { try await engine.run() }
        var missing = ["listening for batches", "deciding"]
        for await line in lines {
            missing.removeAll { line.contains("tried again") && line.contains($0) }
            if missing.isEmpty { break }
        }
        task.cancel()
        _ = await task.result
        #expect(missing.isEmpty)
    }

    /// The engine waits for a missing schema, and goes on, even after a lost connection, with one that was migrated
    /// meanwhile: the next version's engines come later.
    @Test(.timeLimit(.minutes(5))) func migrationsUnderAnEngineAtWork() async throws {
        try await EngineFixture.with { fixture in
            _ = try await fixture.sql(
                """
                CREATE TABLE taken AS SELECT * FROM schema_migration ORDER BY number DESC LIMIT 1;
                DELETE FROM schema_migration WHERE number = (SELECT number FROM taken);
                """)
            let metrics = MetricsRegistry()
            let (logger, lines) = Self.log()
            try await fixture.withEngines(1, metrics: [metrics], log: logger) {
                try await fixture.hand([.ph: 8], at: .now - .seconds(10))
                let waits = try await withDeadline(.seconds(120), "a log line of an engine that waits") {
                    await lines.first { $0.contains("deciding") && $0.contains("run `aqua migrate`") }
                }
                #expect(waits?.contains("tried again") == true)
                #expect(metrics.render().contains("aqua_database_connected 0\n"))
                _ = try await fixture.sql("INSERT INTO schema_migration TABLE taken")
                try await Self.awaitDecisions(fixture)
                #expect(metrics.render().contains("aqua_database_connected 1\n"))

                _ = try await fixture.sql(
                    """
                    INSERT INTO schema_migration SELECT number + 1, name, checksum FROM taken;
                    SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
                    WHERE usename = 'aqua_rules' AND datname = current_database();
                    """)
                try await fixture.hand([.ph: 8.1], at: .now - .seconds(5))
                try await Self.awaitDecisions(fixture)
            }
        }
    }

    private static func awaitDecisions(_ fixture: EngineFixture) async throws {
        try await awaitFact("the decision") {
            try await fixture.sql("SELECT count(*) FROM evaluation_batch") == "0" ? true : nil
        }
    }
}
