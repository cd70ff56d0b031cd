import BrokerControl
import Foundation
import MQTT
import TestSupport
import Testing

@Suite struct SettingsTests {
    @Test(arguments: [
        ("mqtt://localhost:1884", "localhost", 1884, false), ("mqtt://broker", "broker", 1883, false),
        ("mqtts://broker.example/", "broker.example", 8883, true), ("mqtts://[::1]:8884", "::1", 8884, true),
    ])
    func aURLNamesAnEndpoint(url: String, host: String, port: UInt16, isSecure: Bool) throws {
        let endpoint = try MQTTEndpoint(url: url)
        #expect(endpoint == MQTTEndpoint(host: host, port: port, isSecure: isSecure))
        #expect(try MQTTEndpoint(url: endpoint.description) == endpoint)
    }

    @Test(arguments: [
        "localhost:1883", "http://localhost", "mqtt://", "mqtt://:1883", "mqtt://host:0", "mqtt://host:65536",
        "mqtt://host:port", "mqtt://host/path", "mqtt://host?x=1",
    ])
    func anythingElseIsRefusedWithASentence(url: String) {
        let error = #expect(throws: MQTTError(.invalidConfiguration)) { try MQTTEndpoint(url: url) }
        #expect(error?.description.contains("MQTT URL") == true)
    }

    @Test func aURLWithAPasswordIsRefusedAndNotRepeated() {
        let error = #expect(throws: MQTTError(.invalidConfiguration)) {
            try MQTTEndpoint(url: "mqtt://user:hunter2@host")
        }
        #expect(error?.debugDescription.contains("hunter2") == false)
    }

    @Test func printingCredentialsHidesThePassword() {
        let configuration = MQTTConfiguration(
            endpoint: MQTTEndpoint(host: "h", port: 1), clientID: "c",
            credentials: MQTTCredentials(user: "u", password: "hunter2"))
        var dumped = ""
        dump(configuration, to: &dumped)
        #expect(!"\(configuration)\(dumped)\(String(reflecting: configuration))".contains("hunter2"))
        let command = DynamicSecurity.Command.createClient("u", password: "hunter2", roles: [])
        dump(command, to: &dumped)
        #expect(!"\(command)\(dumped)\(String(reflecting: command))".contains("hunter2"))
    }

    /// The effective expiry is the shorter of the client's request and the broker's limit.
    @Test func theIngestorsSessionWaitsForMonths() throws {
        let asked = MQTTConfiguration.durable(
            endpoint: MQTTEndpoint(host: "h", port: 1), clientID: "c", credentials: nil, batch: 1
        ).sessionExpiry
        let file = Paths.repository.appending(path: "deploy/broker/mosquitto.conf")
        let text = try String(contentsOf: file, encoding: .utf8)
        let granted = text.firstMatch(of: /persistent_client_expiration ([0-9]+)d/).flatMap { UInt32($0.output.1) }
        #expect(asked >= 90 * 86_400)
        #expect((granted ?? 0) * 86_400 >= asked)
    }
}
