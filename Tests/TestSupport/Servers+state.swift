import Foundation

/// The state of the servers, for failure messages.
extension Servers {
    func supervisor(of server: TestCluster.Server) throws -> pid_t {
        let name = "\(server.rawValue.uppercased())_SUPERVISOR"
        guard let process = pid_t(try setting(name[...])) else { throw TestSupportError("\(name) is no process") }
        return process
    }

    /// Waits for a fact about a server, and reports the server's state if it does not come.
    func awaitFact(
        _ what: String, of server: TestCluster.Server, _ ask: @Sendable @escaping () async throws -> Bool?
    ) async throws {
        do { try await TestSupport.awaitFact(what, ask) } catch let error as TestSupportError {
            throw TestSupportError("\(error)\n\(await state(of: server))")
        }
    }

    /// The processes of the supervisor and their states, with the ends of all logs.
    private func state(of server: TestCluster.Server) async -> String {
        // A supervisor starts a session of its own.
        let processes: String
        do {
            processes = try await ProcessUnderTest.run(
                "/bin/ps",
                ["-o", "pid,ppid,stat,wchan:32,etime,args", "--forest", "-s", "\(supervisor(of: server))"])
        } catch {
            processes = "nothing runs: \(error)"
        }
        return "--- processes of the \(server)\n\(processes)\n\(process.tail)\n\(Self.logTails(in: directory))"
    }

    static func logTails(in directory: String) -> String {
        ["database", "broker"].map { server in
            let log = (try? String(contentsOfFile: "\(directory)/logs/\(server).log", encoding: .utf8)) ?? ""
            return "--- \(server)\n" + log.split(separator: "\n").suffix(20).joined(separator: "\n")
        }.joined(separator: "\n")
    }
}
