import Instants
import Postgres
import Store
import WaterQuality

/// A page of the audit log, the oldest first. People have their addresses here: the operator knows them.
struct ListAudit: Statement {
    static let sql = """
        SELECT \(AuditEntry.columns), account FROM (
            SELECT e.entry_id, e.at, e.action, e.outcome, e.times, e.actor,
                coalesce(e.actor_name, (SELECT coalesce(a.email, a.display_name) FROM account a WHERE a.account_id = e.actor_id)) AS actor_name,
                (SELECT d.hardware_id FROM device d WHERE d.device_id = e.device_id) AS hardware_id, e.parameter, e.target, e.subject,
                e.changes, e.session_id, e.request, e.network, e.client,
                (SELECT coalesce(a.email, a.display_name) FROM account a WHERE a.account_id = e.account_id) AS account
            FROM audit_entry e
            WHERE e.entry_id > $1 AND e.at >= $2
                AND ($3::bigint IS NULL OR e.account_id = $3 OR e.actor_id = $3 OR e.owner_id = $3)
                AND ($4::text IS NULL OR e.device_id = (SELECT d.device_id FROM device d WHERE d.hardware_id = $4))
                AND ($5::text IS NULL OR e.action = $5 OR split_part(e.action, '.', 1) = $5)
            ORDER BY e.entry_id
            LIMIT $6) AS page
        """

    struct Filter: Sendable {
        var since: Timestamp
        var account: Account.ID?
        var device: Device.HardwareID?
        /// An action, or the noun of several.
        var action: String?
    }

    struct Row: Sendable {
        var entry: AuditEntry
        /// The address of whose account it concerns, on whose behalf an operator, a device or a token acted.
        var account: String?
    }

    let after: Int64
    let filter: Filter
    let limit: Int64

    func bind(_ parameters: inout Parameters) {
        parameters.append(after)
        parameters.append(filter.since)
        parameters.append(filter.account)
        parameters.append(filter.device?.text)
        parameters.append(filter.action)
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> Row { try Row(entry: AuditEntry(&row), account: row.read()) }
}
