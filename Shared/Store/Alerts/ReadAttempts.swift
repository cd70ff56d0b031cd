package import Instants
package import Postgres
package import WaterQuality

/// The deliveries of an alert, each with its attempts; a delivery that was not tried yet has one row without.
package struct ReadAttempts: Statement {
    package static let sql = """
        SELECT d.endpoint_id, e.channel, e.target, d.state, d.ended_at,
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

    package struct Row: Sendable {
        package var endpoint: Endpoint.ID
        package var channel: Endpoint.Channel?
        package var target: String?
        package var state: Delivery.State
        package var endedAt: Timestamp?
        /// Of one that is pending.
        package var nextAttemptAt: Timestamp?
        package var attempt: Attempt?
    }

    package struct Attempt: Sendable {
        package var startedAt: Timestamp
        package var durationMicroseconds: Int64
        package var outcome: Delivery.Outcome
        package var status: Int16?
        package var detail: String
    }

    let alert: AlertKey
    package init(of alert: AlertKey) { self.alert = alert }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(alert.slot)
        parameters.append(alert.alert)
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        var result = try Row(
            endpoint: row.read(), channel: row.read(), target: row.read(), state: row.read(), endedAt: row.read(),
            nextAttemptAt: row.read())
        let number: Int16? = try row.read()
        let startedAt: Timestamp? = try row.read()
        let duration: Int64? = try row.read()
        let outcome: Delivery.Outcome? = try row.read()
        let status: Int16? = try row.read()
        let detail: String? = try row.read()
        if number != nil, let startedAt, let duration, let outcome, let detail {
            result.attempt = Attempt(
                startedAt: startedAt, durationMicroseconds: duration, outcome: outcome, status: status, detail: detail)
        }
        return result
    }
}
