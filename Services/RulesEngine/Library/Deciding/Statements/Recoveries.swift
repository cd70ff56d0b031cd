import Instants
import Postgres
import Store
import WaterQuality

/// Takes episodes whose recovery is due for a decision, with the state of their alarms and what is known of the water since.
struct TakeDueRecoveries: Statement {
    static let sql = """
        SELECT e.slot, e.device_id, e.parameter, e.account_id, e.episode_id, coalesce(a.side, e.side),
            coalesce(a.opened_at, e.opened_at), e.closed_at, coalesce(o.worst, a.worst, e.worst),
            coalesce(e.closed_value, e.worst), CASE WHEN NOT a.critical THEN a.limit_value END, (
                -- as it was set when the alarm was decided, or else as it is
                SELECT CASE coalesce(a.side, e.side) WHEN 'high' THEN s.maximum ELSE s.minimum END FROM setting s
                WHERE s.slot = e.slot AND s.device_id = e.device_id AND s.account_id = e.account_id
                    AND s.parameter = e.parameter
                ORDER BY s.valid_from <= a.decided_at DESC NULLS LAST, s.version DESC LIMIT 1),
            told.alert_id IS NOT NULL, coalesce(told.pending, false), coalesce(a.unstable, false),
            EXISTS (
                SELECT FROM episode o WHERE o.slot = e.slot AND o.device_id = e.device_id
                    AND o.parameter = e.parameter AND o.account_id = e.account_id AND o.kind = e.kind
                    AND o.closed_at IS NULL),
            \(CalmWater.mayEnd(of: "e", floors: "$2::bigint[]")), \(CalmWater.newestReading(of: "e")),
            \(CalmWater.closedAt("e"))
        FROM episode e
        \(CalmWater.closing("e"))
        -- the alerts of this watch since the last recovery notice, perhaps of an earlier episode and of the other side
        LEFT JOIN LATERAL (
            SELECT \(ToldAlarms.summary("a", of: "e"))
            FROM alert a
            WHERE a.slot = e.slot AND a.device_id = e.device_id AND a.parameter = e.parameter
                AND a.account_id = e.account_id AND a.kind = e.kind AND \(ToldAlarms.isAlarm("a", of: "e"))
                AND a.alert_id > coalesce((
                    SELECT max(r.alert_id) FROM alert r
                    WHERE r.slot = e.slot AND r.device_id = e.device_id AND r.parameter = e.parameter
                        AND r.account_id = e.account_id AND r.kind = e.kind
                        AND \(ToldAlarms.isAllClear("r", before: "e"))), 0)
        ) told ON true
        -- the last one that arrived, which the notice ends
        LEFT JOIN alert a ON a.slot = e.slot AND a.alert_id = told.alert_id
        LEFT JOIN episode o ON o.slot = a.slot AND o.episode_id = a.episode_id
        WHERE e.kind = 'range' AND e.recovery_due_at <= now()
        ORDER BY e.recovery_due_at
        LIMIT $1
        FOR UPDATE OF e SKIP LOCKED
        """

    struct Row: Sendable {
        var key: WatchKey
        var episode: Episode.ID
        /// Of what the person was told, like the next, the worst value and the limit.
        var side: Side
        var openedAt: Timestamp
        var closedAt: Timestamp
        var worst: Float
        /// The value of the reading that closed the episode.
        var closedValue: Float
        /// The limit on that side when the alarm was decided, never a critical one.
        var limit: Float?
        var alarm: RecoveryNotice.Alarm
        /// Whether the alarm said that the water is unstable.
        var isUnstable: Bool
        var isReopened: Bool
        var calm: RecoveryNotice.Calm
        /// When it was closed by our clock.
        var closedByOurClock: Timestamp
    }

    let limit: Int64
    let floors: [SlotFloor]

    /// - Parameter floors: Of every slot.
    init(limit: Int, floors: [SlotFloor]) {
        self.limit = Int64(limit)
        self.floors = floors
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(limit)
        parameters.append(floors.sorted { $0.slot < $1.slot }.map(\.floor))
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        let key = try WatchKey(&row)
        let (episode, side): (Episode.ID, Side) = try (row.read(), row.read())
        let (openedAt, closedAt): (Timestamp, Timestamp) = try (row.read(), row.read())
        let (worst, closedValue): (Float, Float) = try (row.read(), row.read())
        let (named, set): (Float?, Int32?) = try (row.read(), row.read())
        return try Row(
            key: key, episode: episode, side: side, openedAt: openedAt, closedAt: closedAt, worst: worst,
            closedValue: closedValue, limit: named ?? set.map { key.parameter.value(of: Steps($0)) },
            alarm: RecoveryNotice.Alarm(anyDelivered: row.read(), anyPending: row.read()), isUnstable: row.read(),
            isReopened: row.read(), calm: RecoveryNotice.Calm(&row), closedByOurClock: row.read())
    }
}

extension RecoveryNotice.Calm {
    /// Whether readings wait, and the time of the newest one.
    init(_ row: inout RowReader) throws {
        let (mayEnd, newest) = try (row.read(Bool.self), row.read(Timestamp?.self))
        self = mayEnd ? .unknown : .until(newest)
    }
}

/// Settles recoveries that were taken: each is decided again later, or is done.
struct SettleRecoveries: Statement {
    static let sql = """
        UPDATE episode e SET recovery_due_at = n.again_at
        FROM unnest($1::smallint[], $2::bigint[], $3::timestamptz[]) AS n (slot, episode_id, again_at)
        WHERE e.slot = n.slot AND e.episode_id = n.episode_id
        """

    typealias Settled = (episode: EpisodeKey, againAt: Timestamp?)

    let settled: [Settled]
    init(_ settled: [Settled]) { self.settled = settled }

    func bind(_ parameters: inout Parameters) {
        parameters.append(settled.map(\.episode))
        parameters.append(settled.map(\.againAt))
    }
}

/// Makes recoveries due at once whose time lies further ahead than any delay can put it. The clock was set back since.
struct HastenRecoveries: Statement {
    static let sql = """
        WITH beyond AS (
            SELECT slot, episode_id FROM episode WHERE recovery_due_at > now() + $1 * interval '1 us'
            ORDER BY recovery_due_at DESC
            LIMIT 1000
            FOR UPDATE SKIP LOCKED
        )
        UPDATE episode e SET recovery_due_at = now()
        FROM beyond WHERE e.slot = beyond.slot AND e.episode_id = beyond.episode_id
        """
    /// The furthest from now that a recovery may be due.
    let latest: Duration

    func bind(_ parameters: inout Parameters) { parameters.append(latest.wholeMicroseconds) }
}
