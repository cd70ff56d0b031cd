import TestSupport
import Testing

@testable import Postgres

@Suite struct ErrorTests {
    static let table = """
        CREATE TABLE tank (
            id integer PRIMARY KEY, litres integer NOT NULL CONSTRAINT tank_holds_water CHECK (litres > 0),
            parent integer REFERENCES tank, during int4range, EXCLUDE USING gist (during WITH &&)
        );
        INSERT INTO tank VALUES (1, 100, NULL, '[1,5)')
        """

    @Test func theServersErrorsHaveNames() async throws {
        let connection = try await PostgresConnection.connect(TestCluster.database())
        try await connection.executeScript(Self.table)
        let expectations: [(sql: String, code: PostgresError.Code, constraint: String?)] = [
            ("INSERT INTO tank VALUES (1, 100)", .uniqueViolation, "tank_pkey"),
            ("INSERT INTO tank VALUES (2, 100, 77)", .foreignKeyViolation, "tank_parent_fkey"),
            ("INSERT INTO tank VALUES (2, 0)", .checkViolation, "tank_holds_water"),
            ("INSERT INTO tank VALUES (2, NULL)", .notNullViolation, nil),
            ("INSERT INTO tank VALUES (2, 1, NULL, '[4,9)')", .exclusionViolation, "tank_during_excl"),
            ("SELECT FROM pond", .undefinedTable, nil),
            ("SELECT depth FROM tank", .undefinedObject, nil),
            ("SET ROLE aqua_rules; SELECT FROM tank", .insufficientPrivilege, nil),
            ("SELECT 1 / 0", .other(sqlState: "22012"), nil),
            ("SET statement_timeout = 1; SELECT pg_sleep(60)", .queryCanceled, nil),
        ]
        for (sql, code, constraint) in expectations {
            let error = await #expect(throws: PostgresError.self, "\(sql)") { try await connection.executeScript(sql) }
            #expect(error?.code == code, "\(sql)")
            #expect(error?.constraint == constraint, "\(sql)")
            #expect(error?.isRetriable == (code == .queryCanceled), "\(sql)")
            #expect(connection.isUsable)
        }
    }

    @Test func theDescriptionKeepsValuesToItself() async throws {
        let connection = try await PostgresConnection.connect(TestCluster.database())
        try await connection.executeScript("CREATE TABLE account (email text PRIMARY KEY)")
        let insert = "INSERT INTO account VALUES ('koi@example.org')"
        try await connection.executeScript(insert)
        let error = await #expect(throws: PostgresError.self) { try await connection.executeScript(insert) }
        #expect(error?.description == "PostgreSQL: the row exists already (account_pkey) [23505]")
        #expect(error?.debugDescription.contains("koi@example.org") == true)
        #expect(error?.table == "account")
        #expect(error?.file.hasSuffix("ErrorTests.swift") == true)
    }

    @Test func aLostRaceIsRetriable() async throws {
        let configuration = try await TestCluster.database()
        let first = try await PostgresConnection.connect(configuration)
        let second = try await PostgresConnection.connect(configuration)
        try await first.executeScript("CREATE TABLE tank (litres integer); INSERT INTO tank VALUES (1)")
        try await first.executeScript("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT * FROM tank")
        try await second.executeScript("UPDATE tank SET litres = 2")
        let error = await #expect(throws: PostgresError.self) {
            try await first.executeScript("UPDATE tank SET litres = 3")
        }
        #expect(error?.code == .serializationFailure)
        #expect(error?.isRetriable == true)
        #expect(!first.isUsable, "it is inside of a failed transaction")
    }

    @Test func aTerminatedConnectionIsRetriableAndNotUsable() async throws {
        let configuration = try await TestCluster.database()
        let victim = try await PostgresConnection.connect(configuration)
        let other = try await PostgresConnection.connect(configuration)
        let process = try #require(try await victim.execute(OwnProcess()).first)
        #expect(try await other.execute(Terminate(process: process)) == [true])
        let error = await #expect(throws: PostgresError.self) { try await victim.execute(One()) }
        // The server's farewell, unless the socket broke before it was read.
        #expect([.adminShutdown, .connectionLost].contains(error?.code))
        #expect(error?.isRetriable == true)
        #expect(!victim.isUsable)
        let later = await #expect(throws: PostgresError.self) { try await victim.execute(One()) }
        #expect(later?.code == .connectionLost)
    }

    @Test func aClosedConnectionSaysSo() async throws {
        let connection = try await PostgresConnection.connect(TestCluster.commonDatabase())
        await connection.close()
        let error = await #expect(throws: PostgresError.self) { try await connection.execute(One()) }
        #expect(error?.code == .closed)
    }

    @Test(arguments: [
        ("53100", PostgresError.Code.diskFull), ("53300", .tooManyConnections), ("57P03", .cannotConnectNow),
        ("40P01", .deadlock), ("25P03", .idleInTransactionTimeout), ("08006", .connectionLost),
        ("57P01", .adminShutdown), ("57014", .queryCanceled), ("53200", .other(sqlState: "53200")),
        ("58030", .other(sqlState: "58030")), ("25006", .other(sqlState: "25006")),
    ])
    func troubleThatPassesIsRetriable(sqlState: String, code: PostgresError.Code) {
        #expect(PostgresError.Code(sqlState: sqlState) == code)
        #expect(PostgresError(code, "").isRetriable)
    }
}
