import Foundation

/// A private PostgreSQL and a private Mosquitto for tests, as `deploy/servers` makes them: the same set-up as in operation,
/// except that nothing waits for the disk unless asked for. They end with this process, of whatever cause it ends.
package struct TestCluster: Sendable {
    package let database: DatabaseServer
    package let broker: TestBroker
    private let directory: String
    private let process: ProcessUnderTest

    /// One for all tests of this process. Tests that stop a server, or that run an Ingestor, want one of their own.
    package static var shared: TestCluster { get async throws { try await starting.value } }
    private static let starting = Task { try await start() }

    package enum Server: String, Sendable { case database, broker }

    /// What a commit means.
    package enum Durability: Sendable {
        /// Nothing waits for the disk.
        case none
        /// As in operation: what is committed is on the disk.
        case full

        /// `/tmp` is memory on some machines, where waiting for the disk costs nothing.
        fileprivate var parent: String { self == .full ? "/var/tmp" : "/tmp" }
        fileprivate var options: [String] { self == .full ? [] : ["--fast"] }
    }

    /// Starts one of its own, stopped when `body` returns.
    package static func with<Result>(
        _ durability: Durability = .none, _ body: (TestCluster) async throws -> Result
    ) async throws -> Result {
        let cluster = try await start(durability)
        do {
            let result = try await body(cluster)
            await cluster.stop()
            return result
        } catch {
            await cluster.stop()
            throw error
        }
    }

    private static func start(_ durability: Durability = .none) async throws -> TestCluster {
        for _ in 0..<4 {
            do { return try await startOnce(durability) } catch is PortTaken {}
        }
        return try await startOnce(durability)
    }

    /// Another process took a port between our choice and the server's bind; with other ports it can succeed.
    private struct PortTaken: Error, CustomStringConvertible { let description: String }

    private static func startOnce(_ durability: Durability) async throws -> TestCluster {
        let directory = "\(durability.parent)/aqua-test-\(UUID().uuidString.prefix(8).lowercased())"
        let process = try ProcessUnderTest.startHoldingInput(
            command, ["run", directory, "--temporary"] + durability.options,
            environment: Dictionary(
                uniqueKeysWithValues: ["DATABASE", "MQTT", "MQTTS"].map { ("AQUA_PORT_\($0)", "\(Ports.free())") }))
        do {
            // A server that ends is started again and again; its first end is reason enough to look why.
            let line = try await process.line { $0 == "ready" || $0.contains(" ended (status ") }
            guard line == "ready" else { throw TestSupportError("\(process.tail)\n\(logs(in: directory))") }
            return try TestCluster(directory: directory, process: process)
        } catch {
            await process.stop(within: .seconds(60))
            // "Address already in use" of a server, "is in use by another program" of the script.
            guard "\(error)".contains("in use") else { throw error }
            throw PortTaken(description: "\(error)")
        }
    }

    private static func logs(in directory: String) -> String {
        ["database", "broker"].map { server in
            (try? String(contentsOfFile: "\(directory)/logs/\(server).log", encoding: .utf8)) ?? ""
        }.joined(separator: "\n")
    }

    private static let command = Paths.repository.appending(path: "deploy/servers").path(percentEncoded: false)

    private init(directory: String, process: ProcessUnderTest) throws {
        let text = try String(contentsOfFile: "\(directory)/servers.env", encoding: .utf8)
        var settings: [Substring: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            settings[parts[0]] = parts.count == 2 ? String(parts[1]) : ""
        }
        func setting(_ name: Substring) throws -> String {
            guard let value = settings["AQUA_SERVERS_\(name)"] else {
                throw TestSupportError("deploy/servers did not say AQUA_SERVERS_\(name)")
            }
            return value
        }
        func port(_ name: Substring) throws -> Int {
            guard let port = Int(try setting(name)) else { throw TestSupportError("\(name) is no number") }
            return port
        }
        let secrets = try setting("SECRETS")
        self.directory = directory
        self.process = process
        database = DatabaseServer(
            programs: try setting("POSTGRES_BIN"), socketDirectory: try setting("DATABASE_SOCKETS"),
            port: try port("DATABASE_PORT"), secrets: secrets)
        broker = TestBroker(
            port: try port("MQTT_PORT"), tlsPort: try port("MQTTS_PORT"), authorityFile: try setting("MQTT_CA"),
            secrets: secrets)
    }

    /// Stops a server in its orderly way; its data stay.
    package func halt(_ server: Server) async throws {
        try await ProcessUnderTest.run(Self.command, ["halt", directory, server.rawValue])
        try await awaitFact("the end of the \(server)") { await reachable(server) ? nil : true }
    }

    /// Starts it again, on the same port.
    package func resume(_ server: Server) async throws {
        try await ProcessUnderTest.run(Self.command, ["resume", directory, server.rawValue])
        try await awaitFact("the \(server)") { await reachable(server) ? true : nil }
    }

    private func reachable(_ server: Server) async -> Bool {
        switch server {
        case .database: await database.isReady
        case .broker: Ports.isListening(broker.port)
        }
    }

    private func stop() async { await process.stop(within: .seconds(60)) }
}
