import Foundation
import Glibc

/// A private Mosquitto with the users and rights of production: every client needs a password.
package struct TestBroker: Sendable {
    package static let admin = "aqua_admin"
    package static let ingestor = "aqua_ingestor"

    package let port: Int
    package let tlsPort: Int
    /// The port of the services' own listener, which speaks TLS too.
    package let servicesPort: Int
    /// The certificate of the authority that signed the broker's, for 127.0.0.1 and localhost.
    package let authorityFile: String
    private let secrets: String
    private let servers: Servers

    init(_ servers: Servers) throws {
        port = try servers.port("MQTT_PORT")
        tlsPort = try servers.port("MQTTS_PORT")
        servicesPort = try servers.port("MQTT_SERVICES_PORT")
        authorityFile = try servers.setting("MQTT_CA")
        secrets = try servers.setting("SECRETS")
        self.servers = servers
    }

    /// Starts a broker without a database, and stops it when `body` returns.
    /// - Parameter bounds: `AQUA_BROKER_CONNECTIONS` and `AQUA_QUEUED_MESSAGES`, where the defaults are too large.
    @discardableResult
    package static func with<Result>(
        bounds: [String: String] = [:], _ body: (TestBroker) async throws -> Result
    ) async throws -> Result {
        let servers = try await Servers.start(["--broker-alone"], environment: bounds)
        return try await servers.stopping { try await body(TestBroker(servers)) }
    }

    package var url: String { "mqtt://127.0.0.1:\(port)" }
    package var tlsURL: String { "mqtts://127.0.0.1:\(tlsPort)" }
    package var servicesURL: String { "mqtts://127.0.0.1:\(servicesPort)" }

    package var log: String { "\(servers.directory)/logs/broker.log" }

    /// The maximum number of connected devices.
    package var connectionBound: Int {
        get throws {
            let file = try String(contentsOfFile: "\(servers.directory)/broker/mosquitto.conf", encoding: .utf8)
            let line = file.split(separator: "\n").first { $0.hasPrefix("max_connections ") }
            guard let bound = line?.split(separator: " ").last.flatMap({ Int($0) }) else {
                throw TestSupportError("the broker's configuration bounds no connections")
            }
            return bound
        }
    }

    /// The process id of the broker.
    package func process() throws -> Int32 { try servers.process(of: "mosquitto") }

    /// The password of `admin` or `ingestor`.
    package func passwordFile(_ user: String) -> String { "\(secrets)/mqtt-\(user)" }

    package func password(_ user: String) throws -> String {
        try String(contentsOfFile: passwordFile(user), encoding: .utf8).trimmingCharacters(in: .newlines)
    }

    /// Adds a device's user, without using the code under test.
    /// - Parameter isBound: Whether the account is bound to its client id; earlier versions did not bind it.
    package func addDevice(_ user: String, password: String, isBound: Bool = true) async throws {
        try await control(["createClient", user, "-p", password] + (isBound ? ["-c", user] : []))
        try await control("addClientRole", user, "device")
    }

    /// Adds a user for tests only, who may publish for any device over any number of connections.
    package func addPublisher(_ user: String, password: String) async throws {
        try await control("createRole", user)
        try await control("addRoleACL", user, "publishClientSend", "aqua/v1/#", "allow")
        try await control("createClient", user, "-p", password)
        try await control("addClientRole", user, user)
    }

    /// Adds a user for tests only, with the rights of AquaMonitor and of its listeners on Home Assistant's broker.
    package func addHome(_ user: String, password: String) async throws {
        try await control("createRole", user)
        for prefix in ["homeassistant/#", "aquamonitor/#"] {
            for right in ["publishClientSend", "publishClientReceive", "subscribePattern"] {
                try await control("addRoleACL", user, right, prefix, "allow")
            }
        }
        try await control("createClient", user, "-p", password)
        try await control("addClientRole", user, user)
    }

    /// Publishes one-line payloads in order, without using the code under test. On return, the broker has acknowledged
    /// them.
    package func publish(_ payloads: [String], as user: String, password: String, to topic: String) async throws {
        try await ProcessUnderTest.run(
            "/usr/bin/mosquitto_pub",
            ["-h", "127.0.0.1", "-p", "\(port)", "-i", user, "-u", user, "-P", password, "-q", "1", "-l", "-t", topic],
            input: payloads.joined(separator: "\n") + "\n")
    }

    private func control(_ arguments: String...) async throws { try await control(arguments) }

    private func control(_ arguments: [String]) async throws {
        try await ProcessUnderTest.run(
            "/usr/bin/mosquitto_ctrl",
            ["-h", "127.0.0.1", "-p", "\(port)", "-u", Self.admin, "-P", password(Self.admin), "dynsec"] + arguments)
    }

    /// Stops the broker in order: it saves sessions and queues first.
    package func halt() async throws {
        try await servers.halt(.broker) { Ports.isListening(port) }
    }

    /// Deletes the halted broker's data, as when its machine is replaced; the start makes the services' accounts again.
    /// - Parameter keepsAccounts: Whether the list of accounts was restored.
    package func loseData(keepsAccounts: Bool) throws {
        let directory = "\(servers.directory)/broker"
        try FileManager.default.removeItem(atPath: "\(directory)/data/mosquitto.db")
        if !keepsAccounts { try FileManager.default.removeItem(atPath: "\(directory)/dynamic-security.json") }
    }

    /// Prepares the halted broker for its next start, as the operator of a Mosquitto does: configuration, accounts,
    /// first session.
    /// - Parameters:
    ///   - accounts: The output of `aqua broker refill --offline`.
    ///   - only: Whether accounts of other devices are dropped.
    ///   - servesDevices: Whether devices can reach the broker.
    ///   - fleet: The listener for certificates, and the directory with the authority's certificate and its list.
    package func prepare(
        accounts: String? = nil, only: Bool = false, servesDevices: Bool = true,
        fleet: (port: Int, directory: String)? = nil
    ) async throws {
        let directory = "\(servers.directory)/broker"
        let deploy = Paths.repository.appending(path: "deploy/broker").path(percentEncoded: false)
        let owner = try FileManager.default.attributesOfItem(atPath: "\(directory)/data")[.ownerAccountName] as? String
        var arguments = [
            directory, "--admin-password-file", passwordFile(Self.admin), "--ingestor-password-file",
            passwordFile(Self.ingestor), "--certificate", "\(directory)/tls/broker.pem", "--key",
            "\(directory)/tls/broker.key", "--listen", "127.0.0.1:\(port)", "--services-listen",
            "127.0.0.1:\(servicesPort)", "--tls-listen", "127.0.0.1:\(servesDevices ? tlsPort : Ports.free())", "--log",
            "stderr",
        ]
        if let fleet {
            arguments += [
                "--certificates-listen", "127.0.0.1:\(fleet.port)", "--fleet-authority",
                "\(fleet.directory)/authority.pem", "--revoked", "\(fleet.directory)/revoked.pem",
            ]
        }
        if let owner { arguments += ["--owner", owner] }
        if let accounts {
            let file = "\(servers.directory)/accounts.json"
            try accounts.write(toFile: file, atomically: true, encoding: .utf8)
            arguments += ["--accounts", file] + (only ? ["--only"] : [])
        }
        try await ProcessUnderTest.run("\(deploy)/init", arguments)
        try await ProcessUnderTest.run("\(deploy)/first-session", [directory])
    }

    /// Starts the broker again, on the same ports.
    /// - Parameters:
    ///   - servesDevices: The value given to `prepare`.
    ///   - fleetPort: The port of the listener for certificates, if there is one.
    package func resume(servesDevices: Bool = true, fleetPort: Int? = nil) async throws {
        let ports = [port, servicesPort] + (servesDevices ? [tlsPort] : []) + (fleetPort.map { [$0] } ?? [])
        try await servers.resume(.broker) { ports.allSatisfy { Ports.isListening($0) } }
    }

    /// Gives the broker each new list of revoked certificates while `body` runs, as its container does.
    package func takingRevocations<Result: Sendable>(
        from file: String, _ body: @Sendable @escaping () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    if try await takeRevocations(from: file) == .exit(0) { kill(try process(), SIGHUP) }
                    try? await Task.sleep(for: .milliseconds(50))
                }
                return nil
            }
            group.addTask { try await body() }
            defer { group.cancelAll() }
            while let result = try await group.next() { if let result { return result } }
            throw CancellationError()
        }
    }

    /// Runs `deploy/broker/revocations` once.
    package func takeRevocations(from file: String) async throws -> ProcessUnderTest.End {
        let program = Paths.repository.appending(path: "deploy/broker/revocations").path(percentEncoded: false)
        let run = try ProcessUnderTest.start(program, ["\(servers.directory)/broker", file])
        return await run.end
    }
}
