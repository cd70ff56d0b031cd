import Foundation
import MQTT
import TestSupport
import Testing

/// Probes of Zigbee2MQTT and of a first-generation Shelly arrive through a broker at home, whose bridge has the lines
/// that `aqua device add` prints.
@Suite struct HomeBrokerTests {
    @Test func aBridgeWithThePrintedLinesPassesTheProbeOn() async throws {
        try await Instance.with { instance in
            let added = try await instance.succeed(
                instance.aqua(
                    "device", "add", instance.device, "--firmware", "zigbee2mqtt", "--broker",
                    "localhost:\(instance.broker.tlsPort)", "--json"))
            let home = try await HomeBroker(bridge: added.field("setup"), of: "tank/water", instance)

            let consumer = try await MQTTConsumer.connect(home.ingestor)
            let root = "aqua/v1/\(instance.device)/zigbee2mqtt"
            try await consumer.subscribe([MQTTSubscription(root), MQTTSubscription("\(root)/availability")])
            let broker = try await home.start()
            let reading = #"{"temperature":24.6,"last_seen":"2026-05-01T14:00:00+02:00"}"#
            try await home.publish(reading, to: "zigbee2mqtt/tank/water")
            try await home.publish("21.5", to: "zigbee2mqtt/lamp")
            try await home.publish(#"{"state":"online"}"#, to: "zigbee2mqtt/tank/water/availability")
            let heard = try await consumer.receive(maximum: 3, linger: .seconds(120), patience: .seconds(120))
            #expect(heard.map(\.topic) == [root, "\(root)/availability"])
            #expect(heard.first.map { String(decoding: $0.payload, as: UTF8.self) } == reading)
            try await consumer.acknowledge()
            try await consumer.disconnect(endSession: true)
            #expect(await broker.stop() == .exit(0))
        }
    }

    @Test func aBridgeWithThePrintedLinesPassesAShellysProbesOn() async throws {
        try await Instance.with { instance in
            let added = try await instance.succeed(
                instance.aqua(
                    "device", "add", instance.device, "--firmware", "shelly-gen1", "--broker",
                    "localhost:\(instance.broker.tlsPort)", "--json"))
            let shelly = "shelly1-A4CF12F3A1B2"
            let home = try await HomeBroker(bridge: added.field("setup"), of: shelly, instance)

            let consumer = try await MQTTConsumer.connect(home.ingestor)
            let root = "aqua/v1/\(instance.device)/shelly"
            try await consumer.subscribe([
                MQTTSubscription("\(root)/ext_temperatures"), MQTTSubscription("\(root)/online"),
                MQTTSubscription("\(root)/info"),
            ])
            let broker = try await home.start()
            let info = #"{"wifi_sta":{"rssi":-61},"uptime":2268}"#
            let reading = #"{"0":{"hwID":"28FF641E8216031D","tC":22.5,"tF":72.5}}"#
            for (subject, payload) in [
                ("online", "true"), ("relay/0", "on"), ("ext_temperature/0", "22.50"), ("ext_temperatures", reading),
                ("info", info),
            ] { try await home.publish(payload, to: "shellies/\(shelly)/\(subject)") }
            let heard = try await consumer.receive(maximum: 3, linger: .seconds(120), patience: .seconds(120))
            #expect(heard.map(\.topic) == ["\(root)/online", "\(root)/ext_temperatures", "\(root)/info"])
            #expect(heard.map { String(decoding: $0.payload, as: UTF8.self) } == ["true", reading, info])
            try await consumer.acknowledge()
            try await consumer.disconnect(endSession: true)
            #expect(await broker.stop() == .exit(0))
        }
    }

    /// Messages of the printed script arrive with the printed settings, over the connection of a Shelly: TLS, with MQTT
    /// 3.1.1.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: ShellyScript.program), "no deno"))
    func aShellyWithThePrintedSettingsAndScriptIsHeard() async throws {
        try await Instance.with { instance in
            let added = try await instance.succeed(
                instance.aqua(
                    "device", "add", instance.device, "--firmware", "shelly", "--broker",
                    "localhost:\(instance.broker.tlsPort)", "--json"))
            let setup = try added.field("setup")
            func entry(_ name: String) throws -> String {
                let lines = setup.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                let line = try #require(lines.first { $0.hasPrefix("\(name)  ") })
                return line.dropFirst(name.count).trimmingCharacters(in: .whitespaces)
            }
            let published = try await ShellyScript.run(setup)
            #expect(published.topic == "\(try entry("MQTT prefix"))/events/rpc")
            #expect(
                published.message
                    == #"{"method":"NotifyFullStatus","params":{"ts":1777636800,"wifi":{"rssi":-61},"sys":{"ver":"1.4.4","uptime":3600,"reset_reason":1},"temperature:100":{"id":100,"tC":23.4},"temperature:107":{"id":107,"tC":null,"errors":["read"]}}}"#
            )
            let consumer = try await MQTTConsumer.connect(
                MQTTConfiguration(
                    endpoint: try MQTTEndpoint(url: instance.broker.url), clientID: "test-\(UUID().uuidString)",
                    credentials: MQTTCredentials(
                        user: TestBroker.ingestor, password: try instance.broker.password(TestBroker.ingestor))))
            try await consumer.subscribe([MQTTSubscription("aqua/v1/+/shelly/events/rpc")])
            let server = try entry("Server").split(separator: ":")
            try await ProcessUnderTest.run(
                "/usr/bin/mosquitto_pub",
                [
                    "-V", "mqttv311", "-h", String(server[0]), "-p", String(server[1]), "--cafile",
                    instance.broker.authorityFile, "-i", try entry("Client ID"), "-u", try entry("Username"), "-P",
                    try entry("Password"), "-q", "1", "-t", published.topic, "-m", published.message,
                ])
            let heard = try await consumer.receive(maximum: 1, patience: .seconds(120))
            #expect(heard.map(\.topic) == ["aqua/v1/\(instance.device)/shelly/events/rpc"])
            #expect(heard.first.map { String(decoding: $0.payload, as: UTF8.self) } == published.message)
            await consumer.abandon()
        }
    }
}

/// Runs the printed script with a stand-in for a Shelly's script interface.
private enum ShellyScript {
    static let program = URL(filePath: Paths.python).deletingLastPathComponent().appending(path: "deno").path(
        percentEncoded: false)

    /// - Returns: The message that it publishes in its first minute.
    static func run(_ setup: String) async throws -> (topic: String, message: String) {
        let lines = setup.split(separator: "\n")
        guard let start = lines.firstIndex(where: { $0.contains("Timer.set(") }),
            let end = lines.firstIndex(where: { $0.hasSuffix("});") && !$0.contains("JSON") })
        else { throw TestSupportError("no script in \(setup)") }
        let device = """
            const status = {
              sys: { unixtime: 1777636800, uptime: 3600, reset_reason: 1 }, wifi: { rssi: -61 }, "temperature:0": { id: 0, tC: 48.3 }, "temperature:100": { id: 100, tC: 23.4 },
              "temperature:107": { id: 107, tC: null, errors: ["read"] },
            };
            const Shelly = { getComponentStatus: (key) => status[key] ?? null, getDeviceInfo: () => ({ ver: "1.4.4" }) };
            const Timer = { set: (period, repeats, body) => { if (period === 60000 && repeats) body(); } };
            const MQTT = {
              isConnected: () => true,
              publish: (topic, message, qos, retain) => { if (qos === 1 && !retain) console.log(topic + "\\n" + message); },
            };
            """
        let script = lines[start...end].joined(separator: "\n")
        let output = try await ProcessUnderTest.run(program, ["eval", "--quiet", "\(device)\n\(script)"])
        let said = output.split(separator: "\n", maxSplits: 1)
        guard said.count == 2 else { throw TestSupportError("the script published nothing") }
        return (String(said[0]), String(said[1]))
    }
}

/// A Mosquitto as people have it at home.
private struct HomeBroker {
    private static let (user, password) = ("zigbee", "a password at home")

    private let instance: Instance
    private let port = Ports.free()
    private let file: String

    /// - Parameters:
    ///   - setup: The lines that `aqua device add` printed.
    ///   - name: The probe's name at home.
    init(bridge setup: String, of name: String, _ instance: Instance) async throws {
        self.instance = instance
        file = instance.file("home.conf")
        let lines = setup.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        guard let start = lines.firstIndex(where: { $0.hasPrefix("connection ") }),
            let end = lines.lastIndex(where: { $0.hasPrefix("topic ") })
        else { throw TestSupportError("no bridge in \(setup)") }
        let bridge = lines[start...end].joined(separator: "\n")
            .replacing("NAME", with: name).replacing(
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

    /// A session of the test's own at the service's broker.
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
