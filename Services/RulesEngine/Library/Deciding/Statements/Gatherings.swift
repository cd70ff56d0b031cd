import Instants
import Postgres
import Store
import WaterQuality

/// Begins to gather alerts for people; for whom that has begun meanwhile, it goes on.
struct BeginGatherings: Statement {
    static let sql = """
        INSERT INTO gathering (account_id, began_at, reason, until_at)
        SELECT account_id, now(), reason, until_at
        FROM unnest($1::bigint[], $2::text[], $3::timestamptz[]) AS n (account_id, reason, until_at)
        ORDER BY account_id -- in one order, so that engines do not wait for each other in a circle
        ON CONFLICT DO NOTHING
        """
    let gatherings: [(account: Account.ID, gathering: Gathering)]

    init(_ gatherings: [Account.ID: Gathering]) {
        self.gatherings = gatherings.map { (account: $0.key, gathering: $0.value) }
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(gatherings.map(\.account))
        parameters.append(gatherings.map(\.gathering.reason))
        parameters.append(gatherings.map(\.gathering.until))
    }
}

/// Finds people whose digest is due: their gathering is over, or something is left of one that has ended. One that a clock began which
/// was ahead is over, and so are quiet hours that are there no more.
struct FindDueGatherings: Statement {
    static let sql = """
        SELECT account_id, until_at < now() - interval '1 minute' FROM (
            SELECT account_id, until_at FROM gathering g WHERE \(isDue) ORDER BY until_at LIMIT $1) AS due
        UNION
        SELECT account_id, true FROM (
            SELECT DISTINCT e.account_id FROM episode e
            WHERE e.gathered AND e.kind IN (\(Subject.knownKinds)) AND \(Subject.isKnown("e.parameter")) AND NOT EXISTS (
                SELECT FROM gathering g WHERE g.account_id = e.account_id AND g.ended_at IS NULL)
            LIMIT $1) AS left_over
        """

    /// Whether the digest of a gathering `g` is due.
    static let isDue = """
        (g.ended_at IS NULL AND (g.until_at <= now() OR g.began_at > now() + interval '5 minutes' OR g.reason = 'quietHours'
            AND (SELECT count(*) FROM quiet_hours q WHERE q.account_id = g.account_id) = 0))
        """

    struct Row: Sendable {
        var account: Account.ID
        /// Whether it is told in parts rather than later.
        var isLate: Bool
    }

    let limit: Int64
    init(limit: Int) { self.limit = Int64(limit) }

    func bind(_ parameters: inout Parameters) { parameters.append(limit) }
    static func decode(_ row: inout RowReader) throws -> Row { try Row(account: row.read(), isLate: row.read()) }
}

/// Keeps engines from deciding in the slots in which something is gathered for some people, and returns the slots that were free.
struct LockGatheredSlots: Statement {
    static let sql = """
        SELECT slot FROM slot WHERE slot IN (
            SELECT e.slot FROM episode e WHERE e.account_id = ANY ($1::bigint[]) AND e.gathered)
        ORDER BY slot
        FOR UPDATE SKIP LOCKED
        """
    let people: [Account.ID]
    init(_ people: [Account.ID]) { self.people = people }
    func bind(_ parameters: inout Parameters) { parameters.append(people) }
    static func decode(_ row: inout RowReader) throws -> Slot { try row.read() }
}

/// The alerts that are gathered for some people, the oldest first.
struct ListGathered: Statement {
    static let sql = """
        \(select(staleAfter: "$3"))
        WHERE e.account_id = ANY ($1::bigint[]) AND e.gathered AND e.kind IN (\(Subject.knownKinds))
            AND \(Subject.isKnown("e.parameter"))
        ORDER BY e.opened_at
        LIMIT $2
        FOR UPDATE OF e SKIP LOCKED
        """

    /// Episodes `e` as a digest tells of them.
    /// - Parameter staleAfter: The parameter in seconds.
    static func select(staleAfter: String) -> String {
        """
        SELECT e.slot, e.device_id, e.parameter, e.account_id, e.kind, e.episode_id, e.side, e.closed_value, e.worst, e.flat_at, e.differs_by,
            CASE e.side WHEN 'high' THEN v.high WHEN 'low' THEN v.low END, e.opened_at,
            coalesce(e.closed_at, e.last_at), now() - make_interval(secs => coalesce(k.lag_seconds, 0)),
            EXISTS (
                SELECT FROM alert a WHERE a.slot = e.slot AND a.episode_id = e.episode_id
                    AND a.purpose IN ('alarm', 'reminder') AND a.audience IS DISTINCT FROM 'atOnce'
                    AND a.state NOT IN ('cancelled', 'undelivered')),
            CASE
                WHEN e.closed_because = 'unlinked'
                    OR NOT EXISTS (SELECT FROM reachable_account r WHERE r.account_id = e.account_id AND NOT r.is_machine)
                THEN 'moot'
                WHEN e.closed_at IS NOT NULL THEN CASE
                    WHEN EXISTS (
                        SELECT FROM episode o WHERE o.slot = e.slot AND o.device_id = e.device_id AND o.account_id = e.account_id
                            AND o.kind = e.kind AND o.parameter IS NOT DISTINCT FROM e.parameter AND o.closed_at IS NULL)
                    THEN 'openAgain' ELSE 'over' END
                WHEN EXISTS (
                    SELECT FROM snooze n WHERE n.slot = e.slot AND n.device_id = e.device_id AND n.account_id = e.account_id
                        AND n.kind = e.kind AND n.parameter IS NOT DISTINCT FROM e.parameter
                        AND n.side IS NOT DISTINCT FROM e.side AND n.ended_at IS NULL AND n.snoozed_until > now()
                        AND n.set_at <= now() + interval '5 minutes' AND coalesce(n.episode_id = e.episode_id, true))
                THEN 'snoozed'
                WHEN e.kind = 'range' AND e.last_at < now() - make_interval(secs => coalesce(k.lag_seconds, 0) + greatest(\(staleAfter), (
                    SELECT \(AlertPolicy.siteDelay.components.seconds) FROM device d
                    WHERE d.slot = e.slot AND d.device_id = e.device_id AND d.kind = 'site'))) THEN 'stale'
                ELSE 'open' END
        FROM episode e
        LEFT JOIN setting s ON s.slot = e.slot AND s.device_id = e.device_id AND s.account_id = e.account_id
            AND s.parameter = e.parameter AND s.valid_until IS NULL
        LEFT JOIN device_clock k ON k.slot = e.slot AND k.device_id = e.device_id
        -- of the time at which the value has left them, by a correct clock
        CROSS JOIN LATERAL limits_at(
            s.periods, s.minimum, s.maximum, s.critical_minimum, s.critical_maximum,
            e.opened_at + make_interval(secs => coalesce(k.lag_seconds, 0))) v
        """
    }

    struct Row: Sendable {
        var subject: Subject
        var episode: Episode.ID
        var side: Side?
        var content: Alert.Content
        var openedAt: Timestamp
        /// When it ended, or was last found to go on.
        var lastAt: Timestamp
        /// The present, by the device's clock.
        var now: Timestamp
        var gathered: GatheredEpisode
    }

    let people: [Account.ID]
    let limit: Int64
    let staleAfter: Duration

    init(of people: [Account.ID], limit: Int, staleAfter: Duration) {
        self.people = people
        self.limit = Int64(limit)
        self.staleAfter = staleAfter
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(people)
        parameters.append(limit)
        parameters.append(Double(staleAfter.components.seconds))
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        let subject = try Subject(&row)
        let (episode, side) = try (row.read(Episode.ID.self), row.read(Side?.self))
        let (value, worst) = try (row.read(Float?.self), row.read(Float?.self))
        let (flatAt, differsBy) = try (row.read(Float?.self), row.read(Float?.self))
        let limit = try row.read(Int32?.self).flatMap { steps in subject.parameter.map { $0.value(of: Steps(steps)) } }
        return try Row(
            subject: subject, episode: episode, side: side,
            content: content(
                of: subject, side: side, value: value ?? worst, worst: worst, limit: limit, flatAt: flatAt,
                differsBy: differsBy),
            openedAt: row.read(), lastAt: row.read(), now: row.read(),
            gathered: Self.gathered(isKnown: row.read(), row.read()))
    }

    private static func gathered(isKnown: Bool, _ state: GatheredEpisode.State) -> GatheredEpisode {
        GatheredEpisode(state, isKnown: isKnown)
    }

    private static func content(
        of subject: Subject, side: Side?, value: Float?, worst: Float?, limit: Float?, flatAt: Float?,
        differsBy: Float?
    ) throws -> Alert.Content {
        // A parameter that is missed comes from a probe that has to be looked at.
        if subject.kind == .silence {
            return .silence(SilenceContent(parameter: subject.parameter, checkProbe: subject.parameter != nil))
        }
        guard
            let content = Alert.Content(
                allClearOf: subject.kind, parameter: subject.parameter, side: side, value: value, worst: worst,
                limit: limit, flatAt: flatAt, differsBy: differsBy)
        else { throw UnreadableRow() }
        return content
    }
}

/// Notes that a digest has told of episodes, and by which alert.
struct SettleGathered: Statement {
    static let sql = """
        UPDATE episode e SET gathered = false, alert_id = coalesce(n.alert_id, e.alert_id)
        FROM unnest($1::smallint[], $2::bigint[], $3::bigint[]) AS n (slot, episode_id, alert_id)
        WHERE e.slot = n.slot AND e.episode_id = n.episode_id
        """

    struct Told: Sendable {
        var episode: EpisodeKey
        /// The alarm or the reminder of an episode that goes on.
        var alert: Alert.ID?
    }

    let told: [Told]
    init(_ told: [Told]) { self.told = told }

    func bind(_ parameters: inout Parameters) {
        parameters.append(told.map(\.episode))
        parameters.append(told.map(\.alert))
    }
}

/// Ends gatherings that are due. Lock the slots before, as whoever closes an account does.
struct EndGatherings: Statement {
    static let sql = """
        UPDATE gathering g SET ended_at = greatest(now(), began_at)
        WHERE g.account_id = ANY ($1::bigint[]) AND \(FindDueGatherings.isDue)
        """
    let people: [Account.ID]
    init(_ people: [Account.ID]) { self.people = people }
    func bind(_ parameters: inout Parameters) { parameters.append(people) }
}

/// Puts digests off to the end of quiet hours that are on by now, but for those who are on shift, and returns whose.
struct PutOffGatherings: Statement {
    static let sql = """
        WITH quiet AS (
            SELECT q.account_id, q.until FROM unnest($1::bigint[]) AS wanted (account_id)
            CROSS JOIN LATERAL (SELECT * FROM current_quiet_hours q WHERE q.account_id = wanted.account_id OFFSET 0) q
            WHERE (SELECT count(*) FROM shift_turn t WHERE t.account_id = wanted.account_id) = 0
                OR NOT is_on_shift(wanted.account_id)
        ), put_off AS (
            UPDATE gathering g SET until_at = q.until, reason = 'quietHours' FROM quiet q
            WHERE g.account_id = q.account_id AND g.ended_at IS NULL
            RETURNING g.account_id
        ), begun AS ( -- of what was left over
            INSERT INTO gathering (account_id, began_at, reason, until_at)
            SELECT account_id, now(), 'quietHours', until FROM quiet q
            WHERE NOT EXISTS (SELECT FROM gathering g WHERE g.account_id = q.account_id AND g.ended_at IS NULL)
            ORDER BY account_id
            ON CONFLICT DO NOTHING
        )
        SELECT account_id FROM quiet
        """
    let people: [Account.ID]
    init(_ people: [Account.ID]) { self.people = people }
    func bind(_ parameters: inout Parameters) { parameters.append(people) }
    static func decode(_ row: inout RowReader) throws -> Account.ID { try row.read() }
}
