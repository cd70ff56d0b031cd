import Instants
import Logging
import Postgres
import Secrets
import ServiceKit
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// A migrated database with some devices, accessed as its owner.
struct StoreFixture: Sendable {
    let cluster: TestCluster
    let database: TestDatabase
    let owner: PostgresConnection
    let devices: [DeviceKey]

    /// - Parameter cluster: The test's own servers if it stops one; nil for the shared ones.
    static func with(
        _ cluster: TestCluster? = nil, devices names: [String] = [],
        _ body: @Sendable (StoreFixture) async throws -> Void
    ) async throws {
        let shared = try await TestCluster.shared
        let cluster = cluster ?? shared
        try await cluster.database.withDatabase(migrate: migrate) { database in
            let owner = try await PostgresConnection.connect(configuration(database, .owner))
            // The template may have been made yesterday.
            _ = try await owner.execute(MakePartitions())
            var devices: [DeviceKey] = []
            for name in names { devices.append(try await addDevice(name, owner)) }
            try await body(StoreFixture(cluster: cluster, database: database, owner: owner, devices: devices))
            await owner.close()
        }
    }

    static func migrate(_ database: TestDatabase) async throws {
        let connection = try await PostgresConnection.connect(configuration(database, .owner))
        _ = try await Schema.migrator().migrate(on: connection)
        await connection.close()
    }

    static func configuration(_ database: TestDatabase, _ role: TestDatabase.Role) throws -> PostgresConfiguration {
        try PostgresConfiguration(url: database.url(role), password: database.password(role), applicationName: "test")
    }

    static func addDevice(_ name: String, _ owner: PostgresConnection) async throws -> DeviceKey {
        let hardwareID = try #require(Device.HardwareID(name))
        let hash = Array(name.utf8) + Array(repeating: 0, count: 32 - name.utf8.count)
        let keyID = String(repeating: "0", count: 16)
        let device = AddDevice(
            hardwareID: hardwareID, keyID: keyID, claimCode: StoredClaimCode(hash: hash, keyID: keyID),
            keyHash: DeviceKeyHash(of: ServiceFixture.deviceKey).bytes)
        return try #require(try await owner.execute(device).first)
    }

    /// Lends a writer that works with the Ingestor's rights.
    func withWriter(
        metrics: MetricsRegistry = MetricsRegistry(), _ body: @Sendable (BatchWriter) async throws -> Void
    ) async throws {
        let pool = PostgresPool(try Self.configuration(database, .ingestor), size: 2)
        let writer = BatchWriter(
            pool: pool, logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
            metrics: IngestorMetrics(metrics))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            defer { group.cancelAll() }
            try await body(writer)
        }
    }

    /// The messages that wait for a decision, in their order of arrival within each slot.
    func evaluated() async throws -> [EvaluationBatch.Message] {
        var messages: [EvaluationBatch.Message] = []
        for bytes in try await owner.execute(ReadEvaluationBatches()) {
            try EvaluationBatch.forEach(in: bytes) { messages.append($0) }
        }
        return messages
    }

    /// A query's only value, as a number.
    func count(_ query: String) async throws -> Int {
        try #require(Int(try await database.sql("SELECT \(query)")))
    }

    /// Repeats a query with psql until it is true.
    func await(_ condition: String) async throws {
        try await awaitFact(condition) { try await database.sql("SELECT \(condition)") == "t" ? true : nil }
    }

    /// Whether a backend of the Ingestor waits for a lock.
    static let aBackendWaits = """
        EXISTS (SELECT FROM pg_stat_activity WHERE usename = 'aqua_ingestor' AND datname = current_database()
            AND wait_event_type = 'Lock')
        """
}

private struct ReadEvaluationBatches: Statement {
    static let sql = "SELECT readings FROM evaluation_batch ORDER BY slot, batch_id"
    static func decode(_ row: inout RowReader) throws -> [UInt8] { try row.read() }
}

extension Timestamp {
    /// The machine's time: partitions exist only around it.
    static var now: Timestamp { WallClock.system.now() }
}
