import Instants
import Postgres
import Store
import WaterQuality

/// The deliveries of an alert, each with its attempts; a delivery that was not tried yet has one row without.
struct ReadAttempts: Statement {
    static let sql = """
        SELECT d.endpoint_id, e.channel, e.target, d.state, d.ended_at, d.arrived_at,
            CASE WHEN d.state = 'pending' THEN d.next_attempt_at END,
            t.attempt, t.started_at, t.duration_us, t.outcome, t.status, t.detail
        FROM delivery d
        -- one that moved to another person since is theirs to see no more
        LEFT JOIN endpoint e ON e.endpoint_id = d.endpoint_id AND e.account_id = d.account_id
        LEFT JOIN delivery_attempt t
            ON t.slot = d.slot AND t.alert_id = d.alert_id AND t.endpoint_id = d.endpoint_id
        WHERE d.slot = $1 AND d.alert_id = $2
        ORDER BY d.endpoint_id, t.started_at, t.attempt
        LIMIT 2000
        """

    struct Row: Sendable {
        var endpoint: Endpoint.ID
        var channel: Word<Endpoint.Channel>?
        var target: String?
        var state: Word<Delivery.State>
        var endedAt: Timestamp?
        /// When it arrived, as the browser itself said.
        var arrivedAt: Timestamp?
        /// Of one that is pending.
        var nextAttemptAt: Timestamp?
        var attempt: Attempt?
    }

    struct Attempt: Sendable {
        var startedAt: Timestamp
        var durationMicroseconds: Int64
        var outcome: Word<Delivery.Outcome>
        var status: Int16?
        var detail: String
    }

    let alert: AlertKey
    init(of alert: AlertKey) { self.alert = alert }

    func bind(_ parameters: inout Parameters) {
        parameters.append(alert.slot)
        parameters.append(alert.alert)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        var result = try Row(
            endpoint: row.read(), channel: row.read(), target: row.read(), state: row.read(), endedAt: row.read(),
            arrivedAt: row.read(), nextAttemptAt: row.read())
        let number: Int16? = try row.read()
        let startedAt: Timestamp? = try row.read()
        let duration: Int64? = try row.read()
        let outcome: Word<Delivery.Outcome>? = try row.read()
        let status: Int16? = try row.read()
        let detail: String? = try row.read()
        if number != nil, let startedAt, let duration, let outcome, let detail {
            result.attempt = Attempt(
                startedAt: startedAt, durationMicroseconds: duration, outcome: outcome, status: status, detail: detail)
        }
        return result
    }
}
