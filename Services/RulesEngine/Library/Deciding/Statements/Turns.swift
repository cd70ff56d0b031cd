import Instants
import Postgres
import Store
import WaterQuality

/// Takes some of those who come on shift about now, of whom no other engine tells meanwhile.
struct FindTurns: Statement {
    static let sql = "SELECT project_id, account_id, is_on, is_late FROM find_turns($1)"

    struct Row: Sendable {
        var project: Account.ID
        var account: Account.ID
        /// Whether they are on shift by now.
        var isOn: Bool
        /// Whether they are told in parts rather than later.
        var isLate: Bool
    }

    let limit: Int32
    init(limit: Int) { self.limit = Int32(limit) }

    func bind(_ parameters: inout Parameters) { parameters.append(limit) }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(project: row.read(), account: row.read(), isOn: row.read(), isLate: row.read())
    }

    /// The keys of what is open for some people in a project's devices, bound as $1 and $2.
    static let open = """
        SELECT o.slot, o.episode_id FROM unnest($1::bigint[], $2::bigint[]) AS t (account_id, project_id)
        JOIN ownership w ON w.account_id = t.account_id AND w.project_id = t.project_id AND w.unlinked_at IS NULL
        CROSS JOIN LATERAL (
            SELECT e.slot, e.episode_id FROM episode e
            WHERE e.slot = w.slot AND e.device_id = w.device_id AND e.account_id = w.account_id AND e.closed_at IS NULL
            OFFSET 0) o
        """
}

extension Parameters {
    /// Two arrays: the people and the projects.
    fileprivate mutating func append(_ turns: [FindTurns.Row]) {
        append(turns.map(\.account))
        append(turns.map(\.project))
    }
}

/// Keeps engines from deciding in the slots in which something is open for those who come on shift, and returns the slots that were free.
struct LockTurnSlots: Statement {
    static let sql = """
        SELECT slot FROM slot WHERE slot IN (SELECT slot FROM (\(FindTurns.open)) open) ORDER BY slot FOR UPDATE SKIP LOCKED
        """
    let turns: [FindTurns.Row]
    init(_ turns: [FindTurns.Row]) { self.turns = turns }
    func bind(_ parameters: inout Parameters) { parameters.append(turns) }
    static func decode(_ row: inout RowReader) throws -> Slot { try row.read() }
}

/// Troubles that go on for those who come on shift, the oldest first, but for what they were told of within half an hour, and what does not yet go on for
/// as long as they want to wait.
struct ListOpenOfTurns: Statement {
    static let sql = """
        \(ListGathered.select(staleAfter: "$4"))
        WHERE (e.slot, e.episode_id) IN (\(FindTurns.open)) AND e.kind IN (\(Subject.knownKinds)) AND \(Subject.isKnown("e.parameter"))
            AND NOT EXISTS (
                SELECT FROM alert a WHERE a.slot = e.slot AND a.episode_id = e.episode_id AND a.account_id = e.account_id
                    AND a.decided_at > now() - interval '30 minutes' AND a.purpose IN ('alarm', 'reminder')
                    AND a.audience IS DISTINCT FROM 'atOnce' AND a.state NOT IN ('cancelled', 'undelivered'))
            AND NOT (e.kind = 'range' AND e.alert_id IS NULL AND e.last_at < e.opened_at + make_interval(secs => coalesce(s.\(WatchSetting.delay.column), 0)))
        ORDER BY e.opened_at
        LIMIT $3
        FOR UPDATE OF e SKIP LOCKED
        """
    let turns: [FindTurns.Row]
    let limit: Int64
    let staleAfter: Duration

    init(_ turns: [FindTurns.Row], limit: Int, staleAfter: Duration) {
        self.turns = turns
        self.limit = Int64(limit)
        self.staleAfter = staleAfter
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(turns)
        parameters.append(limit)
        parameters.append(Double(staleAfter.components.seconds))
    }

    static func decode(_ row: inout RowReader) throws -> ListGathered.Row { try ListGathered.decode(&row) }
}

/// Plans the next turns of those who were told.
struct SettleTurns: Statement {
    static let sql = "SELECT settle_turns($2, $1)"
    let turns: [FindTurns.Row]
    init(_ turns: [FindTurns.Row]) { self.turns = turns }
    func bind(_ parameters: inout Parameters) { parameters.append(turns) }
}
