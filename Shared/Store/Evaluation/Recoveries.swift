package import Instants
package import Postgres
package import WaterQuality

/// Takes episodes whose recovery is due for a decision, with the state of their alarms.
package struct TakeDueRecoveries: Statement {
    package static let sql = """
        SELECT e.slot, e.device_id, e.parameter, e.account_id, e.episode_id, e.side, e.opened_at, e.closed_at, e.worst,
            coalesce(e.closed_value, e.worst), told.limit_value, (
                SELECT CASE e.side WHEN 'high' THEN s.maximum ELSE s.minimum END FROM setting s
                WHERE s.slot = e.slot AND s.device_id = e.device_id AND s.account_id = e.account_id
                    AND s.parameter = e.parameter
                ORDER BY s.version DESC LIMIT 1),
            coalesce(told.delivered, false), coalesce(told.pending, false),
            EXISTS (
                SELECT FROM episode o WHERE o.slot = e.slot AND o.device_id = e.device_id
                    AND o.parameter = e.parameter AND o.account_id = e.account_id AND o.kind = e.kind
                    AND o.closed_at IS NULL)
        FROM episode e
        -- the alerts of this watch since the last recovery notice, perhaps of an earlier episode and of the other side,
        -- whose limit is not the one that the recovery notice names, nor is a critical one
        LEFT JOIN LATERAL (
            SELECT bool_or(a.state = 'delivered') AS delivered, bool_or(a.state IN ('decided', 'sending')) AS pending,
                (array_agg(a.limit_value ORDER BY a.alert_id DESC) FILTER (WHERE a.side = e.side AND NOT a.critical))[1] AS limit_value
            FROM alert a
            WHERE a.slot = e.slot AND a.device_id = e.device_id AND a.parameter = e.parameter
                AND a.account_id = e.account_id AND a.kind = e.kind AND a.purpose IN ('alarm', 'reminder')
                AND a.alert_id > coalesce((
                    SELECT max(r.alert_id) FROM alert r
                    WHERE r.slot = e.slot AND r.device_id = e.device_id AND r.parameter = e.parameter
                        AND r.account_id = e.account_id AND r.kind = e.kind AND r.purpose = 'recovery'), 0)
        ) told ON true
        WHERE e.kind = 'range' AND e.recovery_due_at <= now()
        ORDER BY e.recovery_due_at
        LIMIT $1
        FOR UPDATE OF e SKIP LOCKED
        """

    package struct Row: Sendable {
        package var key: WatchKey
        package var episode: Episode.ID
        package var side: Side
        package var openedAt: Timestamp
        package var closedAt: Timestamp
        package var worst: Float
        /// The value of the reading that closed the episode.
        package var closedValue: Float
        /// The limit on the episode's side: the one that the last alarm named, or else the current setting.
        package var limit: Float?
        package var alarm: RecoveryNotice.Alarm
        package var isReopened: Bool
    }

    let limit: Int64
    package init(limit: Int) { self.limit = Int64(limit) }
    package func bind(_ parameters: inout Parameters) { parameters.append(limit) }

    package static func decode(_ row: inout RowReader) throws -> Row {
        let key = try WatchKey(&row)
        let (episode, side): (Episode.ID, Side) = try (row.read(), row.read())
        let (openedAt, closedAt): (Timestamp, Timestamp) = try (row.read(), row.read())
        let (worst, closedValue): (Float, Float) = try (row.read(), row.read())
        let (named, set): (Float?, Int32?) = try (row.read(), row.read())
        return try Row(
            key: key, episode: episode, side: side, openedAt: openedAt, closedAt: closedAt, worst: worst,
            closedValue: closedValue, limit: named ?? set.map { key.parameter.value(of: Steps($0)) },
            alarm: RecoveryNotice.Alarm(anyDelivered: row.read(), anyPending: row.read()), isReopened: row.read())
    }
}

/// Settles recoveries that were taken: each is decided again later, or is done.
package struct SettleRecoveries: Statement {
    package static let sql = """
        UPDATE episode e SET recovery_due_at = CASE WHEN n.again THEN now() + interval '10 s' END
        FROM unnest($1::smallint[], $2::bigint[], $3::boolean[]) AS n (slot, episode_id, again)
        WHERE e.slot = n.slot AND e.episode_id = n.episode_id
        """

    let settled: [(episode: EpisodeKey, again: Bool)]
    package init(_ settled: [(episode: EpisodeKey, again: Bool)]) { self.settled = settled }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(settled.map(\.episode))
        parameters.append(settled.map(\.again))
    }
}

/// Makes recoveries due at once whose time lies further ahead than any delay can put it. The clock was set back since.
package struct HastenRecoveries: Statement {
    package static let sql = """
        WITH beyond AS (
            SELECT slot, episode_id FROM episode WHERE recovery_due_at > now() + $1 * interval '1 us'
            ORDER BY recovery_due_at DESC
            LIMIT 1000
            FOR UPDATE SKIP LOCKED
        )
        UPDATE episode e SET recovery_due_at = now()
        FROM beyond WHERE e.slot = beyond.slot AND e.episode_id = beyond.episode_id
        """
    let latest: Duration

    /// - Parameter latest: The furthest from now that a recovery may be due.
    package init(latest: Duration) { self.latest = latest }
    package func bind(_ parameters: inout Parameters) { parameters.append(latest.wholeMicroseconds) }
}
