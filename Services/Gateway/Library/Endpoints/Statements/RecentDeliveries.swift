import Instants
import Postgres
import Store
import WaterQuality

/// Deliveries of a person's last seven days to one endpoint, and the SQL that finds them.
///
/// A delivery is found by its alert, of which the newest are looked at; what a person got before them is not counted.
struct RecentDeliveries: Sendable {
    /// Most alerts that are looked at.
    static let most = 5000
    static let period = Duration.seconds(6 * 3600)
    static let periods = 28

    /// The person's newest alerts of the last seven days before `$3`.
    static let alerts = """
        SELECT a.* FROM alert a
        WHERE a.account_id = $1 AND a.decided_at > $3::timestamptz - interval '7 days'
        ORDER BY a.decided_at DESC
        LIMIT \(most)
        """

    /// The delivery of the alert `r` to the endpoint `$2`, looked up for each alert, however many the planner expects.
    static let delivery = """
        LATERAL (
            SELECT d.* FROM delivery d
            WHERE d.slot = r.slot AND d.alert_id = r.alert_id AND d.endpoint_id = $2 OFFSET 0)
        """

    /// Whether the endpoint took the delivery `d`: a browser that says so is known to have it, whatever its push service answered.
    static let isTaken = "(d.state = 'accepted' OR d.arrived_at IS NOT NULL)"

    /// Whether the endpoint did not take the delivery `d`, for good or so far. What was given up before anything was sent is neither.
    static let isUntaken = """
        (d.arrived_at IS NULL AND (d.state IN ('failed', 'stale') OR d.state IN ('pending', 'cancelled') AND EXISTS (
            SELECT FROM delivery_attempt t
            WHERE t.slot = d.slot AND t.alert_id = d.alert_id AND t.endpoint_id = d.endpoint_id
                AND t.outcome IN ('retry', 'ambiguous', 'gone'))))
        """

    let endpoint: Endpoint.ID
    let account: Account.ID
    let until: Timestamp

    init(to endpoint: Endpoint.ID, of account: Account.ID, until: Timestamp) {
        self.endpoint = endpoint
        self.account = account
        self.until = until
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(endpoint)
        parameters.append(until)
    }
}

/// Counts what an endpoint took and did not take of a person's last seven days, by stretches of six hours in which there were alerts.
struct CountEndpointDeliveries: Statement {
    static let sql = """
        WITH recent AS MATERIALIZED (
            \(RecentDeliveries.alerts)
        )
        SELECT least(floor(extract(epoch FROM r.decided_at - ($3::timestamptz - interval '7 days')) / 21600), 27)::integer,
            count(*), min(r.decided_at), count(*) FILTER (WHERE \(RecentDeliveries.isTaken)),
            count(*) FILTER (WHERE \(RecentDeliveries.isUntaken))
        FROM recent r LEFT JOIN \(RecentDeliveries.delivery) d ON true
        GROUP BY 1
        ORDER BY 1
        """

    struct Row: Sendable {
        /// The number of the stretch, from 0 on.
        var period: Int32
        /// The person's alerts in it, wherever they went.
        var alerts: Int64
        var oldest: Timestamp
        var taken: Int64
        var untaken: Int64
    }

    let recent: RecentDeliveries
    init(_ recent: RecentDeliveries) { self.recent = recent }
    func bind(_ parameters: inout Parameters) { recent.bind(&parameters) }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            period: row.read(), alerts: row.read(), oldest: row.read(), taken: row.read(), untaken: row.read())
    }
}

/// Lists the newest alerts of a person's last seven days that an endpoint did not take, with its last answer. Tests and
/// weekly notes are left out: nobody missed anything.
struct ListUntakenAlerts: Statement {
    static let most = 20

    static let sql = """
        WITH recent AS MATERIALIZED (
            \(RecentDeliveries.alerts)
        ), chosen AS (
            SELECT r.*, d.state AS delivery_state, t.outcome, t.status
            FROM recent r
            JOIN \(RecentDeliveries.delivery) d ON r.kind NOT IN ('test', 'proof') AND \(RecentDeliveries.isUntaken)
            -- the last that was sent; how it was given up says nothing of the endpoint
            LEFT JOIN LATERAL (
                SELECT t.outcome, t.status FROM delivery_attempt t
                WHERE t.slot = d.slot AND t.alert_id = d.alert_id AND t.endpoint_id = d.endpoint_id
                ORDER BY t.outcome = 'refused', t.attempt DESC LIMIT 1) t ON true
            ORDER BY r.decided_at DESC
            LIMIT \(most)
        )
        \(StoredAlert.listing(beside: ["delivery_state", "outcome", "status"]))
        ORDER BY a.decided_at DESC, a.slot DESC, a.alert_id DESC
        """

    struct Row: Sendable {
        var alert: StoredAlert
        var state: Word<Delivery.State>
        /// How the last attempt ended; nil where none was made in time.
        var outcome: Word<Delivery.Outcome>?
        var status: Int16?
    }

    let recent: RecentDeliveries
    init(_ recent: RecentDeliveries) { self.recent = recent }
    func bind(_ parameters: inout Parameters) { recent.bind(&parameters) }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(alert: StoredAlert(listed: &row), state: row.read(), outcome: row.read(), status: row.read())
    }
}
