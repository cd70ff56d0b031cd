import Foundation
import MQTT
import MQTTFleet
import TestSupport
import Testing

/// The effect of one device's key on the broker's memory is bounded, and other devices notice nothing.
@Suite struct HostileDeviceTests {
    private static let mebibyte = 1 << 20

    /// Runs an attack by `pond` and measures its memory; afterwards a reading of `tank` still arrives.
    private static func withstanding(
        atMost most: Int, _ attack: (TestBroker) async throws -> Void
    ) async throws {
        try await TestBroker.with(devices: ["pond", "tank"]) { broker in
            let configuration = try broker.ingestor()
            let seat = try await MQTTConsumer.connect(configuration)
            try await seat.subscribe([MQTTSubscription("aqua/v1/+/readings"), MQTTSubscription("aqua/v1/+/status")])
            try await seat.disconnect()
            let before = try memory(of: broker)
            try await attack(broker)
            let after = try memory(of: broker)
            #expect(after - before < most)

            let reader = try await MQTTConsumer.connect(configuration)
            try await broker.publish(0..<1, as: "tank")
            var topics: Set<String> = []
            while !topics.contains("aqua/v1/tank/readings") {
                let batch = try await reader.receive(maximum: 1_000, patience: .seconds(60))
                try #require(!batch.isEmpty)
                topics.formUnion(batch.map(\.topic))
                try await reader.acknowledge()
            }
            #expect(topics.isSubset(of: ["aqua/v1/tank/readings", "aqua/v1/pond/readings", "aqua/v1/pond/status"]))
            await reader.abandon()
        }
    }

    /// The resident bytes of the broker's process.
    private static func memory(of broker: TestBroker) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(broker.process())/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(line.split(separator: " ").dropLast().last.flatMap { Int($0) }) << 10
    }

    @Test func retainedTopicsWithoutEnd() async throws {
        try await Self.withstanding(atMost: 4 * Self.mebibyte) { broker in
            try await MQTTFleet.with { fleet in
                let pond = try await fleet.add(broker.device("pond"), window: 500)
                for number in 0..<2_000 {
                    try await fleet.enqueue(
                        MQTTMessage(
                            topic: "aqua/v1/pond/\(number)", payload: Array(repeating: 0, count: 4_000), retain: true),
                        as: pond)
                }
                await #expect(throws: MQTTError(.notAuthorized)) { try await fleet.drain(pond) }
                // Below its own topics as well: only listed topics are retained, once each.
                for topic in [
                    "aqua/v1/pond/readings/1", "aqua/v1/pond/status/1", "aqua/v1/pond", "aqua/v1/pond/",
                    "aqua/v1/pond/tele/INFO2", "aqua/v1/pond/sensor/x", "aqua/v1/pond/sensor/ph/state/1",
                    "aqua/v1/pond/reef-pi/x/y", "aqua/v1/pond/zigbee2mqtt/x", "aqua/v1/pond/senml/1",
                    "aqua/v1/pond/shelly/status/switch:0", "aqua/v1/pond/shelly/status/temperature:108",
                    "aqua/v1/pond/shelly/rpc", "v1.1/Datastreams('pond:x')/Observations",
                    "v1.1/Datastreams('pond:ph')/Observations/1",
                ] {
                    await #expect(throws: MQTTError(.notAuthorized), "\(topic)") {
                        try await fleet.publish(MQTTMessage(topic: topic, payload: [1], retain: true), as: pond)
                    }
                }
            }
        }
    }

    @Test func aSessionThatQueuesForItself() async throws {
        try await Self.withstanding(atMost: 4 * Self.mebibyte) { broker in
            var persistent = broker.device("pond")
            persistent.cleanStart = false
            persistent.sessionExpiry = 3_600
            let session = try await MQTTConsumer.connect(persistent)
            try await session.subscribe([MQTTSubscription("aqua/v1/+/#"), MQTTSubscription("aqua/v1/pond/readings")])
            try await session.disconnect()
            // One session for each device: any publisher as `pond` is that session.
            let client = try RawClient(port: broker.port)
            #expect(
                client.connect(
                    clientID: "pond", user: "pond", password: TestBroker.password(of: "pond"), cleanSession: false) == 0
            )
            for number in 1...500 {
                for subject in ["readings", "status"] {
                    client.send(
                        0x32,
                        RawClient.text("aqua/v1/pond/\(subject)") + [UInt8(number >> 8), UInt8(number & 0xFF), 65])
                }
            }
            // The hostile device receives nothing but its receipt.
            try await MQTTFleet.with { fleet in
                let ingestor = try await fleet.add(broker.ingestor("receipts"))
                try await fleet.publish(
                    MQTTMessage(topic: "aqua/v1/pond/receipts", payload: Array("receipt".utf8)), as: ingestor)
            }
            let heard = try await MQTTConsumer.connect(persistent)
            #expect(await heard.sessionPresent)
            let first = try await heard.receive(maximum: 1_000, linger: .milliseconds(500), patience: .seconds(20))
            #expect(first.map(\.topic) == ["aqua/v1/pond/receipts"])
            await heard.abandon()
        }
    }

    @Test func exactlyOnceWithoutAnEnd() async throws {
        try await Self.withstanding(atMost: 4 * Self.mebibyte) { broker in
            let client = try RawClient(port: broker.port)
            #expect(client.connect(clientID: "pond", user: "pond", password: TestBroker.password(of: "pond")) == 0)
            for number in 1...1_000 {
                let body = RawClient.text("aqua/v1/pond/readings") + [UInt8(number >> 8), UInt8(number & 0xFF)]
                client.send(0x34, body + Array(repeating: 65, count: 4_000))
            }
            #expect(await client.awaitEnd() == [], "a PUBREC would promise to keep it")
        }
    }

    @Test func propertiesOfAMegabyte() async throws {
        try await Self.withstanding(atMost: 4 * Self.mebibyte) { broker in
            for _ in 0..<20 {
                let client = try RawClient(port: broker.port)
                #expect(
                    client.connect(
                        version: 5, clientID: "pond", user: "pond", password: TestBroker.password(of: "pond")) == 0)
                client.send(0x32, RawClient.text("aqua/v1/pond/readings") + [0, 1] + Self.properties(pairs: 16))
                await client.awaitEnd()
            }
        }
    }

    /// The rules that applied to a lost device apply to its will, with the same bounds as for its messages.
    @Test func willsThatAreNotTheirs() async throws {
        try await TestBroker.with(devices: ["pond", "tank"]) { broker in
            let seat = try await MQTTConsumer.connect(broker.ingestor())
            try await seat.subscribe([MQTTSubscription("aqua/v1/+/readings"), MQTTSubscription("aqua/v1/+/status")])
            func connect(_ topic: String, _ message: String, version: UInt8) throws -> UInt8? {
                try RawClient(port: broker.port).connect(
                    version: version, clientID: "pond", user: "pond", password: TestBroker.password(of: "pond"),
                    will: (topic, message))
            }
            let others = ["tank/status", "tank/readings", "pond/receipts", "pond/x"].map { "aqua/v1/\($0)" }
            for version in [UInt8(4), 5] {
                for topic in others {
                    _ = try connect(topic, "forged", version: version)
                }
                let large = String(repeating: "x", count: 20_000)
                #expect(try connect("aqua/v1/pond/status", large, version: version) != 0)
                // One connection for each client id: when this one is answered, the former is gone and its will was
                // judged.
                #expect(try connect("aqua/v1/pond/status", "offline \(version)", version: version) == 0)
            }
            var heard: [String] = []
            while heard.last != "aqua/v1/pond/status offline 5" {
                let batch = try await seat.receive(maximum: 100, patience: .seconds(60))
                try #require(!batch.isEmpty)
                heard += batch.map { "\($0.topic) \(String(decoding: $0.payload, as: UTF8.self))" }
                try await seat.acknowledge()
            }
            #expect(heard == ["aqua/v1/pond/status offline 4", "aqua/v1/pond/status offline 5"])
            await seat.abandon()

            // No will was kept below its own name, either: the first message is its receipt.
            let pond = try await MQTTConsumer.connect(broker.device("pond"))
            try await pond.subscribe(
                ["x", "receipts"].map { MQTTSubscription("aqua/v1/pond/\($0)", retainHandling: .sendAtSubscribe) })
            try await MQTTFleet.with { fleet in
                let ingestor = try await fleet.add(broker.ingestor("receipts"))
                try await fleet.publish(
                    MQTTMessage(topic: "aqua/v1/pond/receipts", payload: Array("receipt".utf8)), as: ingestor)
            }
            let first = try await pond.receive(maximum: 1, patience: .seconds(60))
            #expect(first.map { String(decoding: $0.payload, as: UTF8.self) } == ["receipt"])
            await pond.abandon()
        }
    }

    /// User properties of 64 KB each.
    private static func properties(pairs: Int) -> [UInt8] {
        let pair = [0x26] + RawClient.text("k") + RawClient.text(String(repeating: "v", count: 65_535))
        var length = pair.count * pairs
        var bytes: [UInt8] = []
        repeat {
            bytes.append(UInt8(length & 0x7F) | (length > 0x7F ? 0x80 : 0))
            length >>= 7
        } while length > 0
        for _ in 0..<pairs { bytes += pair }
        return bytes
    }

    @Test func anIngestorsKeySpeaksForNoDevice() async throws {
        try await TestBroker.with(devices: ["pond"]) { broker in
            try await MQTTFleet.with { fleet in
                let ingestor = try await fleet.add(broker.ingestor())
                for subject in ["readings", "status"] {
                    await #expect(throws: MQTTError(.notAuthorized)) {
                        try await fleet.publish(
                            MQTTMessage(topic: "aqua/v1/pond/\(subject)", payload: [1]), as: ingestor)
                    }
                }
                for topic in ["aqua/v1/pond/receipts", "aqua/v1/pond/my/own/place"] {
                    try await fleet.publish(MQTTMessage(topic: topic, payload: [1]), as: ingestor)
                }
            }
        }
    }
}
