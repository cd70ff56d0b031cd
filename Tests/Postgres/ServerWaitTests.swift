import Postgres
import Synchronization
import TestSupport
import Testing

/// A loop that waits for the server can be told from one that hangs.
@Suite(.timeLimit(.minutes(5))) struct ServerWaitTests {
    private final class Turns: Sendable {
        private let number = Mutex(0)
        var count: Int { number.withLock(\.self) }

        func during<Result>(_ body: () async throws -> Result) async rethrows -> Result {
            try await ServerWait.$onTurn.withValue({ self.number.withLock { $0 += 1 } }, operation: body)
        }
    }

    private struct CopyTide: CopyStatement { static let sql = "COPY tide FROM STDIN (FORMAT binary)" }

    @Test func aCallThatTheServerOwesAnAnswerTurns() async throws {
        let configuration = try await TestCluster.commonDatabase()
        let turns = Turns()
        let call = Task {
            try await turns.during {
                try await PostgresConnection.with(configuration) { try await $0.perform(SleepLong()) }
            }
        }
        try await awaitFact("two turns") { turns.count >= 2 ? true : nil }
        call.cancel()
        _ = await call.result
    }

    /// Waiting turns repeat for a commit too, which nothing interrupts, and for a COPY.
    @Test(arguments: [true, false]) func aCommitAndACopyTurnToo(isCommit: Bool) async throws {
        let configuration = try await TestCluster.database()
        let observer = try await PostgresConnection.connect(configuration)
        let (trigger, when) =
            isCommit
            ? ("CONSTRAINT TRIGGER sleep AFTER INSERT", "DEFERRABLE INITIALLY DEFERRED FOR EACH ROW")
            : ("TRIGGER sleep BEFORE INSERT", "")
        try await observer.executeScript(
            """
            CREATE TABLE tide (level integer);
            CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(300); RETURN NULL; END';
            CREATE \(trigger) ON tide \(when) EXECUTE FUNCTION sleep();
            """)
        let turns = Turns()
        let call = Task {
            try await turns.during {
                try await PostgresConnection.with(configuration) { connection in
                    if isCommit {
                        try await connection.transaction { try $0.executeScript("INSERT INTO tide VALUES (1)") }
                    } else {
                        try await connection.copy(into: CopyTide.self, rows: CopyBuffer())
                    }
                }
            }
        }
        let running = isCommit ? "COMMIT" : CopyTide.sql
        try await until { try await observer.execute(CountRunning(text: running)) == [1] }
        let before = turns.count
        try await awaitFact("two turns") { turns.count >= before + 2 ? true : nil }
        try await observer.executeScript(
            """
            SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """)
        let error = await #expect(throws: PostgresError.self) { try await call.value }
        #expect(error?.code == .connectionLost)
    }

    /// A caller that waits for a connection waits for the server only while the users of connections do.
    @Test func aCallThatWaitsForAConnectionTurnsWithThoseThatHaveOne() async throws {
        let configuration = try await TestCluster.commonDatabase()
        let pool = PostgresPool(configuration, size: 1)
        let (clock, hung, waiting) = (Turns(), Turns(), Turns())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            defer { group.cancelAll() }
            // The only connection is kept idle.
            try await pool.withConnection { _ in
                let waiter = Task { try await hung.during { try await pool.execute(One()) } }
                let time = Task {
                    try await clock.during {
                        try await PostgresConnection.with(configuration) { try await $0.perform(SleepLong()) }
                    }
                }
                try await awaitFact("three turns elsewhere") { clock.count >= 3 ? true : nil }
                #expect(hung.count == 0)
                time.cancel()
                waiter.cancel()
                _ = await (waiter.result, time.result)
            }
            let call = Task { try await pool.perform(SleepLong()) }
            try await awaitFact("the call") { pool.inUseCount == 1 ? true : nil }
            let waiter = Task { try await waiting.during { try await pool.execute(One()) } }
            try await awaitFact("two turns") { waiting.count >= 2 ? true : nil }
            call.cancel()
            #expect(try await waiter.value == [1])
            _ = await call.result
        }
    }
}
