import Foundation
import TestSupport
import Testing

@testable import Postgres

/// Connections to a PostgreSQL with a real standby.
@Suite(.timeLimit(.minutes(10))) struct StandbyTests {
    private struct InsertNote: Statement {
        static let sql = "INSERT INTO note DEFAULT VALUES"
    }

    private struct ReadPort: Statement {
        static let sql = "SELECT inet_server_port()"
        static func decode(_ row: inout RowReader) throws -> Int32 { try row.read() }
    }

    private static let waiting =
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND datname = current_database()"

    /// A database with a table, and its standby.
    private func withStandby(
        isSynchronous: Bool = false,
        _ body: @Sendable @escaping (TestCluster, TestDatabase, TestStandby) async throws -> Void
    ) async throws {
        try await TestCluster.with(.full) { cluster in
            try await cluster.database.withDatabase { database in
                try await database.sql("CREATE TABLE note (number bigint GENERATED ALWAYS AS IDENTITY)", as: .owner)
                try await TestStandby.with(of: cluster, isSynchronous: isSynchronous) { standby in
                    try await body(cluster, database, standby)
                }
            }
        }
    }

    private func configuration(
        _ url: String, _ database: TestDatabase, _ history: ServerHistory = ServerHistory()
    ) throws -> PostgresConfiguration {
        var configuration = try PostgresConfiguration(
            url: url, password: database.password(.owner), applicationName: "tests")
        configuration.history = history
        return configuration
    }

    private func port(_ configuration: PostgresConfiguration) async throws -> Int? {
        try await PostgresConnection.with(configuration) { try await $0.execute(ReadPort()).first.map(Int.init) }
    }

    /// A read-only standby is skipped, wherever it stands in the URL. A promoted one is used, and the server that it
    /// left behind no longer, whichever comes first.
    @Test func theServerThatWritesAndWasNotLeftBehind() async throws {
        try await withStandby { cluster, database, standby in
            let directory = "\(cluster.directory)/history"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
            let file = "\(directory)/tests.server"
            let history = ServerHistory(file: file)
            let both = standby.url(.owner, database)
            let standbyFirst = standby.url(.owner, database, hosts: standby.hosts(standbyFirst: true))
            for url in [both, standbyFirst] {
                #expect(try await port(configuration(url, database, history)) == cluster.database.port)
            }
            try await standby.promote()
            // Nobody knows of the promotion: both accept writes, and the first in the list is used.
            #expect(try await port(configuration(both, database, history)) == cluster.database.port)
            #expect(try await port(configuration(standbyFirst, database, history)) == standby.port)

            let primary = standby.url(.owner, database, hosts: "127.0.0.1:\(cluster.database.port)")
            for known in [history, ServerHistory(file: file)] {
                let error = await #expect(throws: PostgresError.self) {
                    try await PostgresConnection.connect(configuration(primary, database, known))
                }
                #expect(error?.code == .serverRefused)
                #expect(error?.message.contains("timeline 1, and timeline 2 of the same database") == true)
                // With another host beside it the service goes on, on the right one.
                #expect(try await port(configuration(both, database, known)) == standby.port)
                #expect(known.refusal == nil)
            }
            // The doctor looks at every host.
            let looked = try configuration(both, database, history)
            for host in looked.hosts { #expect(try await port(looked.looking(at: host)) != nil) }
        }
    }

    /// A lagging standby knows neither a new password nor a new database; the primary is still found.
    @Test func aStandbyThatLagsBehindIsPassedOver() async throws {
        try await withStandby { cluster, database, standby in
            try await standby.sql("SELECT pg_wal_replay_pause()", in: database.name)
            try await database.sql("ALTER ROLE aqua_owner PASSWORD 'another'")
            let hosts = standby.hosts(standbyFirst: true)
            func connect(_ password: String, _ url: String) async throws -> Int? {
                try await port(PostgresConfiguration(url: url, password: password, applicationName: "tests"))
            }
            let url = standby.url(.owner, database, hosts: hosts)
            #expect(try await connect("another", url) == cluster.database.port)
            try await database.sql("CREATE DATABASE later OWNER aqua_owner")
            let later = url.replacing(database.name, with: "later")
            #expect(try await connect("another", later) == cluster.database.port)
            // If no host accepts us, each is named with its reason.
            let error = await #expect(throws: PostgresError.self) { _ = try await connect("neither", url) }
            #expect(error?.code == .connectionFailed)
            for port in [cluster.database.port, standby.port] {
                #expect(error?.message.contains("port \(port) failed") == true, "\(error?.message ?? "")")
            }
            try await database.sql("DROP DATABASE later")
            try await standby.sql("SELECT pg_wal_replay_resume()", in: database.name)
        }
    }

    /// Two hosts lose each other, the standby is promoted by hand, and one connection reaches it: all connections to
    /// the server left behind end, whatever they are doing.
    @Test func whatIsInHandOfTheServerLeftBehindEnds() async throws {
        try await withStandby { cluster, database, standby in
            let history = ServerHistory()
            let primaryFirst = try configuration(standby.url(.owner, database), database, history)
            let idle = try await PostgresConnection.connect(primaryFirst)
            let busy = try await PostgresConnection.connect(primaryFirst)
            let call = Task { try await busy.perform(SleepLong()) }
            let (failures, listenerFailed) = AsyncStream.makeStream(of: PostgresError.self)
            let listener = PostgresListener(primaryFirst, channels: ["news"]) { listenerFailed.yield($0) }
            let pool = PostgresPool(primaryFirst, size: 2)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await pool.run() }
                defer { group.cancelAll() }
                try await listener.withEvents { events in
                    var events = events.makeAsyncIterator()
                    #expect(await events.next() == .mayHaveMissed)
                    for _ in 0..<2 { #expect(try await pool.execute(ReadPort()) == [Int32(cluster.database.port)]) }
                    try await standby.promote()
                    // Nobody knows of the promotion.
                    #expect(try await idle.execute(ReadPort()) == [Int32(cluster.database.port)])
                    let standbyFirst = standby.url(
                        .owner, database, hosts: standby.hosts(standbyFirst: true))
                    #expect(try await port(configuration(standbyFirst, database, history)) == standby.port)

                    #expect(!idle.isUsable)
                    let refused = await #expect(throws: PostgresError.self) { try await idle.perform(InsertNote()) }
                    #expect(refused?.code == .connectionLost && refused?.isRetriable == true)
                    for _ in 0..<4 { #expect(try await pool.execute(ReadPort()) == [Int32(standby.port)]) }
                    let error = await #expect(throws: PostgresError.self) { try await call.value }
                    #expect(error?.code == .connectionLost && error?.isRetriable == true)
                    #expect(!busy.isUsable)
                    #expect(await failures.first { _ in true }?.code == .connectionLost)
                    #expect(await events.next() == .mayHaveMissed)
                }
            }
            #expect(try await database.sql("SELECT count(*) FROM note") == "0")
        }
    }

    /// A pool replaces its connections to a dead primary by connections to the promoted one.
    @Test func aPoolFollowsThePromotion() async throws {
        try await withStandby { cluster, database, standby in
            let pool = PostgresPool(try configuration(standby.url(.owner, database), database), size: 2)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await pool.run() }
                defer { group.cancelAll() }
                #expect(try await pool.execute(ReadPort()) == [Int32(cluster.database.port)])
                try await cluster.halt(.database)
                try await standby.promote()
                try await awaitFact("the promoted server") {
                    let ports = try? await pool.execute(ReadPort())
                    return ports == [Int32(standby.port)] ? true : nil
                }
                try await pool.perform(InsertNote())
            }
            #expect(try await standby.sql("SELECT count(*) FROM note", in: database.name) == "1")
            try await cluster.resume(.database)
        }
    }

    /// Cutting the wait for the standby short leaves a commit on one server, which does not count.
    @Test(arguments: [false, true]) func aCommitOfOneServerIsNone(isTransaction: Bool) async throws {
        try await withStandby(isSynchronous: true) { cluster, database, standby in
            let connection = try await PostgresConnection.connect(
                configuration(database.url(.owner), database))
            try await connection.perform(InsertNote())
            standby.freeze()
            let commit = Task {
                if isTransaction {
                    try await connection.transaction { _ = try $0.perform(InsertNote()) }
                } else {
                    _ = try await connection.perform(InsertNote())
                }
            }
            try await awaitFact("a commit that waits") { try await database.sql(Self.waiting) == "1" ? true : nil }
            try await database.sql("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
            let error = await #expect(throws: PostgresError.self) { try await commit.value }
            #expect(error?.code == .notReplicated && error?.sqlState == "01000" && error?.isRetriable == true)
            #expect(!connection.isUsable)
            #expect(try await database.sql("SELECT count(*) FROM note") == "2")
            standby.thaw()
        }
    }

    /// A transaction that finds everything stored, by a commit that no longer waits, still waits for the standby.
    @Test func nothingNewWaitsForWhatCameBefore() async throws {
        try await withStandby(isSynchronous: true) { _, database, standby in
            let connection = try await PostgresConnection.connect(configuration(database.url(.owner), database))
            standby.freeze()
            // A transaction without writes waits for nothing.
            try await connection.transaction { _ = try $0.execute(One()) }
            let repetition = Task { try await connection.transaction { _ = try $0.perform(AwaitEarlierCommits()) } }
            try await awaitFact("a commit that waits") { try await database.sql(Self.waiting) == "1" ? true : nil }
            standby.thaw()
            try await repetition.value
        }
    }

    /// A cancelled task does not wait for the standby.
    @Test func aStatementThatWaitsIsCutShort() async throws {
        try await withStandby(isSynchronous: true) { _, database, standby in
            let connection = try await PostgresConnection.connect(configuration(database.url(.owner), database))
            standby.freeze()
            let statement = Task { _ = try await connection.perform(AwaitEarlierCommits()) }
            try await awaitFact("a commit that waits") { try await database.sql(Self.waiting) == "1" ? true : nil }
            statement.cancel()
            await #expect(throws: (any Error).self) { try await statement.value }
            #expect(!connection.isUsable)
            standby.thaw()
        }
    }
}

/// PgBouncer in front of PostgreSQL.
@Suite(.timeLimit(.minutes(5))) struct PoolerTests {
    private func configuration(
        _ pooler: TestPooler, _ database: TestDatabase
    ) throws -> PostgresConfiguration {
        try PostgresConfiguration(
            url: pooler.url(.owner, database), password: database.password(.owner), applicationName: "tests")
    }

    @Test func statementsOfOthersAreNamedAsSuch() async throws {
        try await TestCluster.shared.database.withDatabase { database in
            try await TestPooler.with(database, .transaction) { pooler in
                let first = try await PostgresConnection.connect(configuration(pooler, database))
                _ = try await first.execute(One())
                let second = try await PostgresConnection.connect(configuration(pooler, database))
                let error = await #expect(throws: PostgresError.self) { try await second.execute(One()) }
                #expect(error?.code == .sharedSession && error?.sqlState == "42P05")
                #expect(error?.description.contains("set pool_mode to session") == true)
            }
        }
    }

    @Test func sessionsAreOnesOwn() async throws {
        try await TestCluster.shared.database.withDatabase { database in
            try await TestPooler.with(database, .session) { pooler in
                let first = try await PostgresConnection.connect(configuration(pooler, database))
                let second = try await PostgresConnection.connect(configuration(pooler, database))
                for connection in [first, second] { #expect(try await connection.execute(One()) == [1]) }
                await first.close()
                await second.close()
            }
        }
    }
}
