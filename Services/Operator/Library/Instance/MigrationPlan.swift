import Instants
import Postgres
import ServiceKit
import Store

/// A preview of `aqua migrate`: its steps, and notes for the operator.
struct MigrationPlan: Report {
    /// Migrations that the database lacks, in their order.
    var steps: [MigrationReport.Step]
    /// Names of the scripts that have changed, where no migration is lacking.
    var scripts: [String] = []
    /// The schema's present version; 0 for an empty database.
    var from: Int32
    var version: Int32
    /// Notes for the operator, such as the order in which copies are to be upgraded.
    var notes: [String]
    /// Whether the services of the former version have to be stopped first. `deploy/upgrade` reads this name.
    var asksForStop: Bool
    /// The time of the last good backup.
    var backup: String?

    /// - Throws: `invalidInput` where the program may not migrate this database.
    static func read(on connection: PostgresConnection) async throws -> MigrationPlan {
        let migrator = try Schema.migrator()
        let state = try await migrator.state(on: connection)
        var missing: [Migration] = []
        var scripts: [String] = []
        switch state {
        case .upToDate: break
        case .scripts(let changed): scripts = changed
        case .behind(let next): missing = migrator.migrations.filter { $0.number >= next }
        default: throw OperatorError(.invalidInput, state.refusal() ?? "")
        }
        let from = try await migrator.version(on: connection)
        let notes = from == 0 ? [] : UpgradeNote.needed(for: missing.map(\.number))
        return MigrationPlan(
            steps: missing.map { .init(number: $0.number, name: $0.name) }, scripts: scripts, from: from,
            version: Int32(Schema.version),
            notes: notes.map(\.text), asksForStop: notes.contains(where: \.asksForStop),
            backup: try await connection.execute(FindBackupTable()).first == true
                ? try await connection.execute(FindBackup()).first?.snapshotAt?.iso8601 : nil)
    }

    var text: String {
        guard scripts.isEmpty else {
            return "Would apply the functions that have changed: \(scripts.joined(separator: ", "))"
        }
        guard !steps.isEmpty else { return "Nothing to do: the schema has version \(version) already." }
        let planned = steps.map { "Would apply \($0.number) \($0.name)" }
        guard from > 0 else { return (planned + ["The database is empty."]).joined(separator: "\n") }
        return
            (planned + notes + [
                "There is no way back from schema \(version) to \(from) but a backup: programs of the former version that start later end.",
                backup.map { "The last good backup is of \($0)." } ?? "No backup is known: run deploy/backup first.",
            ]).joined(separator: "\n")
    }
}

/// Whether the schema has the table of backups.
private struct FindBackupTable: Statement {
    static let sql = "SELECT to_regclass('backup') IS NOT NULL"
    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}
