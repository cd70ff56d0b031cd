import TestSupport
import Testing

@testable import Postgres

@Suite(.timeLimit(.minutes(5))) struct MigratorTests {
    static let tanks = Migration(
        number: 1, name: "tanks", sql: "CREATE TABLE tank (id integer); CREATE TABLE pond (id integer)")
    static let row = Migration(number: 2, name: "row", sql: "INSERT INTO tank VALUES (1)")
    static let third = Migration(number: 3, name: "another row", sql: "INSERT INTO tank VALUES (2)")

    struct CountTanks: Statement {
        static let sql = "SELECT FROM tank"
    }
    struct Names: Statement {
        static let sql = "SELECT name FROM schema_migration ORDER BY number"
        static func decode(_ row: inout RowReader) throws -> String { try row.read() }
    }

    @Test func appliesWhatIsMissingOnce() async throws {
        let connection = try await PostgresConnection.connect(TestCluster.database())
        let short = try Migrator([Self.row, Self.tanks])
        #expect(try await short.state(on: connection) == .behind(next: 1))
        #expect(try await short.migrate(on: connection).migrations == [Self.tanks, Self.row])
        #expect(try await short.migrate(on: connection).isEmpty)
        #expect(try await short.state(on: connection) == .upToDate)
        let long = try Migrator([Self.tanks, Self.row, Self.third])
        #expect(try await long.state(on: connection) == .behind(next: 3))
        #expect(try await long.migrate(on: connection).migrations == [Self.third])
        #expect(try await connection.execute(Names()) == ["tanks", "row", "another row"])
        #expect(try await connection.perform(CountTanks()) == 2)
        #expect(try await short.state(on: connection) == .ahead(newest: 3))
    }

    @Test func refusesAChangedPastANewerDatabaseAndAGap() async throws {
        let connection = try await PostgresConnection.connect(TestCluster.database())
        _ = try await Migrator([Self.tanks, Self.row]).migrate(on: connection)
        let edited = Migration(number: 1, name: "tanks", sql: Self.tanks.sql + " ")
        let changed = try Migrator([edited, Self.row, Self.third])
        #expect(try await changed.state(on: connection) == .changed(number: 1))
        try await expectRefusal("Migration 1 was changed", changed, connection)
        try await expectRefusal("has migration 2, which this program does not know", Migrator([Self.tanks]), connection)
        try await connection.executeScript("DELETE FROM schema_migration WHERE number = 1")
        try await expectRefusal("lacks migration 1 but has later ones", Migrator([Self.tanks, Self.row]), connection)
        #expect(try await connection.perform(CountTanks()) == 1)
    }

    /// A step whose text had to change; a database that applied the former text has the same schema.
    @Test func aFormerTextIsAsGood() async throws {
        let connection = try await PostgresConnection.connect(TestCluster.database())
        _ = try await Migrator([Self.tanks, Self.row]).migrate(on: connection)
        // printf '%s' "$text" | sha256sum
        let former = "2816d2e4e3f279570992f1290759bff46c8b4de4eac2fe53b0c7a6bf53e42425"
        let revised = Migration(
            number: 1, name: "tanks", sql: "CREATE TABLE tank (id integer)", formerChecksums: ["00", former])
        let migrator = try Migrator([revised, Self.row, Self.third])
        #expect(try await migrator.state(on: connection) == .behind(next: 3))
        #expect(try await migrator.migrate(on: connection).migrations == [Self.third])
        #expect(try await migrator.state(on: connection) == .upToDate)
        let other = Migration(number: 1, name: "tanks", sql: revised.sql, formerChecksums: ["00"])
        #expect(try await Migrator([other, Self.row, Self.third]).state(on: connection) == .changed(number: 1))
    }

    private func expectRefusal(_ words: String, _ migrator: Migrator, _ connection: PostgresConnection) async throws {
        let error = await #expect(throws: PostgresError.self) { try await migrator.migrate(on: connection) }
        #expect(error?.code == .migration)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test func aFailingMigrationLeavesTheOnesBeforeIt() async throws {
        let connection = try await PostgresConnection.connect(TestCluster.database())
        let bad = Migration(number: 2, name: "bad", sql: "INSERT INTO tank VALUES (7); SELECT 1 / 0")
        let migrator = try Migrator([Self.tanks, bad])
        let error = await #expect(throws: PostgresError.self) { try await migrator.migrate(on: connection) }
        #expect(error?.sqlState == "22012")
        #expect(error?.message.hasPrefix("migration 2 (bad): ") == true)
        #expect(try await migrator.state(on: connection) == .behind(next: 2))
        #expect(try await connection.perform(CountTanks()) == 0)
    }

    @Test func concurrentMigratorsShareTheWork() async throws {
        let configuration = try await TestCluster.database()
        let migrations =
            [Self.tanks]
            + (2...20).map { Migration(number: $0, name: "row \($0)", sql: "INSERT INTO tank VALUES (\($0))") }
        let migrator = try Migrator(migrations)
        let applied = try await withThrowingTaskGroup(of: [Migration].self) { group in
            for _ in 1...4 {
                group.addTask { try await migrator.migrate(on: PostgresConnection.connect(configuration)).migrations }
            }
            return try await group.reduce([], +)
        }
        #expect(applied.map(\.number).sorted() == Array(1...20))
        let connection = try await PostgresConnection.connect(configuration)
        #expect(try await connection.perform(CountTanks()) == 19)
    }

    @Test(arguments: [[1, 3], [2], [1, 1], [0, 1]])
    func numbersBeginAtOneWithoutGaps(numbers: [Int32]) {
        let error = #expect(throws: PostgresError.self) {
            try Migrator(numbers.map { Migration(number: $0, name: "", sql: "") })
        }
        #expect(error?.code == .migration)
    }

    @Test func everyStateButOneNamesTheCommand() {
        let states: [MigrationState] = [
            .behind(next: 3), .ahead(newest: 9), .changed(number: 2), .gap(missing: 1),
            .scripts(["live"]), .tooOld(version: 2, takenOver: 4),
        ]
        for state in states { #expect(state.refusal()?.contains("`aqua migrate`") == true) }
        #expect(MigrationState.upToDate.refusal() == nil)
    }
}
