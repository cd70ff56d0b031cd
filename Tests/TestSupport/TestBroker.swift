import Foundation

/// A private Mosquitto: users and rights are those of operation, nobody connects without a password.
package struct TestBroker: Sendable {
    package static let admin = "aqua_admin"
    package static let ingestor = "aqua_ingestor"

    package let port: Int
    package let tlsPort: Int
    /// The certificate of the authority that signed the broker's, for 127.0.0.1 and localhost.
    package let authorityFile: String
    private let secrets: String
    private let servers: Servers

    init(_ servers: Servers) throws {
        port = try servers.port("MQTT_PORT")
        tlsPort = try servers.port("MQTTS_PORT")
        authorityFile = try servers.setting("MQTT_CA")
        secrets = try servers.setting("SECRETS")
        self.servers = servers
    }

    /// Starts one without a database, stopped when `body` returns.
    @discardableResult
    package static func with<Result>(_ body: (TestBroker) async throws -> Result) async throws -> Result {
        let servers = try await Servers.start(["--broker-alone"])
        return try await servers.stopping { try await body(TestBroker(servers)) }
    }

    package var url: String { "mqtt://127.0.0.1:\(port)" }
    package var tlsURL: String { "mqtts://127.0.0.1:\(tlsPort)" }

    /// Of `admin` or `ingestor`.
    package func passwordFile(_ user: String) -> String { "\(secrets)/mqtt-\(user)" }

    package func password(_ user: String) throws -> String {
        try String(contentsOfFile: passwordFile(user), encoding: .utf8).trimmingCharacters(in: .newlines)
    }

    /// Adds a device's user without the code under test.
    package func addDevice(_ user: String, password: String) async throws {
        try await control("createClient", user, "-p", password)
        try await control("addClientRole", user, "device")
    }

    /// Adds a user who may publish what any device says.
    package func addPublisher(_ user: String, password: String) async throws {
        try await control("createRole", user)
        try await control("addRoleACL", user, "publishClientSend", "aqua/v1/#", "allow")
        try await control("createClient", user, "-p", password)
        try await control("addClientRole", user, user)
    }

    /// Publishes payloads of one line, in order, without the code under test; they are the broker's when this returns.
    package func publish(_ payloads: [String], as user: String, password: String, to topic: String) async throws {
        try await ProcessUnderTest.run(
            "/usr/bin/mosquitto_pub",
            ["-h", "127.0.0.1", "-p", "\(port)", "-u", user, "-P", password, "-q", "1", "-l", "-t", topic],
            input: payloads.joined(separator: "\n") + "\n")
    }

    private func control(_ arguments: String...) async throws {
        try await ProcessUnderTest.run(
            "/usr/bin/mosquitto_ctrl",
            ["-h", "127.0.0.1", "-p", "\(port)", "-u", Self.admin, "-P", password(Self.admin), "dynsec"] + arguments)
    }

    /// Stops it in its orderly way: it saves sessions and queues first.
    package func halt() async throws {
        try await servers.halt(.broker) { Ports.isListening(port) }
    }

    /// Starts it again, on the same ports.
    package func resume() async throws {
        try await servers.resume(.broker) { Ports.isListening(port) && Ports.isListening(tlsPort) }
    }
}
