import Foundation
import Glibc

extension TestCluster {
    /// PostgreSQL's data directory.
    package var databaseDirectory: String { "\(directory)/database" }

    /// Crashes a server: PostgreSQL by an immediate stop, the broker by SIGKILL. The supervisor restarts the server
    /// after a second.
    /// - Returns: The id of the ended process.
    @discardableResult
    package func crash(_ server: Server) throws -> Int32 {
        let supervisor = try servers.supervisor(of: server)
        // Resets the supervisor's count of recent restarts.
        kill(supervisor, SIGUSR1)
        guard let process = Self.child(of: supervisor, named: Self.program(of: server)) else {
            throw TestSupportError("The \(server) does not run")
        }
        kill(process, server == .database ? SIGQUIT : SIGKILL)
        return process
    }

    /// Whether a crashed server listens again, as a new process.
    package func isBack(_ server: Server, after crashed: Int32) throws -> Bool {
        guard let process = Self.child(of: try servers.supervisor(of: server), named: Self.program(of: server)) else {
            return false
        }
        return process != crashed && Ports.isListening(server == .database ? database.port : broker.port)
    }

    /// Freezes the broker while `body` runs: its connections stay open, and nothing on them is answered.
    package func whileBrokerIsFrozen<Result>(_ body: () async throws -> Result) async throws -> Result {
        guard let process = Self.child(of: try servers.supervisor(of: .broker), named: "mosquitto") else {
            throw TestSupportError("The broker does not run")
        }
        kill(process, SIGSTOP)
        defer { kill(process, SIGCONT) }
        return try await body()
    }

    private static func program(of server: Server) -> String { server == .database ? "postgres" : "mosquitto" }

    /// Makes the broker save its state, as it does periodically.
    package func saveBroker() throws {
        guard let process = Self.child(of: try servers.supervisor(of: .broker), named: "mosquitto") else {
            throw TestSupportError("The broker does not run")
        }
        kill(process, SIGUSR1)
    }

    /// The ends of the servers' logs, for failure messages.
    package var logTails: String { Servers.logTails(in: directory) }

    private static func child(of parent: pid_t, named program: String) -> pid_t? {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.lazy.compactMap { pid_t($0) }.first { process in
            // "pid (name) state parent ..."
            guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
            let fields = stat.split(separator: " ")
            return fields.count > 3 && fields[1] == "(\(program))" && fields[3] == "\(parent)"
        }
    }
}
