import Foundation
import MQTT
import TestSupport
import Testing

/// A probe of Zigbee2MQTT comes through a broker at home, whose bridge has the lines that `aqua device add` prints.
@Suite struct HomeBrokerTests {
    @Test func aBridgeWithThePrintedLinesPassesTheProbeOn() async throws {
        try await Instance.with { instance in
            let added = try await instance.succeed(
                instance.aqua(
                    "device", "add", instance.device, "--firmware", "zigbee2mqtt", "--broker",
                    "localhost:\(instance.broker.tlsPort)", "--json"))
            let home = try await HomeBroker(bridge: added.field("setup"), instance)

            let consumer = try await MQTTConsumer.connect(home.ingestor)
            let root = "aqua/v1/\(instance.device)/zigbee2mqtt"
            try await consumer.subscribe([MQTTSubscription(root), MQTTSubscription("\(root)/availability")])
            let broker = try await home.start()
            let reading = #"{"temperature":24.6,"last_seen":"2026-05-01T14:00:00+02:00"}"#
            try await home.publish(reading, to: "zigbee2mqtt/tank/water")
            try await home.publish("21.5", to: "zigbee2mqtt/lamp")
            try await home.publish(#"{"state":"online"}"#, to: "zigbee2mqtt/tank/water/availability")
            let heard = try await consumer.receive(maximum: 2, linger: .seconds(120), patience: .seconds(120))
            #expect(heard.map(\.topic) == [root, "\(root)/availability"])
            #expect(heard.first.map { String(decoding: $0.payload, as: UTF8.self) } == reading)
            try await consumer.acknowledge()
            try await consumer.disconnect(endSession: true)
            #expect(await broker.stop() == .exit(0))
        }
    }
}

/// A Mosquitto as somebody has it at home.
private struct HomeBroker {
    private static let (user, password) = ("zigbee", "a password at home")

    private let instance: Instance
    private let port = Ports.free()
    private let file: String

    /// - Parameter setup: What `aqua device add` printed.
    init(bridge setup: String, _ instance: Instance) async throws {
        self.instance = instance
        file = instance.file("home.conf")
        let lines = setup.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        guard let start = lines.firstIndex(where: { $0.hasPrefix("connection ") }),
            let end = lines.lastIndex(where: { $0.hasPrefix("topic ") })
        else { throw TestSupportError("no bridge in \(setup)") }
        let bridge = lines[start...end].joined(separator: "\n")
            .replacing("NAME", with: "tank/water").replacing(
                "/etc/mosquitto/ca.pem", with: instance.broker.authorityFile)
        let passwords = instance.file("home-passwords")
        try Instance.write("\(Self.user):\(Self.password)", to: URL(filePath: passwords))
        try await ProcessUnderTest.run("/usr/bin/mosquitto_passwd", ["-U", passwords])
        try Instance.write(
            """
            user root
            listener \(port) 127.0.0.1
            allow_anonymous false
            password_file \(passwords)
            \(bridge)
            """, to: URL(filePath: file))
    }

    /// A session of our own on the service's broker.
    var ingestor: MQTTConfiguration {
        get throws {
            .durable(
                endpoint: try MQTTEndpoint(url: instance.broker.url), clientID: "test-\(UUID().uuidString)",
                credentials: MQTTCredentials(
                    user: TestBroker.ingestor, password: try instance.broker.password(TestBroker.ingestor)), batch: 100)
        }
    }

    func start() async throws -> ProcessUnderTest {
        let broker = try ProcessUnderTest.start("/usr/sbin/mosquitto", ["-c", file])
        try await awaitFact("the broker at home") { Ports.isListening(port) ? true : nil }
        return broker
    }

    func publish(_ payload: String, to topic: String) async throws {
        try await ProcessUnderTest.run(
            "/usr/bin/mosquitto_pub",
            [
                "-h", "127.0.0.1", "-p", "\(port)", "-u", Self.user, "-P", Self.password, "-q", "1", "-t", topic, "-m",
                payload,
            ])
    }
}
