import Postgres
import Store
import WaterQuality

/// A page of the named person's audit log, the newest first.
struct PageAudit: Statement {
    static let sql = """
        SELECT \(AuditEntry.columns), is_own FROM person_change
        WHERE ($1::bigint IS NULL OR entry_id < $1) AND ($2::text IS NULL OR hardware_id = $2)
            AND ($3::text IS NULL OR action = $3 OR split_part(action, '.', 1) = $3)
        ORDER BY entry_id DESC
        LIMIT $4
        """

    struct Filter: Sendable {
        var device: Device.HardwareID?
        /// An action, or the noun of several.
        var action: String?
    }

    struct Row: Sendable {
        var entry: AuditEntry
        /// Whether the person did it, by themselves or by a token.
        var isOwn: Bool
        /// The account that the change concerns, for operators; `nil` in a person's own log.
        var account: String?
    }

    let before: Int64?
    let filter: Filter
    let limit: Int64

    /// - Parameter before: The number of the last entry of the page before; `nil` for the first page.
    init(before: Int64?, _ filter: Filter, limit: Int) {
        self.before = before
        self.filter = filter
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(before)
        parameters.append(filter.device?.text)
        parameters.append(filter.action)
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> Row { try Row(entry: AuditEntry(&row), isOwn: row.read()) }
}
