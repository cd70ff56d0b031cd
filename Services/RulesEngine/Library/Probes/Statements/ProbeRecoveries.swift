import Instants
import Postgres
import Store
import WaterQuality

/// Takes episodes of the kinds beside range whose recovery is due for a decision, with the state of their alarms.
struct TakeDueProbeRecoveries: Statement {
    static let sql = """
        SELECT e.slot, e.device_id, e.parameter, e.account_id, e.kind, e.episode_id, e.opened_at, e.closed_at,
            told.alert_id IS NOT NULL, coalesce(told.pending, false),
            EXISTS (SELECT FROM episode o WHERE o.slot = e.slot AND o.device_id = e.device_id
                AND o.parameter IS NOT DISTINCT FROM e.parameter AND o.account_id = e.account_id
                AND o.kind = e.kind AND o.closed_at IS NULL), e.flat_at,
            coalesce(\(AlertTruth.limitHasChanged(since: "a", to: "s")), false),
            \(CalmWater.mayEnd(of: "e", floors: "$2::bigint[]")), \(CalmWater.newestReading(of: "e")),
            \(CalmWater.closedAt("e"))
        FROM episode e
        \(CalmWater.closing("e"))
        LEFT JOIN LATERAL (
            SELECT \(ToldAlarms.summary("a", of: "e"))
            FROM (
                SELECT alert_id, state, purpose, ended, decided_at,
                    count(*) FILTER (WHERE \(ToldAlarms.isAllClear("latest", before: "e")))
                        OVER (ORDER BY alert_id DESC) AS recoveries
                FROM ( -- The watch's latest alerts of every kind, among which those of this one are sought. Others may be many:
                    -- with an interval of a minute, values out of range make 200 in some hours. The episode's own alert,
                    -- the latest that was made, is therefore looked up by its number.
                    (SELECT \(columns) FROM alert a
                    WHERE a.slot = e.slot AND a.device_id = e.device_id AND a.parameter = e.parameter
                        AND a.account_id = e.account_id
                    ORDER BY alert_id DESC LIMIT 200)
                    UNION ALL
                    (SELECT \(columns) FROM alert a
                    WHERE a.slot = e.slot AND a.device_id = e.device_id AND a.parameter IS NULL
                        AND e.parameter IS NULL AND a.account_id = e.account_id
                    ORDER BY alert_id DESC LIMIT 200)
                    UNION
                    SELECT \(columns) FROM alert a
                    WHERE a.slot = e.slot AND a.alert_id = e.alert_id) latest
                WHERE kind = e.kind
            ) a
            -- since the last recovery notice, also of episodes before this one
            WHERE a.recoveries = 0 AND \(ToldAlarms.isAlarm("a", of: "e"))
        ) told ON true
        LEFT JOIN alert a ON a.slot = e.slot AND a.alert_id = told.alert_id
        \(AlertTruth.current("s", of: "a"))
        WHERE e.kind <> 'range' AND e.recovery_due_at <= now()
        ORDER BY e.recovery_due_at
        LIMIT $1
        FOR UPDATE OF e SKIP LOCKED
        """
    private static let columns = "alert_id, episode_id, kind, purpose, state, ended, decided_at"

    struct Row: Sendable {
        var key: ProbeKey
        var account: Account.ID
        var kind: Alert.Kind
        var episode: Episode.ID
        var openedAt: Timestamp
        var closedAt: Timestamp
        var alarm: RecoveryNotice.Alarm
        var isReopened: Bool
        /// Of a fault: the value at which the probe had stayed, if it did not say itself that it was broken.
        var flatAt: Float?
        /// Whether the person has changed since what the alarm measured by.
        var isMoot: Bool
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
        var found = try Row(
            key: ProbeKey(&row), account: row.read(), kind: row.read(), episode: row.read(), openedAt: row.read(),
            closedAt: row.read(), alarm: RecoveryNotice.Alarm(anyDelivered: row.read(), anyPending: row.read()),
            isReopened: row.read(), flatAt: row.read(), isMoot: row.read(), calm: RecoveryNotice.Calm(&row),
            closedByOurClock: row.read())
        // A silence ends by being heard, which its own look at the device follows.
        if found.kind == .silence { found.calm = .unread }
        return found
    }
}
