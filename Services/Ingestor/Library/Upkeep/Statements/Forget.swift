import Instants
import Postgres
import Store
import WaterQuality

/// Drops the oldest partition if all of it is past the retention and nothing needs it any more. The result is its name.
/// `lockNotAvailable` when a long reader holds the table.
struct DropOldestPartition: Statement {
    static let sql = "SELECT drop_oldest_partition($1, $2 * interval '1 us')"

    enum Table: String, Sendable {
        case samples = "sample"
        case hours = "sample_hour"
        case audit = "audit_entry"
    }

    let table: Table
    let keep: Duration

    /// - Parameter keep: The retention, at least 8 days.
    init(of table: Table, keep: Duration) {
        self.table = table
        self.keep = keep
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(table)
        parameters.append(keep.wholeMicroseconds)
    }

    static func decode(_ row: inout RowReader) throws -> String? { try row.read() }
}

/// Deletes ended episodes, and test alerts, with everything that belongs to them. The result is the number deleted, at
/// most `limit` of either.
struct DeleteOldAlerts: Statement {
    static let sql = "SELECT delete_old_alerts($1 * interval '1 us', $2)"

    /// The retention, at least 8 days.
    let keep: Duration
    let limit: Int32

    func bind(_ parameters: inout Parameters) {
        parameters.append(keep.wholeMicroseconds)
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> Int32 { try row.read() }
}

/// Deletes positions of days whose readings are past their retention, and returns how many, at most `limit`.
struct DeleteOldPositions: Statement {
    static let sql = "SELECT delete_old_positions($1 * interval '1 us', $2)"

    /// The retention of samples, at least 8 days.
    let keep: Duration
    let limit: Int32

    func bind(_ parameters: inout Parameters) {
        parameters.append(keep.wholeMicroseconds)
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> Int32 { try row.read() }
}

/// Removes rejects older than a week, and returns how many.
struct DeleteOldRejects: Statement {
    static let sql = "SELECT delete_old_rejects($1)"
    let limit: Int32
    func bind(_ parameters: inout Parameters) { parameters.append(limit) }
    static func decode(_ row: inout RowReader) throws -> Int32 { try row.read() }
}
