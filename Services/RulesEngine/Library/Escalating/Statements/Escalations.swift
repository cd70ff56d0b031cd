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
    /// The other person has quiet hours, and has not agreed to be called in them.
    case quietHours
    case notAgreed
    /// No endpoint of the other person can be used.
    case unreachable
    /// The other person does not share the device any more, or the endpoint is not in use.
    case gone
    /// The other person was called often within the hour.
    case tooMany
}

/// Takes the escalations that are due, with what they are about and the steps of their chains as they are now.
struct TakeDueEscalations: Statement {
    static let sql = """
        WITH due AS (
            SELECT * FROM escalation x
            -- a look is a minute ahead at most: later ones are of a clock that was ahead
            WHERE (x.next_at <= now() OR x.next_at > now() + interval '5 minutes') AND x.ended_at IS NULL AND x.kind IN (\(Subject.knownKinds)) AND \(Subject.isKnown("x.parameter"))
            ORDER BY x.next_at
            LIMIT $1
            FOR UPDATE SKIP LOCKED
        )
        SELECT x.slot, x.escalation_id, x.device_id, x.account_id, x.kind, x.alarm_at, x.began_at, x.called_through, x.round,
            x.held_until, x.over_since,
            EXISTS (
                SELECT FROM episode e WHERE e.slot = x.slot AND e.device_id = x.device_id AND e.account_id = x.account_id
                    AND e.kind = x.kind AND e.parameter IS NOT DISTINCT FROM x.parameter AND e.side IS NOT DISTINCT FROM x.side
                    AND e.closed_at IS NULL),
            n.person, n.until, n.at, c.after_minutes, c.callee, c.endpoint_id, c.outlook, c.calls
        FROM due x
        LEFT JOIN LATERAL ( -- the answer, or the snooze, that holds longest
            SELECT coalesce(n.answered_by, n.account_id) AS person, h.until, n.set_at AS at
            FROM snooze n
            CROSS JOIN LATERAL (
                SELECT CASE WHEN n.account_id = x.account_id OR n.answered_by IS NOT NULL THEN n.snoozed_until
                    -- what somebody who was called snoozes is theirs; it shows that they have seen it
                    ELSE least(n.snoozed_until, n.set_at + interval '1 hour') END AS until) h
            WHERE n.slot = x.slot AND n.device_id = x.device_id AND n.kind = x.kind
                AND n.parameter IS NOT DISTINCT FROM x.parameter AND n.side IS NOT DISTINCT FROM x.side AND n.ended_at IS NULL
                AND h.until > now() AND n.set_at <= now() + interval '5 minutes' AND (n.set_at >= x.answers_from OR x.answers_from > now() + interval '5 minutes')
                AND (n.account_id = x.account_id OR n.answered_by = n.account_id OR EXISTS (
                    SELECT FROM escalation_call d WHERE d.slot = x.slot AND d.escalation_id = x.escalation_id
                        AND d.account_id = n.account_id AND d.outcome = 'told' AND d.called_at <= n.set_at))
            ORDER BY h.until DESC
            LIMIT 1
        ) n ON true
        LEFT JOIN LATERAL (
            SELECT s.*, (
                SELECT count(*) FROM escalation_call d WHERE d.account_id = s.callee AND d.outcome = 'told'
                    AND d.called_at > now() - interval '1 hour' AND d.called_at <= now()) AS calls
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
        /// How often the other person was called within the hour.
        var callsWithinHour: Int
    }

    struct Answer: Sendable {
        var person: Account.ID
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
        var isOpen: Bool
        var answer: Answer?
        var steps: [Step]
    }

    let limit: Int64
    init(limit: Int) { self.limit = Int64(limit) }
    func bind(_ parameters: inout Parameters) { parameters.append(limit) }

    /// One escalation with one of its steps, if it has any.
    static func decode(_ row: inout RowReader) throws -> Due {
        let key = try EscalationKey(slot: row.read(), escalation: row.read())
        let device = try DeviceKey(slot: key.slot, device: row.read())
        let (account, kind) = try (row.read(Account.ID.self), row.read(Alert.Kind.self))
        let alarmAt = try row.read(Timestamp.self)
        let state = try Escalation(
            beganAt: row.read(), calledThrough: Int(row.read(Int16.self)), round: Int(row.read(Int16.self)),
            heldUntil: row.read(), overSince: row.read())
        let isOpen = try row.read(Bool.self)
        let answer = try (row.read(Account.ID?.self), row.read(Timestamp?.self), row.read(Timestamp?.self))
        let after = try row.read(Int16?.self)
        let target = try (row.read(Account.ID?.self), row.read(Endpoint.ID?.self))
        let outlook = try row.read(CallOutcome?.self)
        let calls = try row.read(Int64?.self) ?? 0
        var due = Due(
            key: key, device: device, account: account, kind: kind, alarmAt: alarmAt, state: state, isOpen: isOpen,
            answer: nil, steps: [])
        if case (let person?, let until?, let at?) = answer {
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
            answered_by = coalesce(n.answered_by, x.answered_by), answered_at = coalesce(n.answered_at, x.answered_at)
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
        parameters.append(settled.map { $0.answer?.at })
    }
}
