import Postgres
import Store
import WaterQuality

/// Finds what can be sent again of what an endpoint did not take: of each episode that is open the last word, where it names the limit that is
/// set. What is over, what the endpoint got a later word of, and what is on its way already is not among it.
struct FindSendableAgain: Statement {
    /// Most alerts that are sent again at once.
    static let most = 5

    static let sql = """
        WITH recent AS MATERIALIZED (
            \(RecentDeliveries.alerts)
        ), last AS (
            SELECT DISTINCT ON (r.slot, r.episode_id) r.*, d.state <> 'pending' AND \(RecentDeliveries.isUntaken) AS is_untaken
            FROM recent r JOIN \(RecentDeliveries.delivery) d ON true
            WHERE r.purpose IN ('alarm', 'reminder') AND NOT r.ended AND r.decided_at > $3::timestamptz - interval '1 day'
            ORDER BY r.slot, r.episode_id, r.decided_at DESC, r.alert_id DESC
        )
        SELECT l.slot, l.alert_id FROM last l
        JOIN episode o ON o.slot = l.slot AND o.episode_id = l.episode_id AND o.closed_at IS NULL
        \(AlertTruth.current("s", of: "l"))
        WHERE l.is_untaken AND l.state <> 'cancelled' AND NOT \(AlertTruth.limitHasChanged(since: "l", to: "s"))
            AND EXISTS (SELECT FROM usable_endpoint u WHERE u.endpoint_id = $2 AND u.account_id = $1)
        ORDER BY l.decided_at DESC, l.alert_id DESC
        LIMIT \(most)
        """

    let recent: RecentDeliveries
    init(_ recent: RecentDeliveries) { self.recent = recent }
    func bind(_ parameters: inout Parameters) { recent.bind(&parameters) }
    static func decode(_ row: inout RowReader) throws -> AlertKey { try AlertKey(&row) }
}

/// Puts alerts on their way to an endpoint once more that it did not take. A Notifier looks whether they hold before it sends them.
struct SendAgain: Statement {
    static let sql = "SELECT outcome, sent FROM send_again($1, $2, $3, $4, $5)"

    /// The result. The raw values are the database's.
    enum Outcome: String, Sendable { case sent, nowhere, tooMany }

    struct Row: Sendable {
        var outcome: Outcome
        var sent: Int32
    }

    let alerts: [AlertKey]
    let endpoint: Endpoint.ID
    let account: Account.ID
    let most: Int32

    /// - Parameter most: The most that a person has sent again in ten minutes.
    init(_ alerts: [AlertKey], to endpoint: Endpoint.ID, of account: Account.ID, most: Int32) {
        self.alerts = alerts
        self.endpoint = endpoint
        self.account = account
        self.most = most
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(endpoint)
        parameters.append(alerts)
        parameters.append(most)
    }

    static func decode(_ row: inout RowReader) throws -> Row { try Row(outcome: row.read(), sent: row.read()) }
}
