import Postgres
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct CancellationTests {
    @Test func aCancelledTaskCancelsItsStatement() async throws {
        let configuration = try await TestCluster.database()
        let connection = try await PostgresConnection.connect(configuration)
        let observer = try await PostgresConnection.connect(configuration)
        for _ in 1...5 {
            let sleeper = Task { try await connection.perform(SleepLong()) }
            try await until { try await observer.execute(CountRunning(text: "pg_sleep(300)")) == [1] }
            sleeper.cancel()
            await #expect(throws: CancellationError.self) { try await sleeper.value }
            #expect(connection.isUsable)
            #expect(try await connection.execute(One()) == [1])
        }
    }

    @Test func aCancelledTransactionIsRolledBack() async throws {
        let configuration = try await TestCluster.database()
        let connection = try await PostgresConnection.connect(configuration)
        let observer = try await PostgresConnection.connect(configuration)
        try await connection.executeScript("CREATE TABLE tank (id integer)")
        let transaction = Task {
            try await connection.transaction { transaction in
                try transaction.executeScript("INSERT INTO tank VALUES (1)")
                try transaction.perform(SleepLong())
            }
        }
        try await until { try await observer.execute(CountRunning(text: "pg_sleep(300)")) == [1] }
        transaction.cancel()
        await #expect(throws: CancellationError.self) { try await transaction.value }
        #expect(connection.isUsable)
        #expect(try await connection.perform(CountTanks()) == 0)
    }

    @Test func betweenStatementsACancellationStopsTheNext() async throws {
        let connection = try await PostgresConnection.connect(TestCluster.database())
        let (started, starter) = AsyncStream.makeStream(of: Void.self)
        let transaction = Task {
            try await connection.transaction { transaction in
                starter.yield()
                // Any number of short statements; only the cancellation ends the loop.
                while true { _ = try transaction.execute(One()) }
            }
        }
        for await _ in started { break }
        transaction.cancel()
        await #expect(throws: CancellationError.self) { try await transaction.value }
        #expect(connection.isUsable)
    }

    @Test func aTaskThatIsCancelledAlreadyStartsNothing() async throws {
        let connection = try await PostgresConnection.connect(TestCluster.commonDatabase())
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await connection.execute(One())
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    struct CountTanks: Statement {
        static let sql = "SELECT FROM tank"
    }
}
