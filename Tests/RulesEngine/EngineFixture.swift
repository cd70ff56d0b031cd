import Instants
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor
@testable import RulesEngine

/// A database with a person who has an endpoint and a device, and engines that decide on it.
struct EngineFixture: Sendable {
    let database: TestDatabase
    let owner: PostgresConnection
    let account: Account.ID
    let device: DeviceKey

    static func with(_ body: @Sendable (EngineFixture) async throws -> Void) async throws {
        let cluster = try await TestCluster.shared
        try await cluster.database.withDatabase(migrate: migrate) { database in
            let owner = try await PostgresConnection.connect(configuration(database, .owner))
            let account = try await owner.execute(
                AddAccount(email: "kim@example.org", passwordHash: "scrypt$test", locale: "en", timeZone: "UTC"))[0]
            _ = try await owner.execute(
                AddEndpoint(
                    endpoint: Endpoint.ID(rawValue: 1), account: account, channel: .webhook,
                    target: "https://example.org/a",
                    sealedSecret: []))
            let fixture = EngineFixture(
                database: database, owner: owner, account: account,
                device: try await link("tank-1", to: account, owner))
            try await body(fixture)
            await owner.close()
        }
    }

    static func migrate(_ database: TestDatabase) async throws {
        let connection = try await PostgresConnection.connect(configuration(database, .owner))
        _ = try await Schema.migrator().migrate(on: connection)
        await connection.close()
    }

    static func configuration(_ database: TestDatabase, _ role: TestDatabase.Role) throws -> PostgresConfiguration {
        try PostgresConfiguration(
            url: database.url(role), password: database.password(role), applicationName: "test")
    }

    static func link(_ name: String, to account: Account.ID, _ owner: PostgresConnection) async throws -> DeviceKey {
        let hardwareID = try #require(Device.HardwareID(name))
        let keyID = String(repeating: "0", count: 16)
        let hash = Array(name.utf8) + Array(repeating: 0, count: 32 - name.count)
        let device = try await owner.execute(
            AddDevice(hardwareID: hardwareID, keyID: keyID, claimCode: StoredClaimCode(hash: hash, keyID: keyID)))[0]
        try await owner.perform(
            LinkDevice(
                device: device, account: account, name: name,
                defaults: Parameter.allCases.map {
                    LinkDevice.Default(
                        parameter: $0, unit: $0.defaults.unit.rawValue, minimum: $0.defaults.minimum?.count,
                        maximum: $0.defaults.maximum?.count, colour: $0.defaults.color, position: $0.defaults.order)
                }))
        return device
    }

    /// Stores one message and hands it to the engines, as an Ingestor does.
    func hand(
        _ values: [Parameter: Float], at time: Timestamp, receivedAt: Timestamp = .now, of device: DeviceKey? = nil
    ) async throws {
        try await hand([(values, time)], receivedAt: receivedAt, of: device)
    }

    func hand(
        _ messages: [([Parameter: Float], Timestamp)], receivedAt: Timestamp = .now, of device: DeviceKey? = nil
    ) async throws {
        try await hand(messages.map { ($0.0, [], $0.1) }, receivedAt: receivedAt, of: device)
    }

    /// - Parameter messages: For each message its values, the parameters with broken probes, and its time.
    func hand(
        _ messages: [([Parameter: Float], ParameterSet, Timestamp)], receivedAt: Timestamp = .now,
        of device: DeviceKey? = nil
    ) async throws {
        let device = device ?? self.device
        var batch = AddEvaluationBatches.Batch(slot: device.slot, receivedAt: receivedAt)
        var samples: [Sample.Key: Sample] = [:]
        for (values, brokenProbes, time) in messages {
            var readings = Readings()
            for (parameter, value) in values { readings[parameter] = value }
            batch.messages.append(
                device: device.device, time: time, readings: readings, brokenProbes: brokenProbes)
            if readings.isEmpty { continue }
            let sample = Sample(
                slot: device.slot, device: device.device, at: EventTime(device: time, receipt: time),
                receivedAt: batch.receivedAt, readings: readings)
            samples[sample.key] = sample
        }
        _ = try await owner.execute(InsertNewSamples(Array(samples.values)))
        try await owner.perform(AddEvaluationBatches([batch]))
    }

    /// Runs an engine until no batch waits.
    func runEngine(
        policy: AlertPolicy = AlertPolicy(), until fact: String = "NOT EXISTS (SELECT FROM evaluation_batch)"
    )
        async throws
    {
        try await withEngines(1, policy: policy) {
            _ = try await awaitFact(fact) { try await database.sql("SELECT \(fact)") == "t" ? true : nil }
        }
    }

    /// - Parameters:
    ///   - interval: The interval at which engines look at the queue without a notification.
    ///   - metrics: A registry for each engine, if the test reads metrics.
    ///   - log: A logger, if the test reads warnings.
    func withEngines(
        _ count: Int, policy: AlertPolicy = AlertPolicy(), interval: Duration = .seconds(1),
        metrics: [MetricsRegistry] = [], log: Logger = Logger(label: "test"), _ body: @Sendable () async throws -> Void
    ) async throws {
        var configuration = RulesConfiguration(
            database: DatabaseSettings(
                url: database.url(.rules), password: Secret(try database.password(.rules))), policy: policy)
        configuration.interval = interval
        var logger = log
        logger.logLevel = .warning  // alerts are expected here
        let facilities = { [logger] in Facilities(logger: logger, metrics: $0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                let registry = number < metrics.count ? metrics[number] : MetricsRegistry()
                let engine = try RulesEngine(configuration, facilities(registry))
                group.addTask { try await engine.run() }
            }
            try await body()
            group.cancelAll()
            while let result = await group.nextResult() {
                if case .failure(let error) = result, !(error is CancellationError) { throw error }
            }
        }
    }

    func sql(_ text: String) async throws -> String { try await database.sql(text) }
}

extension Timestamp {
    static var now: Timestamp { WallClock.system.now() }
}
