import Foundation
import MQTT
import TestSupport
import Testing

/// A silent client takes a device's place for a while, and never a service's.
@Suite struct ListenerTests {
    private static let connections = 20

    @Test func silentConnectionsKeepTheIngestorNotOut() async throws {
        let bounds = ["AQUA_BROKER_CONNECTIONS": "\(Self.connections)"]
        try await TestBroker.with(devices: ["pond"], bounds: bounds) { broker in
            let silent = try (0..<3 * Self.connections).map { _ in try RawClient(port: broker.tlsPort) }
            try await awaitFact("the bound on devices' connections") {
                silent.count(where: \.hasEnded) == 2 * Self.connections ? true : nil
            }
            await #expect(throws: MQTTError.self) {
                _ = try await MQTTConsumer.connect(broker.device("pond", secure: true))
            }

            var configuration = try broker.ingestor(secure: true)
            configuration.endpoint.port = UInt16(broker.servicesPort)
            let consumer = try await MQTTConsumer.connect(configuration)
            try await consumer.subscribe([ConsumerTests.readings])
            try await broker.publish(0..<1, as: "pond")
            #expect(try await consumer.receiveAll(1).numbers == [0])
            try await consumer.acknowledge()

            // The broker frees their places by itself.
            for client in silent { await client.awaitEnd() }
            try await broker.publish(1..<2, as: "pond", secure: true)
            #expect(try await consumer.receiveAll(1).numbers == [1])
            await consumer.abandon()
        }
    }

    /// A broker without free descriptors accepts nobody, on no listener.
    @Test func descriptorsAreLeftForTheServices() async throws {
        try await TestBroker.with { broker in
            let file = try String(contentsOfFile: "/proc/\(broker.process())/limits", encoding: .utf8)
            let line = try #require(file.split(separator: "\n").first { $0.hasPrefix("Max open files") })
            let limit = try #require(line.split(separator: " ").dropFirst(3).first.flatMap { Int($0) })
            let bound = try broker.connectionBound
            #expect(limit >= bound + 300)
        }
    }

    @Test func theBrokersLogTellsWhoConnectedAndWhoWasRefused() async throws {
        try await TestBroker.with(devices: ["pond"]) { broker in
            try await MQTTConsumer.connect(broker.device("pond")).disconnect()
            var stranger = broker.device("pond")
            stranger.clientID = "aqua-ingestor-0"
            let refused = stranger
            await #expect(throws: MQTTError.self) { _ = try await MQTTConsumer.connect(refused) }
            for words in [" as pond (p5,", "not authorised"] {
                try await awaitFact(words) {
                    try String(contentsOfFile: broker.log, encoding: .utf8).contains(words) ? true : nil
                }
            }
        }
    }
}
