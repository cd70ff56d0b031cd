import Logging
import ServiceKit
import Store
import TestSupport
import Testing

@testable import Gateway

/// The schemas on which a gateway works.
@Suite(.timeLimit(.minutes(10))) struct SchemaTests {
    private static let takeNewest = """
        CREATE TABLE taken AS SELECT * FROM schema_migration ORDER BY number DESC LIMIT 1;
        DELETE FROM schema_migration WHERE number = (SELECT number FROM taken)
        """
    private static let giveBack = "INSERT INTO schema_migration TABLE taken; DROP TABLE taken"
    private static let moveAhead = """
        INSERT INTO schema_migration SELECT number + 1, name, checksum FROM schema_migration ORDER BY 1 DESC LIMIT 1
        """

    private static let moveBack = "DELETE FROM schema_migration WHERE number > \(Schema.version)"

    private static func isConnected(_ metrics: MetricsRegistry) -> Bool {
        metrics.render().contains("aqua_database_connected 1\n")
    }

    private static func saysWhatIsMissing(_ line: GatewayLog.Line) -> Bool {
        line["name"] == "checking the schema" && line["error"]?.contains("run `aqua migrate`") == true
    }

    /// A starting gateway waits for a schema that is not there yet, and refuses one that it does not know.
    @Test func whoStarts() async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { first in
            let (log, metrics) = (GatewayLog(), MetricsRegistry())
            let second = try Gateway(
                try GatewayUnderTest.configuration(.random(), on: first.database),
                Facilities(logger: Logger(label: "gateway-tests") { _ in log.handler }, metrics: metrics))
            try await first.database.sql(Self.takeNewest)
            let run = Task { try await second.run() }
            try await log.line("what is missing", where: Self.saysWhatIsMissing)
            #expect(!Self.isConnected(metrics))
            try await first.database.sql(Self.giveBack)
            try await awaitFact("the schema") { Self.isConnected(metrics) ? true : nil }
            run.cancel()
            _ = await run.result

            try await first.database.sql(Self.moveAhead)
            let late = try Gateway(
                try GatewayUnderTest.configuration(.random(), on: first.database),
                Facilities(logger: Logger(label: "gateway-tests") { _ in log.handler }))
            let mismatch = await #expect(throws: SchemaMismatch.self) {
                try await withDeadline(.seconds(120), "the refusal") { try await late.run() }
            }
            #expect(mismatch?.description.contains("which this program does not know") == true)
        }
    }

    /// After an outage the schema is checked again: a gateway works on one that was migrated meanwhile, and waits for
    /// one that was restored from an earlier backup.
    @Test func whoIsAtWork() async throws {
        try await TestCluster.with { cluster in
            try await GatewayUnderTest.with(api: TrialAPI().make(), server: cluster.database) { gateway in
                let metrics = gateway.metrics
                @Sendable func restart(after change: String) async throws {
                    try await gateway.database.sql(change)
                    try await cluster.halt(.database)
                    try await awaitFact("the outage") { Self.isConnected(metrics) ? nil : true }
                    try await cluster.resume(.database)
                }
                try await restart(after: Self.moveAhead)
                try await awaitFact("the database") { Self.isConnected(metrics) ? true : nil }

                try await restart(after: "\(Self.moveBack); \(Self.takeNewest)")
                try await gateway.log.line("what is missing", where: Self.saysWhatIsMissing)
                #expect(!Self.isConnected(metrics))
                try await gateway.database.sql(Self.giveBack)
                try await awaitFact("the database") { Self.isConnected(metrics) ? true : nil }
            }
        }
    }
}
