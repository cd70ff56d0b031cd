import Foundation
import Postgres
import Synchronization
import TestSupport
import Testing

/// Every blocking call has to run on the connection's thread, never on the cooperative pool.
@Suite struct ThreadTests {
    /// A statement that records the thread that binds it.
    struct WhichThread: Statement {
        static let sql = "SELECT"
        let note: @Sendable (String) -> Void
        func bind(_ parameters: inout Parameters) {
            note((try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? "?")
        }
    }

    @Test func statementsRunOnTheConnectionsThread() async throws {
        let connection = try await PostgresConnection.connect(TestCluster.commonDatabase())
        let threads = Mutex<[String]>([])
        let statement = WhichThread { name in threads.withLock { $0.append(name) } }
        try await connection.perform(statement)
        _ = try await connection.execute(statement)
        try await connection.transaction { _ = try $0.perform(statement) }
        #expect(threads.withLock { $0 } == ["pg-tests\n", "pg-tests\n", "pg-tests\n"])
    }
}
