import TestSupport
import Testing

@testable import Postgres

/// Schemas that begin with a baseline, and scripts that are applied again.
@Suite(.timeLimit(.minutes(5))) struct BaselineTests {
    private static let steps = [
        Migration(number: 1, name: "tanks", sql: "CREATE TABLE tank (id integer)"),
        Migration(number: 2, name: "former", sql: "CREATE TABLE pond (id integer)"),
    ]
    /// `printf '%s' "$text" | sha256sum`
    private static let checksums = [
        ["cfa4ebad5ef78f27d193f007de0936d226be38c520694a80626d2ca5851c6226"],
        ["00", "9903d865862b73f7e19a47c98b904b0e6170d53dff9ecaf2c0b5a7de62b72420"],
    ]
    private static let baseline = Migration(
        number: 3, name: "baseline", sql: "CREATE TABLE tank (id integer, depth integer)",
        takeover: Takeover(steps: checksums, sql: "DROP TABLE pond; ALTER TABLE tank ADD COLUMN depth integer"))
    private static let next = Migration(number: 4, name: "next", sql: "ALTER TABLE tank ADD COLUMN width integer")

    private struct Columns: Statement {
        static let sql =
            "SELECT attname::text FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 ORDER BY attnum"
        let table: String
        func bind(_ parameters: inout Parameters) { parameters.append(table) }
        static func decode(_ row: inout RowReader) throws -> String { try row.read() }
    }

    private struct Area: Statement {
        static let sql = "SELECT area()"
        static func decode(_ row: inout RowReader) throws -> Int32 { try row.read() }
    }

    private static func area(_ expression: String) -> SchemaScript {
        SchemaScript(
            name: "area",
            sql:
                "CREATE OR REPLACE FUNCTION area() RETURNS integer LANGUAGE sql AS 'SELECT \(expression) FROM (VALUES (2, 3)) AS t (depth, width)'"
        )
    }

    @Test func anEmptyDatabaseBeginsWithTheBaseline() async throws {
        let connection = try await PostgresConnection.connect(TestCluster.database())
        let migrator = try Migrator([Self.baseline, Self.next])
        #expect(try await migrator.state(on: connection) == .behind(next: 3))
        #expect(try await migrator.version(on: connection) == 0)
        #expect(try await migrator.migrate(on: connection).migrations == [Self.baseline, Self.next])
        #expect(try await migrator.version(on: connection) == 4)
        #expect(try await migrator.state(on: connection) == .upToDate)
        #expect(try await connection.execute(Columns(table: "tank")) == ["id", "depth", "width"])
    }

    @Test func aDatabaseThatWasBuiltByStepsIsTakenOver() async throws {
        let connection = try await PostgresConnection.connect(TestCluster.database())
        _ = try await Migrator(Self.steps).migrate(on: connection)
        let migrator = try Migrator([Self.baseline, Self.next])
        #expect(try await migrator.state(on: connection) == .behind(next: 3))
        #expect(try await migrator.migrate(on: connection).migrations == [Self.baseline, Self.next])
        #expect(try await connection.execute(Columns(table: "tank")) == ["id", "depth", "width"])
        #expect(try await connection.execute(Columns(table: "pond")) == [])
        #expect(try await migrator.state(on: connection) == .upToDate)
        #expect(try await Migrator(Self.steps).state(on: connection) == .ahead(newest: 4), "for a program of before")
    }

    @Test func aDatabaseThatIsNotAtTheLastStepIsNot() async throws {
        let connection = try await PostgresConnection.connect(TestCluster.database())
        _ = try await Migrator([Self.steps[0]]).migrate(on: connection)
        let migrator = try Migrator([Self.baseline])
        #expect(try await migrator.state(on: connection) == .tooOld(version: 1, takenOver: 2))
        let error = await #expect(throws: PostgresError.self) { try await migrator.migrate(on: connection) }
        #expect(error?.message.contains("has schema 1, and this program goes on from schema 2") == true)
        let edited = Migration(number: 1, name: "tanks", sql: "CREATE TABLE tank (id bigint)")
        let other = try await PostgresConnection.connect(TestCluster.database())
        _ = try await Migrator([edited, Self.steps[1]]).migrate(on: other)
        #expect(try await migrator.state(on: other) == .changed(number: 1))
    }

    @Test func aScriptIsAppliedAgainWhenItHasChanged() async throws {
        let connection = try await PostgresConnection.connect(TestCluster.database())
        let first = try Migrator([Self.baseline], scripts: [Self.area("depth")])
        #expect(try await first.migrate(on: connection).scripts == ["area"])
        #expect(try await first.migrate(on: connection).isEmpty)
        #expect(try await connection.execute(Area()) == [2])
        let second = try Migrator([Self.baseline], scripts: [Self.area("depth * width")])
        #expect(try await second.state(on: connection) == .scripts(["area"]))
        #expect(try await second.migrate(on: connection) == Migrator.Outcome(scripts: ["area"]))
        #expect(try await connection.execute(Area()) == [6])
        #expect(try await first.state(on: connection) == .scripts(["area"]), "which of them is newer is not known")
    }

    /// Scripts go with the last step that is missing: what a step drops and a script makes anew is never missing.
    @Test func scriptsAreAppliedWithTheLastStep() async throws {
        let connection = try await PostgresConnection.connect(TestCluster.database())
        let bad = SchemaScript(name: "bad", sql: "SELECT 1 / 0")
        let migrator = try Migrator([Self.baseline, Self.next], scripts: [Self.area("depth"), bad])
        let error = await #expect(throws: PostgresError.self) { try await migrator.migrate(on: connection) }
        #expect(error?.message.hasPrefix("script bad: ") == true)
        #expect(try await migrator.state(on: connection) == .behind(next: 4))
        let mended = try Migrator([Self.baseline, Self.next], scripts: [Self.area("depth")])
        #expect(
            try await mended.migrate(on: connection) == Migrator.Outcome(migrations: [Self.next], scripts: ["area"]))
    }

    @Test(arguments: [[1], [2], [4], [3, 5]])
    func aBaselineGoesOnFromWhatItTakesOver(numbers: [Int32]) {
        let error = #expect(throws: PostgresError.self) {
            try Migrator(
                numbers.map {
                    Migration(number: $0, name: "", sql: "", takeover: Takeover(steps: Self.checksums, sql: ""))
                })
        }
        #expect(error?.code == .migration)
    }
}
