import Instants
import Postgres
import Store

/// The last backup that was found good.
struct FindBackup: Statement {
    static let sql = "SELECT snapshot_at, now() FROM backup"

    struct Row: Sendable {
        /// The time up to which everything committed is in the backup; nil where none was made.
        var snapshotAt: Timestamp?
        var now: Timestamp
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(snapshotAt: row.read(), now: row.read())
    }
}
