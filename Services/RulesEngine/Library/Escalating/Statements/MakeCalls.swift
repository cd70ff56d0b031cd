import Instants
import Postgres
import Store
import WaterQuality

/// Notes calls, and adds the alerts of those that are made: what goes on with the watch, in its newest values.
struct MakeCalls: Statement {
    static let sql = """
        WITH n AS (
            SELECT * FROM unnest($1::smallint[], $2::bigint[], $3::smallint[], $4::bigint[], $5::bigint[], $6::text[], $7::integer[],
                $8::uuid[], $9::uuid[]) WITH ORDINALITY
                AS n (slot, escalation_id, after_minutes, account_id, endpoint_id, outcome, unanswered, uid, group_id, position)
        ), made AS (
            SELECT n.position, n.slot, n.escalation_id, n.account_id, n.endpoint_id, n.unanswered, n.uid, n.group_id, e.device_id,
                e.parameter, e.kind, e.side, e.episode_id, e.opened_at, e.last_at, x.account_id AS caller,
                CASE WHEN x.account_id <> n.account_id THEN name_of_person(x.account_id) END AS caller_name,
                CASE WHEN e.kind = 'range' THEN coalesce(e.closed_value, a.value, e.worst) ELSE coalesce(a.value, e.flat_at) END AS value,
                coalesce(e.worst, a.worst) AS worst, a.limit_value, coalesce(a.check_probe, false) AS check_probe,
                coalesce(a.critical, false) AS critical, coalesce(a.change, e.differs_by) AS change, a.change_seconds, a.heading, a.expected_at, a.hint,
                coalesce(a.after_work, false) AS after_work, a.limit_time, nextval('alert_id') AS alert_id
            FROM n
            JOIN escalation x ON x.slot = n.slot AND x.escalation_id = n.escalation_id
            JOIN episode e ON e.slot = x.slot AND e.device_id = x.device_id AND e.account_id = x.account_id AND e.kind = x.kind
                AND e.parameter IS NOT DISTINCT FROM x.parameter AND e.side IS NOT DISTINCT FROM x.side AND e.closed_at IS NULL
            LEFT JOIN alert a ON a.slot = e.slot AND a.alert_id = e.alert_id -- the last that its person was told, if any
            WHERE n.outcome = 'told'
        ), alerts AS (
            INSERT INTO alert (
                slot, device_id, parameter, account_id, alert_id, uid, episode_id, kind, purpose, side, value, worst, limit_value, check_probe,
                critical, change, change_seconds, heading, expected_at, hint, after_work, limit_time, opened_at, event_time, group_id, escalation_id, caller, caller_name,
                unanswered_seconds, to_endpoint)
            SELECT slot, device_id, parameter, account_id, alert_id, uid, episode_id, kind, 'escalation', side, value, worst, limit_value,
                check_probe, critical, change, change_seconds, heading, expected_at, hint, after_work, limit_time, opened_at, last_at, group_id, escalation_id, caller,
                caller_name, unanswered, endpoint_id
            FROM made
        ), calls AS (
            INSERT INTO escalation_call (slot, escalation_id, after_minutes, account_id, endpoint_id, outcome, alert_id)
            SELECT n.slot, n.escalation_id, n.after_minutes, n.account_id, n.endpoint_id, n.outcome, m.alert_id
            FROM n LEFT JOIN made m ON m.position = n.position
            ORDER BY n.position
        )
        SELECT pg_notify('alert', '')
        """

    struct Call: Sendable {
        var key: EscalationKey
        var device: DeviceKey
        var kind: Alert.Kind
        var afterMinutes: Int
        /// Who is called: another person, or the one whose alarm it is.
        var person: Account.ID
        var endpoint: Endpoint.ID?
        var outcome: CallOutcome
        /// How long nobody has answered.
        var unanswered: Duration
        /// The alert's, of a call that is made.
        var uid: Alert.UID?
    }

    /// What is told in one message: the same person, at the same places, of the same device.
    private struct Group: Hashable {
        var device: DeviceKey
        var person: Account.ID
        var endpoint: Endpoint.ID?
    }

    let calls: [Call]
    private let groups: [Alert.UID?]

    init(_ calls: [Call]) {
        self.calls = calls
        let told = Dictionary(grouping: calls.filter { $0.uid != nil }, by: Self.group)
        groups = calls.map { call in
            guard call.uid != nil, let together = told[Self.group(of: call)], together.count > 1 else { return nil }
            return together[0].uid
        }
    }

    private static func group(of call: Call) -> Group {
        Group(device: call.device, person: call.person, endpoint: call.endpoint)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(calls.map(\.key))
        parameters.append(calls.map { Int16($0.afterMinutes) })
        parameters.append(calls.map(\.person))
        parameters.append(calls.map(\.endpoint))
        parameters.append(calls.map(\.outcome))
        parameters.append(calls.map { Int32(clamping: $0.unanswered.components.seconds) })
        parameters.append(calls.map(\.uid))
        parameters.append(groups)
    }
}

/// Tells those who were called, and have not been told yet, that it is over, or that somebody is on it: all but that person, who is told
/// when it is over.
struct CallOff: Statement {
    static let sql = """
        WITH n AS (
            SELECT * FROM unnest($1::smallint[], $2::bigint[], $3::bigint[]) AS n (slot, escalation_id, taker)
        ), ended AS (
            UPDATE escalation_call c SET called_off_at = now() FROM n
            WHERE c.slot = n.slot AND c.escalation_id = n.escalation_id AND c.called_off_at IS NULL AND c.outcome = 'told'
                AND c.account_id IS DISTINCT FROM n.taker
            RETURNING c.slot, c.alert_id, n.taker
        ), told AS (
            INSERT INTO alert (
                slot, device_id, parameter, account_id, alert_id, uid, episode_id, kind, purpose, side, value, worst, limit_value, check_probe,
                critical, change, change_seconds, heading, expected_at, hint, after_work, limit_time, opened_at, event_time, escalation_id, caller, caller_name,
                unanswered_seconds, to_endpoint, taker, taker_name)
            SELECT a.slot, a.device_id, a.parameter, a.account_id, nextval('alert_id'), new_alert_uid(), a.episode_id, a.kind, 'calledOff', a.side,
                a.value, a.worst, a.limit_value, a.check_probe, a.critical, a.change, a.change_seconds, a.heading, a.expected_at, a.hint,
                a.after_work, a.limit_time, a.opened_at, greatest(now(), a.opened_at), a.escalation_id, a.caller, a.caller_name, a.unanswered_seconds, a.to_endpoint, a.now_on_it,
                name_of_person(a.now_on_it)
            FROM ( -- however often they were called
                SELECT DISTINCT ON (a.slot, a.escalation_id, a.account_id, a.to_endpoint) a.*, c.taker AS now_on_it
                FROM ended c JOIN alert a ON a.slot = c.slot AND a.alert_id = c.alert_id
                JOIN ownership o ON o.slot = a.slot AND o.device_id = a.device_id AND o.account_id = a.account_id AND o.unlinked_at IS NULL
                WHERE a.state IN ('decided', 'sending', 'delivered')
                ORDER BY a.slot, a.escalation_id, a.account_id, a.to_endpoint, a.alert_id DESC) a
        )
        SELECT pg_notify('alert', '') WHERE EXISTS (SELECT FROM ended)
        """

    struct Ended: Sendable {
        var key: EscalationKey
        /// Who is on it; `nil` where it is over.
        var taker: Account.ID?
    }

    let ended: [Ended]
    init(_ ended: [Ended]) { self.ended = ended }

    func bind(_ parameters: inout Parameters) {
        parameters.append(ended.map(\.key))
        parameters.append(ended.map(\.taker))
    }
}
