import Foundation
import Postgres
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct PoolTests {
    /// Runs a pool for the length of the body.
    private func withPool<T: Sendable>(
        _ configuration: PostgresConfiguration? = nil, size: Int = 1, maximumWaiting: Int = 8,
        clock: any Clock<Duration> = ContinuousClock(), _ body: (PostgresPool) async throws -> T
    ) async throws -> T {
        let configuration = if let configuration { configuration } else { try await TestCluster.database() }
        let pool = PostgresPool(configuration, size: size, maximumWaiting: maximumWaiting, clock: clock)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            defer { group.cancelAll() }
            return try await body(pool)
        }
    }

    @Test func waitersAreServedInOrder() async throws {
        try await withPool { pool in
            let gate = Gate()
            let journal = Journal<Int>()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await pool.withConnection { _ in await gate.pass() } }
                try await until { pool.openCount == 1 && pool.waitingCount == 0 }
                for number in 1...5 {
                    group.addTask { try await pool.withConnection { _ in await journal.note(number) } }
                    try await until { pool.waitingCount == number }
                }
                await gate.open()
                try await group.waitForAll()
            }
            #expect(await journal.entries == [1, 2, 3, 4, 5])
        }
    }

    @Test func tooManyWaitersAreRefused() async throws {
        try await withPool(maximumWaiting: 1) { pool in
            try await pool.withConnection { _ in
                let waiter = Task { try await pool.execute(One()) }
                try await until { pool.waitingCount == 1 }
                let error = await #expect(throws: PostgresError.self) { try await pool.execute(One()) }
                #expect(error?.code == .poolExhausted)
                waiter.cancel()
                await #expect(throws: CancellationError.self) { try await waiter.value }
                #expect(pool.waitingCount == 0)
            }
            #expect(try await pool.execute(One()) == [1])
        }
    }

    @Test func aWaitMayHaveALimit() async throws {
        let clock = ManualClock()
        try await withPool(clock: clock) { pool in
            try await pool.withConnection { _ in
                let waiter = Task { try await pool.withConnection(waitingAtMost: .seconds(10)) { _ in } }
                try await clock.awaitSleepers(1)
                try await until { pool.waitingCount == 1 }
                clock.advance(by: .seconds(10))
                let error = await #expect(throws: PostgresError.self) { try await waiter.value }
                #expect(error?.code == .poolExhausted)
                #expect(pool.waitingCount == 0)
            }
            // A wait that succeeds leaves no timer behind.
            try await pool.withConnection(waitingAtMost: .seconds(10)) { _ in }
            #expect(clock.pending.isEmpty)
        }
    }

    @Test func connectionsAreSharedAndNoMoreThanAllowed() async throws {
        try await withPool(size: 3, maximumWaiting: 100) { pool in
            let processes = try await withThrowingTaskGroup(of: Int32?.self) { group in
                for _ in 1...50 { group.addTask { try await pool.execute(OwnProcess()).first } }
                return try await group.reduce(into: Set<Int32?>()) { $0.insert($1) }
            }
            #expect((1...3).contains(processes.count))
            #expect(pool.openCount <= 3)
        }
    }

    @Test func aConnectionThatBreaksInUseIsReplaced() async throws {
        let configuration = try await TestCluster.database()
        let other = try await PostgresConnection.connect(configuration)
        try await withPool(configuration) { pool in
            let first = try await pool.withConnection { connection in
                let process = try #require(try await connection.execute(OwnProcess()).first)
                _ = try await other.execute(Terminate(process: process))
                let error = await #expect(throws: PostgresError.self) { try await connection.execute(One()) }
                #expect(error?.isRetriable == true)
                return process
            }
            #expect(try await pool.execute(OwnProcess()) != [first])
            #expect(pool.openCount == 1)
        }
    }

    @Test func aConnectionThatBreaksIdleIsReplacedUnnoticed() async throws {
        let configuration = try await TestCluster.database()
        let other = try await PostgresConnection.connect(configuration)
        try await withPool(configuration) { pool in
            for _ in 1...3 {
                let process = try #require(try await pool.execute(OwnProcess()).first)
                #expect(try await other.execute(Terminate(process: process)) == [true])
                #expect(try await pool.execute(OwnProcess()) != [process])
            }
        }
    }

    @Test func aConnectionLeftInATransactionIsReplaced() async throws {
        try await withPool { pool in
            let first = try await pool.withConnection { connection in
                try await connection.executeScript("BEGIN")
                return try await connection.execute(OwnProcess())
            }
            #expect(try await pool.execute(OwnProcess()) != first)
        }
    }

    @Test func callersWaitUntilTheServerIsThere() async throws {
        let database = try await TestCluster.shared.database.maintenance
        let host = NSTemporaryDirectory() + "aqua-absent-\(getpid())"
        defer { try? FileManager.default.removeItem(atPath: host) }
        let (failures, report) = AsyncStream.makeStream(of: PostgresError.self)
        let clock = ImpatientClock()
        let configuration = try PostgresConfiguration(
            url: "postgresql://postgres@/postgres?host=\(host)&port=\(database.server.port)",
            password: database.password(.superuser), applicationName: "tests")
        let pool = PostgresPool(configuration, size: 1, clock: clock) { report.yield($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            defer { group.cancelAll() }
            async let answer = pool.execute(One())
            var count = 0
            for await failure in failures where failure.code == .connectionFailed {
                count += 1
                if count == 12 { break }
            }
            try FileManager.default.createSymbolicLink(
                atPath: host, withDestinationPath: database.server.socketDirectory)
            #expect(try await answer == [1])
        }
        let delays = clock.delays
        try #require(delays.count >= 11)
        #expect(delays.allSatisfy { $0 >= .milliseconds(50) && $0 <= .seconds(2) })
        #expect(delays[0] <= .milliseconds(100))
        #expect(delays[8...].allSatisfy { $0 >= .seconds(1) })
    }

    @Test func aStoppedPoolSaysSo() async throws {
        let pool = PostgresPool(try await TestCluster.database(), size: 1)
        let waiter = Task { try await pool.withConnection { _ in } }
        try await until { pool.waitingCount == 1 }
        let run = Task { await pool.run() }
        try await waiter.value
        run.cancel()
        await run.value
        let error = await #expect(throws: PostgresError.self) { try await pool.execute(One()) }
        #expect(error?.code == .closed)
    }

    /// A server that hands over to another is a standby for a while, or for ever: connections to it are useless.
    @Test func aConnectionThatOnlyReadsIsLeft() async throws {
        try await withPool { pool in
            let first = try await pool.execute(OwnProcess())
            try await pool.withConnection { try await $0.executeScript("CREATE TABLE kept (id integer)") }
            let error = await #expect(throws: PostgresError.self) {
                try await pool.withConnection { connection in
                    try await connection.executeScript("SET default_transaction_read_only = on")
                    try await connection.executeScript("INSERT INTO kept VALUES (1)")
                }
            }
            #expect(error?.sqlState == "25006" && error?.isRetriable == true)
            try await pool.withConnection { try await $0.executeScript("INSERT INTO kept VALUES (1)") }
            #expect(try await pool.execute(OwnProcess()) != first)
        }
    }

    @Test func aServerThatOnlyReadsIsNoServer() async throws {
        let database = try await TestCluster.shared.database.addDatabase()
        try await database.sql("ALTER DATABASE \(database.name) SET default_transaction_read_only = on")
        let configuration = try PostgresConfiguration(
            url: database.url(.superuser), password: database.password(.superuser), applicationName: "tests")
        let error = await #expect(throws: PostgresError.self) { try await PostgresConnection.connect(configuration) }
        #expect(error?.code == .connectionFailed && error?.isRetriable == true)
    }
}

/// A clock that records how long it was asked to sleep, and does not sleep.
final class ImpatientClock: Clock {
    private let asked = Mutex<[Duration]>([])

    let now = ContinuousClock.now
    var delays: [Duration] { asked.withLock { $0 } }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        asked.withLock { $0.append(deadline - now) }
        try Task.checkCancellation()
        await Task.yield()
    }
}
