import Foundation
import Glibc

/// A streaming standby of a cluster's PostgreSQL, on a port of the loopback interface. It ends with this process.
package struct TestStandby: Sendable {
    package let port: Int
    /// The standby's name at the primary.
    package static let name = "standby"
    private let primary: DatabaseServer
    private let data: String
    private let process: ProcessUnderTest

    /// Copies the cluster's databases and follows the primary while `body` runs.
    ///
    /// Commits wait for the standby only in a cluster of `Durability.full`. At the end, the primary stops waiting, so
    /// that its databases can be dropped.
    /// - Parameter isSynchronous: Whether the primary's commits wait for this standby.
    package static func with<Result>(
        of cluster: TestCluster, isSynchronous: Bool = false, _ body: (TestStandby) async throws -> Result
    ) async throws -> Result {
        let standby = try await start(cluster.database, in: "\(cluster.directory)/standby")
        do {
            if isSynchronous { try await standby.makeSynchronous() }
            let result = try await body(standby)
            await standby.end()
            return result
        } catch {
            await standby.end()
            throw error
        }
    }

    private static func start(_ primary: DatabaseServer, in data: String) async throws -> TestStandby {
        let environment = ["PGPASSWORD": try primary.password(.superuser)]
        try await ServersUser.run(
            "\(primary.programs)/pg_basebackup",
            [
                "--pgdata=\(data)", "--wal-method=stream", "--checkpoint=fast", "--no-sync", "--write-recovery-conf",
                "--dbname=host=127.0.0.1 port=\(primary.port) user=postgres application_name=\(name)",
            ], environment: environment)
        let port = Ports.free()
        let settings = [
            "port=\(port)", "listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off",
            // A limit below the primary's would keep the standby from following.
            "max_connections=300", "shared_buffers=32MB",
        ]
        let process = try ServersUser.start(
            "\(primary.programs)/postgres", ["-D", data] + settings.flatMap { ["-c", $0] }, environment: environment)
        let standby = TestStandby(port: port, primary: primary, data: data, process: process)
        do {
            try await awaitFact("the standby") {
                try? await standby.sql("SELECT pg_is_in_recovery()") == "t" ? true : nil
            }
            try await standby.awaitStreaming()
        } catch {
            await standby.end()
            throw TestSupportError("\(error)\n\(process.tail)")
        }
        return standby
    }

    /// Waits until the standby follows the primary.
    package func awaitStreaming() async throws {
        try await awaitFact("the standby's stream") { [primary] in
            try await primary.sql(
                "SELECT count(*) FROM pg_stat_replication WHERE application_name = '\(Self.name)' AND state = 'streaming'"
            )
                == "1" ? true : nil
        }
    }

    /// Makes the primary's commits wait for this standby, whether or not it runs.
    package func makeSynchronous() async throws {
        try await primary.sql(
            "ALTER SYSTEM SET synchronous_standby_names = '\(Self.name)'; SELECT pg_reload_conf();")
        try await awaitFact("the synchronous standby") { [primary] in
            try await primary.sql("SELECT current_setting('synchronous_standby_names')") == Self.name ? true : nil
        }
    }

    /// Promotes the standby to a primary on the next timeline. The old primary goes on as well.
    package func promote() async throws {
        guard try await sql("SELECT pg_promote(true, 120)") == "t" else {
            throw TestSupportError("The standby was not promoted\n\(process.tail)")
        }
    }

    /// Ends the standby at once, as a power failure does.
    package func crash() async {
        process.signal(SIGQUIT)
        _ = await process.end
    }

    /// Stops all processes of the standby where they are. The kernel still accepts connections.
    package func freeze() { signalAll(SIGSTOP) }

    /// Continues the frozen processes.
    package func thaw() { signalAll(SIGCONT) }

    /// Signals the postmaster first, so that it starts no other process meanwhile.
    private func signalAll(_ number: Int32) {
        process.signal(number)
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        for child in entries.compactMap(pid_t.init) {
            // "pid (name) state parent ..."
            let stat = (try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)) ?? ""
            let fields = stat.split(separator: " ")
            if fields.count > 3, fields[1] == "(postgres)", fields[3] == "\(process.pid)" { kill(child, number) }
        }
    }

    private func end() async {
        thaw()
        _ = try? await primary.sql("ALTER SYSTEM RESET synchronous_standby_names; SELECT pg_reload_conf();")
        await crash()
        try? FileManager.default.removeItem(atPath: data)
    }

    // MARK: Addresses

    /// Hosts and ports of both servers, as in a URL.
    package func hosts(standbyFirst: Bool = false) -> String {
        let both = ["127.0.0.1:\(primary.port)", "127.0.0.1:\(port)"]
        return (standbyFirst ? both.reversed() : both).joined(separator: ",")
    }

    /// The libpq URL of a database on both servers, or on those of `hosts`, without the password.
    package func url(_ role: TestDatabase.Role, _ database: TestDatabase, hosts: String? = nil) -> String {
        "postgresql://\(role.rawValue)@\(hosts ?? self.hosts())/\(database.name)?connect_timeout=60"
    }

    /// Runs statements as the superuser on the standby.
    /// - Returns: The rows, columns separated by `|`.
    @discardableResult
    package func sql(_ statements: String, in database: String = "postgres") async throws -> String {
        try await ProcessUnderTest.run(
            "\(primary.programs)/psql",
            [
                "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1", "--host=127.0.0.1",
                "--port=\(port)", "--username=postgres", "--dbname=\(database)",
            ], environment: ["PGPASSWORD": try primary.password(.superuser)], input: statements)
    }
}
