import Instants
import Postgres
import Store
import WaterQuality

struct EscalationKey: Hashable, Sendable {
    var slot: Slot
    var escalation: Int64
}

extension Parameters {
    /// Two arrays: slots and escalations.
    mutating func append(_ keys: [EscalationKey]) {
        append(keys.map(\.slot))
        append(keys.map(\.escalation))
    }
}

/// What came of a step that was due. The raw values are stored.
enum CallOutcome: String, CaseIterable, Sendable {
    case told
    /// The other person has quiet hours, and has not agreed to be called in them; or the endpoint's person has.
    case quietHours
    case notAgreed
    /// No endpoint of the other person can be used.
    case unreachable
    /// The endpoint is signed out for now.
    case paused
    /// The other person does not share the device any more, or the endpoint is not in use.
    case gone
    /// The other person was called often within the hour.
    case tooMany
}

/// Locks the slots of escalations that are due, so that nobody decides there, leaves a device or closes an account meanwhile, and returns those
/// that were free.
struct LockDueSlots: Statement {
    static let sql = """
        SELECT slot FROM slot WHERE slot IN (\(candidates("slot", limit: "$1"))) ORDER BY slot FOR UPDATE SKIP LOCKED
        """

    /// Whether a look is due: it is five minutes ahead at most, and a later one of a clock that was ahead.
    static func isDue(_ row: String) -> String {
        "\(row).next_at <= now() OR \(row).next_at > now() + interval '5 minutes'"
    }

    /// Engines of a newer version may decide kinds beside this one.
    private static let isKnown = "kind IN (\(Subject.knownKinds)) AND \(Subject.isKnown)"

    /// The columns of those that are due first, found by the index.
    static func candidates(_ columns: String, limit: String) -> String {
        """
        (SELECT \(columns) FROM escalation WHERE next_at <= now() AND ended_at IS NULL AND \(isKnown) ORDER BY next_at LIMIT \(limit))
        UNION ALL
        (SELECT \(columns) FROM escalation WHERE next_at > now() + interval '5 minutes' AND ended_at IS NULL AND \(isKnown) LIMIT \(limit))
        """
    }

    let limit: Int64
    init(limit: Int) { self.limit = Int64(limit) }
    func bind(_ parameters: inout Parameters) { parameters.append(limit) }
    static func decode(_ row: inout RowReader) throws -> Slot { try row.read() }
}

/// Takes the escalations that are due, with what they are about and the steps of their chains as they are now.
struct TakeDueEscalations: Statement {
    static let sql = """
        WITH due AS (
            SELECT x.* FROM escalation x
            WHERE (x.slot, x.escalation_id) IN (\(LockDueSlots.candidates("slot, escalation_id", limit: "$1"))) AND x.slot = ANY ($2::smallint[])
                AND (\(LockDueSlots.isDue("x"))) AND x.ended_at IS NULL
            FOR UPDATE SKIP LOCKED
        )
        SELECT x.slot, x.escalation_id, x.device_id, x.account_id, x.kind, x.alarm_at, x.began_at, x.called_through, x.round,
            x.held_until, x.over_since, x.critical,
            EXISTS (
                SELECT FROM episode e WHERE e.slot = x.slot AND e.device_id = x.device_id AND e.account_id = x.account_id
                    AND e.kind = x.kind AND e.parameter IS NOT DISTINCT FROM x.parameter AND e.side IS NOT DISTINCT FROM x.side
                    AND e.closed_at IS NULL),
            is_led(x.slot, x.escalation_id), n.person, n.until, n.at, (
                -- work that goes on, or has lately ended, and was not taken away
                SELECT max(w.ends_at) FROM water_work w
                WHERE NOT x.critical AND w.slot = x.slot AND w.device_id = x.device_id AND w.begins_at <= now()
                    AND w.ends_at > now() - interval '1 hour' AND w.ends_at > w.begins_at),
            c.after_minutes, c.callee, c.endpoint_id, c.outlook, c.calls
        FROM due x
        LEFT JOIN LATERAL ( -- the answer of anybody, or the snooze of the person, that holds longest
            SELECT n.answered_by AS person, n.snoozed_until AS until, n.set_at AS at
            FROM snooze n
            WHERE n.slot = x.slot AND n.device_id = x.device_id AND n.kind = x.kind
                AND n.parameter IS NOT DISTINCT FROM x.parameter AND n.side IS NOT DISTINCT FROM x.side AND n.ended_at IS NULL
                -- as for engines: what was said of a trouble that is over says nothing of the next one
                AND (n.episode_id IS NULL OR n.set_at >= x.alarm_at OR EXISTS (
                    SELECT FROM episode q WHERE q.slot = n.slot AND q.episode_id = n.episode_id AND q.closed_at IS NULL))
                AND n.snoozed_until > now() AND n.set_at <= now() + interval '5 minutes' AND (n.set_at >= x.answers_from OR x.answers_from > now() + interval '5 minutes')
                AND (n.account_id = x.account_id OR n.answered_by = n.account_id)
            ORDER BY n.answered_by IS NOT NULL DESC, n.snoozed_until DESC
            LIMIT 1
        ) n ON true
        LEFT JOIN LATERAL (
            SELECT s.*, (
                SELECT count(DISTINCT d.called_at) FROM escalation_call d -- of several at once one message comes
                JOIN escalation y ON y.slot = d.slot AND y.escalation_id = d.escalation_id AND y.account_id = x.account_id
                WHERE d.account_id = s.callee AND d.outcome = 'told' AND d.called_at > now() - interval '1 hour'
                    AND d.called_at <= now()) AS calls
            FROM chain_outlook(x.slot, x.device_id, x.account_id, x.began_at) s
        ) c ON true
        ORDER BY x.next_at, x.slot, x.escalation_id, c.after_minutes, c.place
        """

    struct Step: Sendable {
        var afterMinutes: Int
        /// The other person; `nil` for an endpoint.
        var callee: Account.ID?
        var endpoint: Endpoint.ID?
        var outlook: CallOutcome
        /// How often this person called the other one within the hour.
        var callsWithinHour: Int
    }

    struct Answer: Sendable {
        /// Who is on it; `nil` where the person has snoozed it.
        var person: Account.ID?
        var until: Timestamp
        var at: Timestamp
    }

    struct Due: Sendable {
        var key: EscalationKey
        var device: DeviceKey
        /// The person whose alarm it is.
        var account: Account.ID
        var kind: Alert.Kind
        var alarmAt: Timestamp
        var state: Escalation
        /// Whether a critical alert was made.
        var isCritical: Bool
        var isOpen: Bool
        /// Whether the chain of a device that fell silent with this one calls for both.
        var isLed: Bool
        var answer: Answer?
        /// Until when somebody works on the water, or lately did; `nil` of what is critical.
        var workedUntil: Timestamp?
        var steps: [Step]
    }

    let limit: Int64
    let slots: [Slot]

    /// - Parameter slots: Locked before.
    init(limit: Int, in slots: [Slot]) {
        self.limit = Int64(limit)
        self.slots = slots
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(limit)
        parameters.append(slots)
    }

    /// One escalation with one of its steps, if it has any.
    static func decode(_ row: inout RowReader) throws -> Due {
        let key = try EscalationKey(slot: row.read(), escalation: row.read())
        let device = try DeviceKey(slot: key.slot, device: row.read())
        let (account, kind) = try (row.read(Account.ID.self), row.read(Alert.Kind.self))
        let alarmAt = try row.read(Timestamp.self)
        let state = try Escalation(
            beganAt: row.read(), calledThrough: Int(row.read(Int16.self)), round: Int(row.read(Int16.self)),
            heldUntil: row.read(), overSince: row.read())
        let (isCritical, isOpen) = try (row.read(Bool.self), row.read(Bool.self))
        let isLed = try row.read(Bool.self)
        let answer = try (row.read(Account.ID?.self), row.read(Timestamp?.self), row.read(Timestamp?.self))
        let workedUntil = try row.read(Timestamp?.self)
        let after = try row.read(Int16?.self)
        let target = try (row.read(Account.ID?.self), row.read(Endpoint.ID?.self))
        let outlook = try row.read(CallOutcome?.self)
        let calls = try row.read(Int64?.self) ?? 0
        var due = Due(
            key: key, device: device, account: account, kind: kind, alarmAt: alarmAt, state: state,
            isCritical: isCritical,
            isOpen: isOpen, isLed: isLed,
            answer: nil, workedUntil: workedUntil, steps: [])
        if case (let person, let until?, let at?) = answer {
            due.answer = Answer(person: person, until: until, at: at)
        }
        if let after, let outlook {
            due.steps = [
                Step(
                    afterMinutes: Int(after), callee: target.0, endpoint: target.1, outlook: outlook,
                    callsWithinHour: Int(calls))
            ]
        }
        return due
    }
}

extension [TakeDueEscalations.Due] {
    /// Each escalation once, with all of its steps: rows of one stand beside each other.
    var gathered: Self {
        var gathered: Self = []
        for row in self {
            if gathered.last?.key == row.key {
                gathered[gathered.count - 1].steps += row.steps
            } else {
                gathered.append(row)
            }
        }
        return gathered
    }
}

/// Notes what a look at escalations found.
struct SettleEscalations: Statement {
    static let sql = """
        UPDATE escalation x SET began_at = n.began_at, called_through = n.called_through, round = n.round, held_until = n.held_until,
            over_since = n.over_since, next_at = n.next_at, ended_at = CASE WHEN n.is_ended THEN now() END,
            answered_by = coalesce(x.answered_by, n.answered_by), answered_at = coalesce(x.answered_at, n.answered_at)
        FROM unnest($1::smallint[], $2::bigint[], $3::timestamptz[], $4::smallint[], $5::smallint[], $6::timestamptz[],
            $7::timestamptz[], $8::timestamptz[], $9::boolean[], $10::bigint[], $11::timestamptz[])
            AS n (slot, escalation_id, began_at, called_through, round, held_until, over_since, next_at, is_ended, answered_by, answered_at)
        WHERE x.slot = n.slot AND x.escalation_id = n.escalation_id
        """

    struct Settled: Sendable {
        var key: EscalationKey
        var look: Escalation.Look
        var answer: TakeDueEscalations.Answer?
    }

    let settled: [Settled]
    init(_ settled: [Settled]) { self.settled = settled }

    func bind(_ parameters: inout Parameters) {
        let states = settled.map(\.look.next)
        parameters.append(settled.map(\.key))
        parameters.append(states.map(\.beganAt))
        parameters.append(states.map { Int16($0.calledThrough) })
        parameters.append(states.map { Int16($0.round) })
        parameters.append(states.map(\.heldUntil))
        parameters.append(states.map(\.overSince))
        parameters.append(settled.map(\.look.againAt))
        parameters.append(settled.map(\.look.isEnded))
        parameters.append(settled.map { $0.answer?.person })
        parameters.append(settled.map { $0.answer?.person == nil ? nil : $0.answer?.at })
    }
}
