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
/// was ahead is over.
struct FindDueGatherings: Statement {
    static let sql = """
        SELECT * FROM (
            SELECT account_id FROM gathering WHERE \(isDue) ORDER BY until_at LIMIT $1) AS due
        UNION
        SELECT * FROM (
            SELECT DISTINCT e.account_id FROM episode e
            WHERE e.gathered AND NOT EXISTS (
                SELECT FROM gathering g WHERE g.account_id = e.account_id AND g.ended_at IS NULL)
            LIMIT $1) AS left_over
        """
    static let isDue = "ended_at IS NULL AND (until_at <= now() OR began_at > now() + interval '5 minutes')"

    let limit: Int64
    init(limit: Int) { self.limit = Int64(limit) }

    func bind(_ parameters: inout Parameters) { parameters.append(limit) }
    static func decode(_ row: inout RowReader) throws -> Account.ID { try row.read() }
}

/// Keeps engines from deciding in the slots in which something is gathered for some people.
struct LockGatheredSlots: Statement {
    static let sql = """
        SELECT slot FROM slot WHERE slot IN (
            SELECT e.slot FROM episode e WHERE e.account_id = ANY ($1::bigint[]) AND e.gathered)
        ORDER BY slot
        FOR UPDATE
        """
    let people: [Account.ID]
    init(_ people: [Account.ID]) { self.people = people }
    func bind(_ parameters: inout Parameters) { parameters.append(people) }
    static func decode(_ row: inout RowReader) throws -> Slot { try row.read() }
}

/// What is gathered for some people, the oldest first.
struct ListGathered: Statement {
    static let sql = """
        SELECT e.slot, e.device_id, e.parameter, e.account_id, e.kind, e.episode_id, e.side, e.worst, e.closed_value, e.flat_at,
            CASE e.side WHEN 'high' THEN s.maximum WHEN 'low' THEN s.minimum END, e.opened_at,
            coalesce(e.closed_at, e.last_at), e.closed_because, e.recovery_due_at IS NOT NULL,
            EXISTS (
                SELECT FROM alert a WHERE a.slot = e.slot AND a.episode_id = e.episode_id
                    AND a.purpose IN ('alarm', 'reminder') AND a.audience IS DISTINCT FROM 'atOnce'
                    AND a.state NOT IN ('cancelled', 'undelivered'))
        FROM episode e
        LEFT JOIN setting s ON s.slot = e.slot AND s.device_id = e.device_id AND s.account_id = e.account_id
            AND s.parameter = e.parameter AND s.valid_until IS NULL
        WHERE e.account_id = ANY ($1::bigint[]) AND e.gathered AND e.kind IN (\(Subject.knownKinds))
            AND \(Subject.isKnown("e.parameter"))
        ORDER BY e.opened_at
        LIMIT $2
        FOR UPDATE OF e
        """

    struct Row: Sendable {
        var subject: Subject
        var episode: Episode.ID
        var side: Side?
        /// The content of its part of the digest, by the worst value, or the one that ended it.
        var worst: Alert.Content
        var closing: Alert.Content
        var openedAt: Timestamp
        /// When it ended, or was last found to go on.
        var lastAt: Timestamp
        var state: GatheredEpisode
    }

    let people: [Account.ID]
    let limit: Int64

    init(of people: [Account.ID], limit: Int) {
        self.people = people
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(people)
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        let subject = try Subject(&row)
        let (episode, side) = try (row.read(Episode.ID.self), row.read(Side?.self))
        let (worst, closedValue) = try (row.read(Float?.self), row.read(Float?.self))
        let flatAt = try row.read(Float?.self)
        let limit = try row.read(Int32?.self).flatMap { steps in subject.parameter.map { $0.value(of: Steps(steps)) } }
        let (openedAt, lastAt) = try (row.read(Timestamp.self), row.read(Timestamp.self))
        let closed = try row.read(Word<EpisodeChange.Reason>?.self)
        let (owesAllClear, isKnown) = try (row.read(Bool.self), row.read(Bool.self))
        func content(_ value: Float?) throws -> Alert.Content {
            // A parameter that is missed comes from a probe that has to be looked at.
            if subject.kind == .silence {
                return .silence(SilenceContent(parameter: subject.parameter, checkProbe: subject.parameter != nil))
            }
            guard
                let content = Alert.Content(
                    allClearOf: subject.kind, parameter: subject.parameter, side: side, value: value, worst: worst,
                    limit: limit, flatAt: flatAt)
            else { throw UnreadableRow() }
            return content
        }
        return try Row(
            subject: subject, episode: episode, side: side, worst: content(worst),
            closing: content(closedValue ?? worst), openedAt: openedAt, lastAt: lastAt,
            state: closed == nil
                ? .open(isKnown: isKnown)
                : closed?.known == .unlinked ? .unlinked : .closed(isKnown: isKnown, owesAllClear: owesAllClear))
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
        UPDATE gathering SET ended_at = greatest(now(), began_at)
        WHERE account_id = ANY ($1::bigint[]) AND \(FindDueGatherings.isDue)
        """
    let people: [Account.ID]
    init(_ people: [Account.ID]) { self.people = people }
    func bind(_ parameters: inout Parameters) { parameters.append(people) }
}

/// Puts digests off to the end of quiet hours that are on by now, and returns whose.
struct PutOffGatherings: Statement {
    static let sql = """
        WITH quiet AS (
            SELECT q.account_id, q.until FROM unnest($1::bigint[]) AS wanted (account_id)
            CROSS JOIN LATERAL (SELECT * FROM current_quiet_hours q WHERE q.account_id = wanted.account_id OFFSET 0) q
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
