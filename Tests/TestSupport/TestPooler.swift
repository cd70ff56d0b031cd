import Foundation
import Glibc

/// A PgBouncer in front of a cluster's PostgreSQL, on a port of the loopback interface.
package struct TestPooler: Sendable {
    package enum Mode: String, Sendable { case session, transaction }

    package let port: Int

    /// Runs a pooler for `body`, for the roles of the database.
    package static func with<Result>(
        _ database: TestDatabase, _ mode: Mode, _ body: (TestPooler) async throws -> Result
    ) async throws -> Result {
        // Every user passes through this directory.
        let directory = "/tmp/aqua-test-\(UUID().uuidString.prefix(8).lowercased())"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try ServersUser.own(directory)
        let port = Ports.free()
        let users = try TestDatabase.Role.allCases.map { "\"\($0.rawValue)\" \"\(try database.password($0))\"\n" }
        try write(users.joined(), to: "\(directory)/users.txt")
        try write(
            """
            [databases]
            * = host=127.0.0.1 port=\(database.server.port)
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(port)
            unix_socket_dir =
            auth_type = scram-sha-256
            auth_file = \(directory)/users.txt
            pool_mode = \(mode.rawValue)

            """, to: "\(directory)/pgbouncer.ini")
        let process = try ServersUser.start("/usr/sbin/pgbouncer", ["\(directory)/pgbouncer.ini"])
        do {
            try await process.awaitListening(port)
            let result = try await body(TestPooler(port: port))
            await end(process)
            return result
        } catch {
            await end(process)
            throw TestSupportError("\(error)\n\(process.tail)")
        }
    }

    /// The libpq URL of a database through the pooler, without the password.
    package func url(_ role: TestDatabase.Role, _ database: TestDatabase) -> String {
        "postgresql://\(role.rawValue)@127.0.0.1:\(port)/\(database.name)?connect_timeout=60"
    }

    private static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        try ServersUser.own(path)
    }

    /// Ends the pooler at once: even after SIGTERM it does not wait for its clients.
    private static func end(_ process: ProcessUnderTest) async {
        process.signal(SIGTERM)
        _ = await process.end
    }
}

extension ProcessUnderTest {
    fileprivate func awaitListening(_ port: Int) async throws {
        try await awaitFact("PgBouncer") { Ports.isListening(port) ? true : nil }
    }
}
