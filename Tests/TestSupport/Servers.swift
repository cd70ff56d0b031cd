import Foundation
import Glibc

/// `deploy/servers`, run for tests. It ends with this process, even when the process crashes.
struct Servers: Sendable {
    let directory: String
    let process: ProcessUnderTest
    private let settings: [Substring: String]

    /// An initial database and secrets, made once and copied.
    private static let template = Task {
        let directory = newDirectory(in: memory)
        let process = try ProcessUnderTest.startHoldingInput(command, ["prepare", directory, "--temporary"])
        try await process.line { $0 == "ready" }
        return (directory: directory, process: process)
    }

    /// The fastest place for files: a file system in memory, if there is one. Tests create and drop a hundred
    /// databases, with a few hundred MB at a time.
    static let memory = {
        var shared = statvfs()
        let isRoomy = statvfs("/dev/shm", &shared) == 0 && UInt(shared.f_bavail) * shared.f_frsize > 4 << 30
        return isRoomy ? "/dev/shm" : "/tmp"
    }()

    private static func newDirectory(in parent: String) -> String {
        "\(parent)/aqua-test-\(UUID().uuidString.prefix(8).lowercased())"
    }

    private static let command = Paths.repository.appending(path: "deploy/servers").path(percentEncoded: false)

    /// - Parameter parent: The parent of the directory with all data of the servers.
    static func start(
        _ options: [String] = [], environment: [String: String] = [:], in parent: String = memory,
        choosePort: () -> Int = Ports.free
    ) async throws -> Servers {
        for _ in 0..<4 {
            do { return try await startOnce(options, environment, parent, choosePort) } catch is PortTaken {}
        }
        return try await startOnce(options, environment, parent, choosePort)
    }

    /// Another process took a port between the choice and the server's bind; a start with other ports can succeed.
    private struct PortTaken: Error, CustomStringConvertible { let description: String }

    private static func startOnce(
        _ options: [String], _ environment: [String: String], _ parent: String, _ choosePort: () -> Int
    ) async throws -> Servers {
        let directory = newDirectory(in: parent)
        let ports = ["DATABASE", "MQTT", "MQTT_SERVICES", "MQTTS"].map { ("AQUA_PORT_\($0)", "\(choosePort())") }
        let process = try ProcessUnderTest.startHoldingInput(
            command, ["run", directory, "--temporary", "--from", try await template.value.directory] + options,
            environment: Dictionary(uniqueKeysWithValues: ports).merging(environment) { $1 })
        do {
            // The supervisor restarts a server that ends; already the first end is reported.
            let line = try await process.line { $0 == "ready" || $0.contains(" ended (status ") }
            guard line == "ready" else { throw TestSupportError("\(process.tail)\n\(logTails(in: directory))") }
            return try Servers(directory: directory, process: process)
        } catch {
            await process.stop(within: .seconds(60))
            // Servers say "Address already in use", the script "is in use by another program".
            guard "\(error)".contains("in use") else { throw error }
            throw PortTaken(description: "\(error)")
        }
    }

    private init(directory: String, process: ProcessUnderTest) throws {
        let text = try String(contentsOfFile: "\(directory)/servers.env", encoding: .utf8)
        var settings: [Substring: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            settings[parts[0]] = parts.count == 2 ? String(parts[1]) : ""
        }
        self.directory = directory
        self.process = process
        self.settings = settings
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

    /// The process with this name whose working directory is the servers'.
    func process(of name: String) throws -> Int32 {
        for entry in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
            guard let pid = Int32(entry),
                let command = try? String(contentsOfFile: "/proc/\(pid)/cmdline", encoding: .utf8),
                command.hasPrefix(name) || command.split(separator: "\0").first?.hasSuffix("/\(name)") == true,
                command.contains(directory)
            else { continue }
            return pid
        }
        throw TestSupportError("\(name) does not run in \(directory)")
    }

    /// Runs `body` and then stops the servers.
    func stopping<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            let result = try await body()
            await stop()
            return result
        } catch {
            await stop()
            throw error
        }
    }

    private func stop() async { await process.stop(within: .seconds(60)) }

    /// Stops a server in order; its data stay.
    func halt(_ server: TestCluster.Server, isReachable: @Sendable @escaping () async -> Bool) async throws {
        try await ProcessUnderTest.run(Self.command, ["halt", directory, server.rawValue])
        try await awaitFact("the end of the \(server)", of: server) { await isReachable() ? nil : true }
    }

    /// Starts a stopped server again, on the same port.
    func resume(_ server: TestCluster.Server, isReachable: @Sendable @escaping () async -> Bool) async throws {
        try await ProcessUnderTest.run(Self.command, ["resume", directory, server.rawValue])
        try await awaitFact("the \(server)", of: server) { await isReachable() ? true : nil }
    }
}
