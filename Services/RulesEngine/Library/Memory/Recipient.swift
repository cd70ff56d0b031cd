import Instants
import Postgres
import Store
import WaterQuality

/// A person who can be told, and when.
struct Recipient: Sendable {
    var account: Account.ID
    /// Whether an endpoint hears at all hours.
    var hearsAtOnce: Bool
    /// Whether an endpoint does not, so that there is somebody to gather for.
    var hearsLater = true
    /// What holds alerts to the others back; `nil` where nothing does.
    var gathering: Gathering?
    /// Whether the gathering is stored.
    var isGathering = false
    /// The devices of projects of which shifts decide how the person is told.
    var duties: [DeviceKey: ShiftDuty] = [:]
    /// How many messages went to all endpoints within the last hour.
    var told = 0
    /// How many messages are told within an hour; `nil`: as many as there are.
    let most: Int?

    /// Whether alerts of a watch are left to those who are on shift.
    func isOffShift(_ subject: Subject) -> Bool { duties[subject.device]?.leaves(subject.parameter) ?? false }

    /// The reason that holds alerts of a device back.
    func gathering(of device: DeviceKey) -> Gathering? {
        gathering.flatMap { duties[device]?.heeds($0) == false ? nil : $0 }
    }

    /// Counts a message to all endpoints.
    mutating func tell(now: Timestamp) {
        told += 1
        gatherBeyondBound(now: now)
    }

    /// Gathers alerts from now on where the person was told as many messages as the bound allows.
    mutating func gatherBeyondBound(now: Timestamp) {
        guard hearsLater, gathering == nil, let most, told >= most else { return }
        gathering = Gathering(.tooMany, since: now, until: now + Gathering.beyondBound)
    }
}

/// Finds those of some people who have a usable endpoint, and what holds alerts to them back.
struct FindRecipients: Statement {
    static let sql = """
        SELECT w.account_id, r.hears_at_once, r.hears_later, g.reason, g.began_at, g.until_at, q.since, q.until,
            coalesce(q.silence_rings, false), now(),
            (SELECT count(*) FROM shift_turn t WHERE t.account_id = w.account_id) > 0,
            CASE WHEN $2::bigint > 0 THEN (
                SELECT count(DISTINCT coalesce(t.group_id, t.uid)) FROM (
                    SELECT a.uid, a.group_id FROM alert a
                    WHERE a.account_id = w.account_id AND a.decided_at > now() - interval '1 hour' AND a.decided_at <= now()
                        AND a.purpose IN ('alarm', 'reminder') AND a.audience IS DISTINCT FROM 'atOnce'
                        -- what others still join is not told yet, and is not cut in two by the bound
                        AND NOT (a.about IS NOT NULL AND coalesce(a.due_at > now(), false))
                    ORDER BY a.decided_at DESC
                    LIMIT 200) t)
            ELSE 0 END
        FROM unnest($1::bigint[]) AS w (account_id)
        CROSS JOIN LATERAL (
            SELECT bool_or(hears_at_once) AS hears_at_once, bool_or(NOT hears_at_once) AS hears_later
            FROM reachable_account r WHERE r.account_id = w.account_id
            OFFSET 0
        ) r
        LEFT JOIN gathering g ON g.account_id = w.account_id AND g.ended_at IS NULL
        LEFT JOIN LATERAL (
            SELECT * FROM current_quiet_hours q WHERE q.account_id = w.account_id OFFSET 0
        ) q ON true
        WHERE r.hears_at_once IS NOT NULL
        """

    let accounts: [Account.ID]
    let most: Int?

    /// - Parameter most: How many messages a person is told within an hour.
    init(_ accounts: [Account.ID], most: Int? = nil) {
        self.accounts = accounts
        self.most = most
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(accounts)
        parameters.append(Int64(most ?? 0))
    }

    struct Row: Sendable {
        var account: Account.ID
        var hearsAtOnce: Bool
        var hearsLater: Bool
        var gathering: Gathering?
        var isGathering = false
        var now: Timestamp
        /// Whether the person takes part in shifts of a project.
        var hasShifts: Bool
        var told: Int64
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        let account = try row.read(Account.ID.self)
        let (hearsAtOnce, hearsLater) = try (row.read(Bool.self), row.read(Bool.self))
        let reason = try row.read(String?.self)
        let stored = try (row.read(Timestamp?.self), row.read(Timestamp?.self))
        let night = try (row.read(Timestamp?.self), row.read(Timestamp?.self))
        let silenceRings = try row.read(Bool.self)
        var found = try Row(
            account: account, hearsAtOnce: hearsAtOnce, hearsLater: hearsLater, now: row.read(), hasShifts: row.read(),
            told: row.read())
        guard hearsLater else { return found }
        // What only a newer version knows is told like too much.
        let began = reason.map { Gathering.Reason(rawValue: $0) ?? .tooMany }
        found.isGathering = began != nil
        if case (let since?, let until?) = night {
            // A night that has begun counts from its beginning, whatever was gathered first.
            found.gathering = Gathering(.quietHours, since: since, until: until, silenceRings: silenceRings)
        } else if began == .tooMany, case (let since?, let until?) = stored {
            found.gathering = Gathering(.tooMany, since: since, until: until)
        }
        // Quiet hours that were taken away, or that end just now, hold nothing back, and their digest is due.
        return found
    }
}

extension PostgresTransaction {
    /// The people who can be told, of some, with the duties that they have for some devices.
    func recipients(
        among people: some Collection<Account.ID>, of devices: [DeviceKey], most: Int?
    ) throws -> [Recipient] {
        let found = try execute(FindRecipients(Array(people), most: most))
        let concerned = found.filter(\.hasShifts).map(\.account)
        let duties = concerned.isEmpty ? [] : try execute(FindDuties(of: concerned, for: devices))
        let byPerson = Dictionary(grouping: duties, by: \.account)
        return found.map { row in
            var recipient = Recipient(
                account: row.account, hearsAtOnce: row.hearsAtOnce, hearsLater: row.hearsLater,
                gathering: row.gathering, isGathering: row.isGathering,
                duties: Dictionary(
                    (byPerson[row.account] ?? []).map { ($0.device, $0.duty) }, uniquingKeysWith: { $1 }),
                told: Int(row.told), most: most)
            recipient.gatherBeyondBound(now: row.now)
            return recipient
        }
    }
}
