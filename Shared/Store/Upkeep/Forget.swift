import Instants
package import Postgres
import WaterQuality

/// Drops the oldest partition if all of it is older than the retention and nothing needs it any more. The result is its
/// name. `lockNotAvailable` when a long reader holds the table.
package struct DropOldestPartition: Statement {
    package static let sql = "SELECT drop_oldest_partition($1, $2 * interval '1 us')"

    package enum Table: String, Sendable {
        case samples = "sample"
        case hours = "sample_hour"
    }

    let table: Table
    let keep: Duration

    /// - Parameter keep: The retention, at least 8 days.
    package init(of table: Table, keep: Duration) {
        self.table = table
        self.keep = keep
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(table)
        parameters.append(keep.wholeMicroseconds)
    }

    package static func decode(_ row: inout RowReader) throws -> String? { try row.read() }
}

/// Deletes ended episodes, and test alerts, with everything that belongs to them. The result is the number deleted, at
/// most `limit` of either.
package struct DeleteOldAlerts: Statement {
    package static let sql = "SELECT delete_old_alerts($1 * interval '1 us', $2)"

    let keep: Duration
    let limit: Int32

    /// - Parameter keep: The retention, at least 8 days.
    package init(keep: Duration, limit: Int32) {
        self.keep = keep
        self.limit = limit
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(keep.wholeMicroseconds)
        parameters.append(limit)
    }

    package static func decode(_ row: inout RowReader) throws -> Int32 { try row.read() }
}

/// Removes rejects of more than a week ago; returns how many.
package struct DeleteOldRejects: Statement {
    package static let sql = "SELECT delete_old_rejects($1)"
    let limit: Int32
    package init(limit: Int32) { self.limit = limit }
    package func bind(_ parameters: inout Parameters) { parameters.append(limit) }
    package static func decode(_ row: inout RowReader) throws -> Int32 { try row.read() }
}
