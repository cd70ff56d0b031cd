import TestSupport
import Testing

@testable import Postgres

/// Statements whose text is put together while the program runs.
@Suite(.timeLimit(.minutes(5))) struct ComposedStatementTests {
    private struct Composed: ComposedStatement {
        let sql: ComposedSQL
        static func decode(_ row: inout RowReader) throws -> String? { try row.read() }
    }

    private static func run(_ sql: ComposedSQL) async throws -> [String?] {
        let connection = try await PostgresConnection.connect(TestCluster.database())
        let rows = try await connection.transaction(TransactionOptions(isReadOnly: true)) { transaction in
            try transaction.execute(Composed(sql: sql))
        }
        await connection.close()
        return rows
    }

    @Test func parametersAreNumberedAcrossParts() {
        let inner: ComposedSQL = "a = \(bind: "x") OR a = \(bind: Int32(2))"
        let outer: ComposedSQL =
            "SELECT \(bind: true) WHERE (\(inner)) AND b = \(bind: [Int16?(3)]) AND \(schema: "c") = 1"
        #expect(outer.text == "SELECT $1 WHERE (a = $2 OR a = $3) AND b = $4 AND c = 1")
        #expect((["a", "b", "\(bind: 1.5)"] as [ComposedSQL]).joined(by: ", ").text == "a, b, $1")
        #expect(([] as [ComposedSQL]).joined(by: ", ").text == "")
    }

    /// What a client sends stays a value, whatever is in it.
    @Test func textsAreValues() async throws {
        for text in ["it's", "'; DROP TABLE tank; --", "$1", "\\", "水"] {
            #expect(try await Self.run("SELECT \(bind: text)::text") == [text])
        }
        #expect(try await Self.run("SELECT \(bind: nil as String?)::text") == [nil])
        #expect(
            try await Self.run("SELECT t FROM unnest(\(bind: ["a", nil, "b"])) WITH ORDINALITY AS u (t, n) ORDER BY n")
                == ["a", nil, "b"])
    }

    /// The same type of statement has another text and other parameters each time.
    @Test func nothingIsKeptOfTheOneBefore() async throws {
        let connection = try await PostgresConnection.connect(TestCluster.database())
        let rows = try await connection.transaction { transaction in
            try transaction.execute(Composed(sql: "SELECT \(bind: Int32(1))::text"))
                + transaction.execute(Composed(sql: "SELECT \(bind: "a") || \(bind: "b")"))
        }
        #expect(rows == ["1", "ab"])
        await connection.close()
    }
}
