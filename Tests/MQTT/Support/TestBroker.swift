import Foundation
import Glibc
import MQTT
import TestSupport

/// A private Mosquitto with the rules of `deploy/broker`, on free loopback ports, below a temporary directory.
///
/// It ends with `body`; should the test process die, the pipe to its wrapper closes and the wrapper ends it.
actor TestBroker {
    nonisolated let endpoint: MQTTEndpoint
    nonisolated let secureEndpoint: MQTTEndpoint
    nonisolated let certificateAuthorityFile: String
    private let directory: URL
    private var wrapper: Wrapper?

    private static let ingestorPassword = "ingestor-of-the-tests"
    private static let adminPassword = "administrator-of-the-tests"
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Starts a broker, runs `body`, stops the broker and removes its directory.
    @discardableResult
    static func with<Result: Sendable>(
        devices: [String] = [], queuedMessages: Int = 100_000,
        _ body: @Sendable (TestBroker) async throws -> Result
    ) async throws -> Result {
        let broker = try await TestBroker(queuedMessages: queuedMessages)
        try await broker.start()
        do {
            if !devices.isEmpty { try await broker.add(devices) }
            let result = try await body(broker)
            await broker.end()
            return result
        } catch {
            await broker.end()
            throw error
        }
    }

    private init(queuedMessages: Int) async throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "aqua-broker-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let (plain, secure) = (UInt16(Ports.free()), UInt16(Ports.free()))
        endpoint = MQTTEndpoint(host: "127.0.0.1", port: plain)
        secureEndpoint = MQTTEndpoint(host: "localhost", port: secure, isSecure: true)
        certificateAuthorityFile = directory.appending(path: "tls/ca.pem").path
        let scripts = Self.repository.appending(path: "deploy/broker")
        try await run(
            scripts.appending(path: "certificates").path, directory.appending(path: "tls").path, "localhost",
            "127.0.0.1")
        let secrets = [("ingestor", Self.ingestorPassword), ("admin", Self.adminPassword)].map { name, secret in
            let file = directory.appending(path: name).path
            // The process that reads it reports a file that could not be made.
            _ = FileManager.default.createFile(
                atPath: file, contents: Data(secret.utf8), attributes: [.posixPermissions: 0o600])
            return file
        }
        let broker = directory.appending(path: "broker").path
        try await run(
            scripts.appending(path: "init").path, broker, "--ingestor-password-file", secrets[0],
            "--admin-password-file", secrets[1], "--certificate", directory.appending(path: "tls/broker.pem").path,
            "--key", directory.appending(path: "tls/broker.key").path, "--listen", "127.0.0.1:\(plain)",
            "--tls-listen", "127.0.0.1:\(secure)", "--queued-messages", "\(queuedMessages)",
            "--log", "file \(broker)/log")
        // The broker does not stay root, so its files change hands.
        if geteuid() == 0 { try await run("chown", "-R", "nobody", directory.path) }
    }

    // MARK: Clients

    nonisolated func ingestor(
        _ clientID: String = "ingestor-1", batch: UInt16 = 1000, secure: Bool = false
    ) -> MQTTConfiguration {
        .durable(
            endpoint: secure ? secureEndpoint : endpoint, clientID: clientID,
            credentials: MQTTCredentials(user: "aqua_ingestor", password: Self.ingestorPassword),
            certificateAuthorityFile: secure ? certificateAuthorityFile : nil, batch: batch)
    }

    nonisolated var administrator: MQTTConfiguration {
        MQTTConfiguration(
            endpoint: endpoint, clientID: "admin-\(UUID().uuidString)",
            credentials: MQTTCredentials(user: "aqua_admin", password: Self.adminPassword))
    }

    nonisolated func device(_ id: String, secure: Bool = false) -> MQTTConfiguration {
        MQTTConfiguration(
            endpoint: secure ? secureEndpoint : endpoint, clientID: "device-\(id)",
            credentials: MQTTCredentials(user: id, password: Self.password(of: id)),
            certificateAuthorityFile: secure ? certificateAuthorityFile : nil)
    }

    nonisolated func add(_ devices: [String]) async throws {
        try await DynamicSecurity.with(administrator) { security in
            try await security.ensureClients(devices.map { ($0, Self.password(of: $0)) })
        }
    }

    static func password(of device: String) -> String { "the key of \(device)" }

    // MARK: Process

    func start() async throws {
        let command = ["/usr/sbin/mosquitto", "-c", directory.appending(path: "broker/mosquitto.conf").path]
        wrapper = try Wrapper(geteuid() == 0 ? ["setpriv", "--reuid", "nobody", "--clear-groups"] + command : command)
        for _ in 0..<2000 {
            if accepts(port: endpoint.port) && accepts(port: secureEndpoint.port) { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw BrokerFailure(what: "mosquitto does not listen: \(log)")
    }

    /// Stops the process; a broker that is not killed saves its sessions and queues first.
    func stop(killing: Bool = false) async {
        await wrapper?.stop(killing: killing)
        wrapper = nil
    }

    nonisolated var log: String {
        (try? String(contentsOf: directory.appending(path: "broker/log"), encoding: .utf8)) ?? ""
    }

    private func end() async {
        await stop()
        try? FileManager.default.removeItem(at: directory)
    }
}

struct BrokerFailure: Error, CustomStringConvertible {
    let what: String
    var description: String { what }
}

/// Runs a program to its end.
private func run(_ command: String...) async throws { try await run(command) }

private func run(_ command: [String]) async throws {
    let status = await (try ChildProcess(command)).finish()
    guard status == 0 else { throw BrokerFailure(what: "\(command[0]) ended with \(status)") }
}

/// A shell that holds the broker and ends it when told, or when the pipe from this process closes.
private struct Wrapper {
    private let shell: ChildProcess
    private let broker: pid_t

    init(_ command: [String]) throws {
        shell = try ChildProcess(
            ["/bin/bash", "-c", #""$@" >&2 & echo $!; read -r _; kill $! 2>/dev/null; wait $!"#, "broker"] + command)
        guard let number = pid_t(shell.readOutput().prefix { $0.isNumber }) else {
            throw BrokerFailure(what: "the broker's process has no number")
        }
        broker = number
    }

    func stop(killing: Bool) async {
        if killing { kill(broker, SIGKILL) }
        _ = await shell.finish()
    }
}
