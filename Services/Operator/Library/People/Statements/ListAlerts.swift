import Instants
import Postgres
import Store
import WaterQuality

/// A person's alerts since a time, oldest first, with their results.
struct ListAlerts: Statement {
    static let sql = """
        WITH chosen AS (
            SELECT a.* FROM alert a WHERE a.account_id = $1 AND a.decided_at >= $2
            ORDER BY a.decided_at, a.alert_id
            LIMIT $3
        )
        \(StoredAlert.listing)
        ORDER BY a.decided_at, a.alert_id
        """

    let account: Account.ID
    let since: Timestamp
    let limit: Int64

    init(account: Account.ID, since: Timestamp, limit: Int) {
        self.account = account
        self.since = since
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(since)
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> StoredAlert { try StoredAlert(listed: &row) }
}
