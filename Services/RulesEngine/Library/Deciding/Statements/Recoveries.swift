import Instants
import Postgres
import Store
import WaterQuality

/// Takes episodes whose recovery is due for a decision, with the state of their alarms and what is known of the time since.
struct TakeDueRecoveries: Statement {
    static let sql = """
        SELECT e.slot, e.device_id, e.parameter, e.account_id, e.kind, e.episode_id, coalesce(a.side, e.side),
            CASE WHEN e.kind = 'range' THEN coalesce(a.opened_at, e.opened_at) ELSE e.opened_at END, e.closed_at,
            coalesce(o.worst, a.worst, e.worst), coalesce(e.closed_value, e.worst), e.flat_at,
            CASE WHEN NOT a.critical THEN a.limit_value END, (
                -- as it was set when the alarm was decided, or else as it is
                SELECT CASE coalesce(a.side, e.side) WHEN 'high' THEN l.high ELSE l.low END FROM (
                    SELECT * FROM setting s
                    WHERE e.kind = 'range' AND s.slot = e.slot AND s.device_id = e.device_id
                        AND s.account_id = e.account_id AND s.parameter = e.parameter
                    ORDER BY s.valid_from <= a.decided_at DESC NULLS LAST, s.version DESC LIMIT 1) s
                CROSS JOIN LATERAL limits_at(
                    s.periods, s.minimum, s.maximum, s.critical_minimum, s.critical_maximum,
                    coalesce(a.event_time, e.opened_at) + make_interval(secs => coalesce(clock.lag_seconds, 0))) l),
            told.alert_id IS NOT NULL, coalesce(told.pending, false), coalesce(a.unstable, false),
            EXISTS (
                SELECT FROM episode o WHERE o.slot = e.slot AND o.device_id = e.device_id
                    AND o.parameter IS NOT DISTINCT FROM e.parameter AND o.account_id = e.account_id
                    AND o.kind = e.kind AND o.closed_at IS NULL),
            e.kind <> 'range' AND coalesce(\(AlertTruth.limitHasChanged(since: "a", to: "s")), false),
            \(CalmWater.mayEnd(of: "e", floors: "$2::bigint[]")), \(CalmWater.newestReading(of: "e")),
            \(CalmWater.closedAt("e")), coalesce(told.at_once, false),
            told.others_at
        FROM episode e
        \(CalmWater.closing("e"))
        -- what the person was told of this watch since the last recovery notice, perhaps of earlier episodes
        LEFT JOIN LATERAL (\(ofRange) UNION ALL \(ofOthers)) told ON told.pending IS NOT NULL
        -- the last alarm that arrived, which the notice ends
        LEFT JOIN alert a ON a.slot = e.slot AND a.alert_id = told.alert_id
        LEFT JOIN episode o ON o.slot = a.slot AND o.episode_id = a.episode_id
        \(AlertTruth.current("s", of: "a"))
        WHERE e.recovery_due_at <= now() AND e.kind IN (\(Subject.knownKinds))
            AND \(Subject.isKnown("e.parameter"))
        ORDER BY e.recovery_due_at
        LIMIT $1
        FOR UPDATE OF e SKIP LOCKED
        """

    /// Of kind range, whose alerts are most of a watch's.
    private static let ofRange = """
        SELECT \(ToldAlarms.summary("a", of: "e"))
        FROM (SELECT \(lastAllClear(ToldAlarms.isAtOnce("r"))) AS at_once, \(lastAllClear(ToldAlarms.isForOthers("r"))) AS others) ended
        CROSS JOIN LATERAL (
            SELECT a.*, \(ToldAlarms.isAtOnce("a")) AND a.alert_id > ended.at_once AS is_at_once,
                \(ToldAlarms.isForOthers("a")) AND a.alert_id > ended.others AS is_for_others
            FROM alert a
            WHERE e.kind = 'range' AND a.slot = e.slot AND a.device_id = e.device_id AND a.parameter = e.parameter
                AND a.account_id = e.account_id AND a.kind = e.kind AND a.alert_id > least(ended.at_once, ended.others)
                AND \(ToldAlarms.isAlarm("a", of: "e"))
        ) a
        WHERE a.is_at_once OR a.is_for_others
        """

    private static func lastAllClear(_ audience: String) -> String {
        """
        coalesce((
            SELECT max(r.alert_id) FROM alert r
            WHERE r.slot = e.slot AND r.device_id = e.device_id AND r.parameter = e.parameter
                AND r.account_id = e.account_id AND r.kind = e.kind AND \(audience)
                AND \(ToldAlarms.isAllClear("r", before: "e"))), 0)
        """
    }

    /// Of the other kinds: sought among the watch's latest alerts of every kind, of which there may be many. With an interval of a
    /// minute, values out of range make 200 in some hours. The episode's own alert, the latest that was made, is therefore looked
    /// up by its number.
    private static let ofOthers = """
        SELECT \(ToldAlarms.summary("a", of: "e"))
        FROM (
            SELECT alert_id, state, purpose, ended, decided_at,
                \(ToldAlarms.isAtOnce("latest")) AND \(allClears(ToldAlarms.isAtOnce("latest"))) = 0 AS is_at_once,
                \(ToldAlarms.isForOthers("latest")) AND \(allClears(ToldAlarms.isForOthers("latest"))) = 0 AS is_for_others
            FROM (
                (SELECT \(columns) FROM alert a
                WHERE e.kind <> 'range' AND a.slot = e.slot AND a.device_id = e.device_id AND a.parameter = e.parameter
                    AND a.account_id = e.account_id
                ORDER BY alert_id DESC LIMIT 200)
                UNION ALL
                (SELECT \(columns) FROM alert a
                WHERE e.kind <> 'range' AND a.slot = e.slot AND a.device_id = e.device_id AND a.parameter IS NULL
                    AND e.parameter IS NULL AND a.account_id = e.account_id
                ORDER BY alert_id DESC LIMIT 200)
                UNION
                SELECT \(columns) FROM alert a
                WHERE e.kind <> 'range' AND a.slot = e.slot AND a.alert_id = e.alert_id) latest
            WHERE kind = e.kind
        ) a
        WHERE (a.is_at_once OR a.is_for_others) AND \(ToldAlarms.isAlarm("a", of: "e"))
        """

    /// How many all-clears came after an alert.
    private static func allClears(_ audience: String) -> String {
        """
        count(*) FILTER (WHERE \(audience) AND \(ToldAlarms.isAllClear("latest", before: "e"))) OVER (ORDER BY alert_id DESC)
        """
    }

    private static let columns = "alert_id, episode_id, kind, purpose, state, ended, decided_at, audience"

    struct Row: Sendable {
        var subject: Subject
        var episode: Episode.ID
        /// The content of a recovery notice; of range it describes what the person was told.
        var content: Alert.Content
        var openedAt: Timestamp
        var closedAt: Timestamp
        var alarm: RecoveryNotice.Alarm
        /// Whether the alarm said that the water is unstable.
        var isUnstable: Bool
        var isReopened: Bool
        /// Whether the person has changed since what the alarm measured by.
        var isMoot: Bool
        var calm: RecoveryNotice.Calm
        /// When it was closed by our clock.
        var closedByOurClock: Timestamp
        /// Whether endpoints that hear at all hours have got an alarm.
        var isToldAtOnce: Bool
        /// When the last alarm was decided that others have got; `nil` where they have got none.
        var othersToldAt: Timestamp?

        /// The audience that the end is announced to now, and whether others hear of it later.
        func announcement(to recipient: Recipient?) -> (now: Bool, audience: Alert.Audience?, isHeldBack: Bool) {
            guard let othersToldAt else { return (true, .atOnce, false) }
            if let gathering = recipient?.gathering(of: subject.device),
                gathering.holds(subject.kind, of: subject.parameter) != nil,
                gathering.holdsEnd(toldAt: othersToldAt)
            {
                return (isToldAtOnce && recipient?.hearsAtOnce == true, .atOnce, true)
            }
            return (true, isToldAtOnce ? nil : .gathered, false)
        }
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
        let subject = try Subject(&row)
        let (episode, side): (Episode.ID, Side?) = try (row.read(), row.read())
        let (openedAt, closedAt): (Timestamp, Timestamp) = try (row.read(), row.read())
        let values = try Ended(
            side: side, worst: row.read(), closedValue: row.read(), flatAt: row.read(), namedLimit: row.read(),
            setLimit: row.read())
        var found = try Row(
            subject: subject, episode: episode, content: values.content(of: subject), openedAt: openedAt,
            closedAt: closedAt, alarm: RecoveryNotice.Alarm(anyDelivered: row.read(), anyPending: row.read()),
            isUnstable: row.read(), isReopened: row.read(), isMoot: row.read(), calm: RecoveryNotice.Calm(&row),
            closedByOurClock: row.read(), isToldAtOnce: row.read(),
            othersToldAt: row.read())
        if !subject.kind.rules.calmIsRead { found.calm = .unread }
        return found
    }

    /// The values of an episode that has ended.
    private struct Ended {
        var side: Side?
        var worst: Float?
        /// The value of the reading that closed the episode.
        var closedValue: Float?
        var flatAt: Float?
        /// The limit that the alarm named, and the one that was set; never a critical one.
        var namedLimit: Float?
        var setLimit: Int32?

        func content(of subject: Subject) throws -> Alert.Content {
            guard
                let content = Alert.Content(
                    allClearOf: subject.kind, parameter: subject.parameter, side: side, value: closedValue,
                    worst: worst,
                    limit: namedLimit
                        ?? setLimit.flatMap { limit in subject.parameter.map { $0.value(of: Steps(limit)) } },
                    flatAt: flatAt)
            else { throw UnreadableRow() }
            return content
        }
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
