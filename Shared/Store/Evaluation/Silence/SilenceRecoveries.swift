package import Instants
package import Postgres
package import WaterQuality

/// Takes silences whose recovery is due for a decision, with the state of their alarms.
package struct TakeDueSilenceRecoveries: Statement {
    package static let sql = """
        SELECT e.slot, e.device_id, e.parameter, e.account_id, e.episode_id, e.opened_at, e.closed_at,
            coalesce(told.delivered, false), coalesce(told.pending, false),
            EXISTS (SELECT FROM episode o WHERE o.slot = e.slot AND o.device_id = e.device_id
                AND o.parameter IS NOT DISTINCT FROM e.parameter AND o.account_id = e.account_id
                AND o.kind = 'silence' AND o.closed_at IS NULL)
        FROM episode e
        LEFT JOIN LATERAL (
            SELECT bool_or(a.state = 'delivered') AS delivered, bool_or(a.state IN ('decided', 'sending')) AS pending
            FROM (
                SELECT state, count(*) FILTER (WHERE purpose = 'recovery') OVER (ORDER BY alert_id DESC) AS recoveries
                FROM ( -- few others were decided meanwhile: what is silent is not out of range
                    (SELECT alert_id, kind, purpose, state FROM alert a
                    WHERE a.slot = e.slot AND a.device_id = e.device_id AND a.parameter = e.parameter
                        AND a.account_id = e.account_id
                    ORDER BY alert_id DESC LIMIT 200)
                    UNION ALL
                    (SELECT alert_id, kind, purpose, state FROM alert a
                    WHERE a.slot = e.slot AND a.device_id = e.device_id AND a.parameter IS NULL
                        AND e.parameter IS NULL AND a.account_id = e.account_id
                    ORDER BY alert_id DESC LIMIT 200)) latest
                WHERE kind = 'silence'
            ) a
            WHERE a.recoveries = 0 -- since the last recovery notice, also of silences before this one
        ) told ON true
        WHERE e.kind = 'silence' AND e.recovery_due_at <= now()
        ORDER BY e.recovery_due_at
        LIMIT $1
        FOR UPDATE OF e SKIP LOCKED
        """

    package struct Row: Sendable {
        package var key: SilenceKey
        package var account: Account.ID
        package var episode: Episode.ID
        package var heardAt: Timestamp
        package var closedAt: Timestamp
        package var alarm: RecoveryNotice.Alarm
        package var isReopened: Bool
    }

    let limit: Int64
    package init(limit: Int) { self.limit = Int64(limit) }
    package func bind(_ parameters: inout Parameters) { parameters.append(limit) }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            key: SilenceKey(&row), account: row.read(), episode: row.read(), heardAt: row.read(),
            closedAt: row.read(), alarm: RecoveryNotice.Alarm(anyDelivered: row.read(), anyPending: row.read()),
            isReopened: row.read())
    }
}
