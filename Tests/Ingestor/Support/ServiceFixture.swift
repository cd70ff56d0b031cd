import Foundation
import Instants
import Logging
import MQTT
import MQTTFleet
import Postgres
import ServiceKit
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// Real Ingestors between a broker and a database of their own.
struct ServiceFixture: Sendable {
    let store: StoreFixture
    let fleet: MQTTFleet

    var cluster: TestCluster { store.cluster }
    var database: TestDatabase { store.database }

    static let deviceKey = "the key of a device"

    static func with(
        _ durability: TestCluster.Durability = .none, devices: [String] = ["tank-1"],
        _ body: @escaping @Sendable (ServiceFixture) async throws -> Void
    ) async throws {
        try await TestCluster.with(durability) { cluster in
            try await StoreFixture.with(cluster, devices: devices) { store in
                for device in devices { try await cluster.broker.addDevice(device, password: deviceKey) }
                try await MQTTFleet.with { fleet in
                    try await body(ServiceFixture(store: store, fleet: fleet))
                }
            }
        }
    }

    // MARK: Ingestors

    func environment(_ role: TestDatabase.Role = .ingestor) -> [String: String] {
        [
            "AQUA_DATABASE_URL": database.url(role), "AQUA_DATABASE_PASSWORD_FILE": database.passwordFile(role),
            "AQUA_MQTT_URL": cluster.broker.url, "AQUA_MQTT_USER": TestBroker.ingestor,
            "AQUA_MQTT_PASSWORD_FILE": cluster.broker.passwordFile(TestBroker.ingestor),
            "AQUA_LISTEN": "127.0.0.1:\(Ports.free())",
        ]
    }

    /// Starts an Ingestor as a process and waits until it listens.
    func startIngestor(_ environment: [String: String]? = nil) async throws -> ProcessUnderTest {
        let ingestor = try ProcessUnderTest.start("aqua-ingestor", environment: environment ?? self.environment())
        try await ingestor.line { $0.contains("Listening") }
        return ingestor
    }

    /// Starts an Ingestor that finds another one at work.
    func startStandby() async throws -> ProcessUnderTest {
        let ingestor = try ProcessUnderTest.start("aqua-ingestor", environment: environment())
        try await ingestor.line { $0.contains("Standing by") }
        return ingestor
    }

    /// Runs an Ingestor with shared subscriptions in this process, for as long as `body`.
    func withSharingIngestor(
        seatGrace: Duration, _ body: @Sendable () async throws -> Void
    ) async throws {
        try await withIngestor(
            changing: { configuration in
                configuration.seatGrace = seatGrace
                configuration.sharesSubscription = true
            }, body)
    }

    /// Runs an Ingestor in this process for as long as `body`.
    /// - Parameter words: The log line that shows that it is at work.
    func withIngestor(
        health: Health = Health(), clock: WallClock = .system, until words: String = "Listening",
        changing change: (inout IngestorConfiguration) -> Void = { _ in }, _ body: @Sendable () async throws -> Void
    ) async throws {
        var configuration = IngestorConfiguration(
            database: DatabaseSettings(
                url: database.url(.ingestor), password: Secret(try database.password(.ingestor))),
            broker: BrokerSettings(
                host: "127.0.0.1", port: cluster.broker.port, usesTLS: false, user: TestBroker.ingestor,
                password: Renewable(Secret(try cluster.broker.password(TestBroker.ingestor))), authorityFile: nil))
        change(&configuration)
        let (logger, lines) = LogStream.make()
        let ingestor = try Ingestor(configuration, Facilities(logger: logger, health: health, clock: clock))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await ingestor.run() }
            defer { group.cancelAll() }
            _ = await lines.first { $0.contains(words) }
            try await body()
        }
    }

    // MARK: Devices

    /// A client with the Ingestor's key.
    func connectAsIngestor() async throws -> MQTTFleet.Client {
        let broker = cluster.broker
        return try await fleet.add(
            MQTTConfiguration(
                endpoint: MQTTEndpoint(host: "127.0.0.1", port: UInt16(broker.port), isSecure: false),
                clientID: "aqua:ingestor:test",
                credentials: MQTTCredentials(
                    user: TestBroker.ingestor, password: try broker.password(TestBroker.ingestor))))
    }

    func connect(_ device: String, secure: Bool = false) async throws -> MQTTFleet.Client {
        let broker = cluster.broker
        return try await fleet.add(
            MQTTConfiguration(
                endpoint: MQTTEndpoint(
                    host: "127.0.0.1", port: UInt16(secure ? broker.tlsPort : broker.port), isSecure: secure),
                clientID: device,
                credentials: MQTTCredentials(user: device, password: Self.deviceKey),
                certificateAuthorityFile: secure ? broker.authorityFile : nil),
            window: 500)
    }

    /// Publishes readings with a time each, and returns when the broker has acknowledged them.
    func publish(_ numbers: Range<Int>, from devices: [String] = ["tank-1"], since start: Timestamp) async throws {
        for device in devices {
            let client = try await connect(device)
            for number in numbers {
                let time = (start + .seconds(number)).microseconds / 1_000_000
                try await fleet.enqueue(.of(device, #"{"time":\#(time),"nitrate":\#(number)}"#), as: client)
            }
            try await fleet.drain(client)
            try await fleet.remove(client)
        }
    }

    /// Waits until this many messages are stored; the key forbids more.
    func awaitStored(_ count: Int) async throws {
        try await store.await("(SELECT count(*) FROM sample) = \(count)")
    }

    /// Checks that every message was stored, and handed to the engines once.
    func expectEachOnce(_ count: Int) async throws {
        #expect(try await store.count("count(*) FROM sample") == count)
        let evaluated = try await store.evaluated()
        #expect(evaluated.count == count)
        #expect(Set(evaluated.map { "\($0.device.rawValue) \($0.time.microseconds)" }).count == count)
        #expect(try await rejects() == 0)
    }

    /// The number of rejects, of devices and of others.
    func rejects() async throws -> Int {
        try await store.count("(SELECT count(*) FROM reject) + (SELECT count(*) FROM device_reject)")
    }

    /// Blocks every commit for as long as `body`.
    func withCommitsHeldUp(_ body: @Sendable () async throws -> Void) async throws {
        let holder = try await PostgresConnection.connect(StoreFixture.configuration(database, .owner))
        try await holder.executeScript("BEGIN; LOCK TABLE device_status, sample IN ACCESS EXCLUSIVE MODE")
        try await body()
        await holder.close()
    }
}
