package import Instants
package import Postgres

/// The last backup that was found good.
package struct FindBackup: Statement {
    package static let sql = "SELECT snapshot_at, now() FROM backup"

    package struct Row: Sendable {
        /// What was committed by then is in the backup; nil where none was made.
        package var snapshotAt: Timestamp?
        package var now: Timestamp

        package init(snapshotAt: Timestamp?, now: Timestamp) {
            self.snapshotAt = snapshotAt
            self.now = now
        }
    }

    package init() {}

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(snapshotAt: row.read(), now: row.read())
    }
}
