import TestSupport
import Testing

@testable import Postgres

@Suite(.timeLimit(.minutes(5))) struct TransactionTests {
    struct Insert: Statement {
        static let sql = "INSERT INTO tank VALUES ($1)"
        let id: Int32
        func bind(_ parameters: inout Parameters) { parameters.append(id) }
    }
    struct ReadAll: Statement {
        static let sql = "SELECT id FROM tank ORDER BY id"
        static func decode(_ row: inout RowReader) throws -> Int32 { try row.read() }
    }
    struct ShowDurability: Statement {
        static let sql = "SELECT current_setting('synchronous_commit'), current_setting('transaction_isolation')"
        static func decode(_ row: inout RowReader) throws -> [String] { [try row.read(), try row.read()] }
    }
    struct ReadServer: Statement {
        static let sql = ServerIdentity.sql
        static func decode(_ row: inout RowReader) throws -> ServerIdentity? {
            try ServerIdentity(system: "\(row.read(Int64.self))", segment: row.read())
        }
    }
    struct Leak: Error {}

    private func connection() async throws -> PostgresConnection {
        let connection = try await PostgresConnection.connect(TestCluster.database())
        try await connection.executeScript("CREATE TABLE tank (id integer PRIMARY KEY)")
        return connection
    }

    @Test func commitsWhatTheBodyDid() async throws {
        let connection = try await connection()
        let seen = try await connection.transaction { transaction in
            let inserted = try transaction.perform(Insert(id: 1)) + transaction.perform(Insert(id: 2))
            #expect(inserted == 2)
            return try transaction.execute(ReadAll())
        }
        #expect(seen == [1, 2])
        #expect(try await connection.execute(ReadAll()) == [1, 2])
    }

    @Test func rollsBackWhenTheBodyThrows() async throws {
        let connection = try await connection()
        await #expect(throws: Leak.self) {
            try await connection.transaction { transaction in
                try transaction.perform(Insert(id: 1))
                throw Leak()
            }
        }
        #expect(connection.isUsable)
        #expect(try await connection.execute(ReadAll()) == [])
    }

    @Test func aSwallowedErrorIsNotACommit() async throws {
        let connection = try await connection()
        let error = await #expect(throws: PostgresError.self) {
            try await connection.transaction { transaction in
                try transaction.perform(Insert(id: 1))
                _ = try? transaction.perform(Insert(id: 1))
            }
        }
        #expect(error?.code == .inFailedTransaction)
        #expect(connection.isUsable)
        #expect(try await connection.execute(ReadAll()) == [])
    }

    @Test func aBodyMustNotCommitByItself() async throws {
        let connection = try await connection()
        let error = await #expect(throws: PostgresError.self) {
            try await connection.transaction { try $0.executeScript("COMMIT") }
        }
        #expect(error?.code == .unexpectedAnswer)
        #expect(connection.isUsable)
    }

    /// A standby was promoted after the last statement, and another connection has reached it.
    @Test func aServerThatWasLeftBehindCommitsNothing() async throws {
        let history = ServerHistory()
        var configuration = try await TestCluster.database()
        let reader = try await PostgresConnection.connect(configuration)
        configuration.history = history
        let connection = try await PostgresConnection.connect(configuration)
        try await connection.executeScript("CREATE TABLE tank (id integer PRIMARY KEY)")
        let error = await #expect(throws: PostgresError.self) {
            try await connection.transaction { transaction in
                let server = try #require(try transaction.execute(ReadServer())[0])
                try transaction.perform(Insert(id: 1))
                try history.admit(
                    ServerIdentity(system: server.system, timeline: server.timeline + 1),
                    at: PostgresHost(name: "standby", address: "", port: ""))
            }
        }
        #expect(error?.code == .connectionLost && error?.isRetriable == true)
        #expect(!connection.isUsable)
        #expect(try await reader.execute(ReadAll()) == [])
    }

    @Test func optionsHoldForOneTransaction() async throws {
        let connection = try await connection()
        try await connection.executeScript("SET synchronous_commit = on")
        let error = await #expect(throws: PostgresError.self) {
            try await connection.transaction(TransactionOptions(isReadOnly: true)) { try $0.perform(Insert(id: 1)) }
        }
        #expect(error?.sqlState == "25006")
        let relaxed = TransactionOptions(isolation: .serializable, isDurable: false)
        #expect(
            try await connection.transaction(relaxed) { try $0.execute(ShowDurability()) } == [["off", "serializable"]])
        #expect(try await connection.execute(ShowDurability()) == [["on", "read committed"]])
    }

    @Test func aTableThatChangedBelowAStatementHealsItself() async throws {
        struct ReadStar: Statement {
            static let sql = "SELECT * FROM tank"
            static func decode(_ row: inout RowReader) throws -> Int32 { try row.read() }
        }
        let connection = try await connection()
        try await connection.perform(Insert(id: 1))
        #expect(try await connection.execute(ReadStar()) == [1])
        try await connection.executeScript("ALTER TABLE tank ADD litres integer")
        let error = await #expect(throws: PostgresError.self) { try await connection.execute(ReadStar()) }
        #expect(error?.sqlState == "0A000")
        #expect(try await connection.execute(ReadStar()) == [1])
    }
}
