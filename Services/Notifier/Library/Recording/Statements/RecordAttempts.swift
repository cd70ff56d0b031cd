import Instants
import Postgres
import Store
import WaterQuality

/// Locks alerts, so that two notifiers that end the last two deliveries of one see each other's results; with a critical one
/// also those that it broke through and that may still end, since it may give its charge back to them.
struct LockAlerts: Statement {
    static let sql = """
        WITH n AS (
            SELECT * FROM unnest($1::smallint[], $2::bigint[]) AS n (slot, alert_id)
        )
        SELECT a.alert_id FROM (
            SELECT slot, alert_id FROM n
            UNION
            SELECT c.slot, b.alert_id FROM n JOIN alert c ON c.slot = n.slot AND c.alert_id = n.alert_id AND c.critical
            CROSS JOIN LATERAL (
                \(BrokenThrough.select(before: "c", in: BrokenThrough.onTheirWay))
            ) b
        ) wanted
        JOIN alert a ON a.slot = wanted.slot AND a.alert_id = wanted.alert_id
        ORDER BY a.slot, a.alert_id
        FOR UPDATE OF a
        """
    let alerts: [AlertKey]
    init(_ alerts: [AlertKey]) { self.alerts = alerts }
    func bind(_ parameters: inout Parameters) { parameters.append(alerts) }
    static func decode(_ row: inout RowReader) throws -> Alert.ID { try row.read() }
}

/// Records the results of leased deliveries. A result whose lease was taken over since is kept as an attempt and
/// changes nothing else.
struct RecordAttempts: Statement {
    static let sql = """
        WITH result AS (
            SELECT * FROM unnest(
                $1::smallint[], $2::bigint[], $3::bigint[], $4::smallint[], $5::integer[], $6::text[], $7::boolean[],
                $8::timestamptz[], $9::timestamptz[], $10::bigint[], $11::text[], $12::smallint[], $13::text[],
                $14::integer[]
            ) AS r (slot, alert_id, endpoint_id, attempt, lease, state, ambiguous, next_attempt_at, started_at, duration_us,
                outcome, status, detail, registration)
        ), recorded AS (
            UPDATE delivery d SET
                state = r.state,
                tries = least(d.tries, 32766) + 1,
                holder = NULL,
                ambiguous_at = coalesce(d.ambiguous_at, CASE WHEN r.ambiguous THEN now() END),
                next_attempt_at = coalesce(r.next_attempt_at, d.next_attempt_at),
                ended_at = CASE WHEN r.state <> 'pending' THEN now() END
            FROM result r
            WHERE d.slot = r.slot AND d.alert_id = r.alert_id AND d.endpoint_id = r.endpoint_id
                AND d.attempts = r.attempt AND d.lease = r.lease AND d.state = 'pending'
            RETURNING d.slot, d.endpoint_id, r.outcome, r.registration, r.status
        ), logged AS (
            INSERT INTO delivery_attempt (
                slot, alert_id, endpoint_id, attempt, started_at, duration_us, outcome, status, detail)
            SELECT slot, alert_id, endpoint_id,
                -- the number of a lease that was lost is given again: the first attempt keeps it, others get the next ones
                CASE WHEN is_free THEN attempt ELSE least(32767, highest + row_number() OVER (
                    PARTITION BY slot, alert_id, endpoint_id, is_free ORDER BY started_at)) END,
                started_at, duration_us, outcome, status, detail
            FROM (
                SELECT r.*,
                    greatest(past.highest, max(r.attempt) OVER (PARTITION BY r.slot, r.alert_id, r.endpoint_id)) AS highest,
                    NOT r.attempt = ANY (past.attempts) AND row_number() OVER (
                        PARTITION BY r.slot, r.alert_id, r.endpoint_id, r.attempt ORDER BY r.started_at) = 1 AS is_free
                FROM result r
                CROSS JOIN LATERAL (
                    SELECT coalesce(array_agg(attempt), '{}') AS attempts, max(attempt) AS highest,
                        coalesce(bool_or(t.started_at = r.started_at), false) AS has_this
                    FROM delivery_attempt t
                    WHERE t.slot = r.slot AND t.alert_id = r.alert_id AND t.endpoint_id = r.endpoint_id
                ) past
                -- not again after a commit of which nobody heard, nor of a delivery that went with its person's account
                WHERE NOT past.has_this AND EXISTS (SELECT FROM delivery d
                    WHERE d.slot = r.slot AND d.alert_id = r.alert_id AND d.endpoint_id = r.endpoint_id)
            ) numbered
            ON CONFLICT DO NOTHING
        )
        INSERT INTO endpoint_retirement AS t (slot, endpoint_id, registration, retired_because)
        SELECT slot, endpoint_id, max(registration), 'the receiver answered ' || max(status) FROM recorded
        WHERE outcome = 'gone'
        GROUP BY slot, endpoint_id
        ORDER BY slot, endpoint_id -- in the order of every notifier
        ON CONFLICT (slot, endpoint_id) DO UPDATE SET
            registration = excluded.registration, retired_at = now(), retired_because = excluded.retired_because
        WHERE excluded.registration > t.registration
        """

    struct Attempt: Sendable {
        var key: DeliveryKey
        var lease: LeaseName
        var state: Delivery.State
        var outcome: Delivery.Outcome
        /// The time of the next attempt, for a delivery that stays pending.
        var nextAttemptAt: Timestamp?
        var startedAt: Timestamp
        var durationMicroseconds: Int64
        var status: Int16?
        /// The registration of the endpoint at the time of the attempt.
        var registration: Int32
        /// The result in words, for people: at most 300 characters, no secret.
        var detail: String
        /// Whether it was given up because the alarm's episode was over, which may have changed until this is recorded.
        var wasOver = false
    }

    let attempts: [Attempt]
    init(_ attempts: [Attempt]) { self.attempts = attempts }

    func bind(_ parameters: inout Parameters) {
        parameters.append(attempts.map(\.key))
        parameters.append(attempts.map(\.lease))
        parameters.append(attempts.map(\.state))
        parameters.append(attempts.map { $0.outcome == .ambiguous })
        parameters.append(attempts.map(\.nextAttemptAt))
        parameters.append(attempts.map(\.startedAt))
        parameters.append(attempts.map(\.durationMicroseconds))
        parameters.append(attempts.map(\.outcome))
        parameters.append(attempts.map(\.status))
        parameters.append(attempts.map { String($0.detail.prefix(300)) })
        parameters.append(attempts.map(\.registration))
    }
}

/// The state of alerts' deliveries after results were recorded.
struct JudgeAlerts: Statement {
    static let sql = """
        SELECT a.slot, a.alert_id, a.account_id, a.decided_at, bool_or(d.state = 'pending'), bool_or(d.state = 'cancelled'),
            -- an ambiguous attempt may have been accepted, and counts once its delivery has ended
            least(
                min(d.ended_at) FILTER (WHERE d.state = 'accepted'),
                min(d.ambiguous_at) FILTER (WHERE d.state <> 'pending')),
            t.charged_at, coalesce(t.event_time, t.charged_at), (SELECT clock_is_trusted())
        FROM unnest($1::smallint[], $2::bigint[]) AS n (slot, alert_id)
        JOIN alert a ON a.slot = n.slot AND a.alert_id = n.alert_id
        JOIN delivery d ON d.slot = n.slot AND d.alert_id = n.alert_id
        LEFT JOIN throttle t ON t.slot = a.slot AND t.alert_id = a.alert_id AND t.account_id = a.account_id
        GROUP BY a.slot, a.alert_id, t.charged_at, t.event_time
        """

    struct Row: Sendable {
        var alert: AlertKey
        var account: Account.ID
        var decidedAt: Timestamp
        var anyPending: Bool
        /// Whether one was cancelled.
        var anyCancelled: Bool
        /// The time at which the first delivery was accepted, or may have been: the ambiguous attempt of one that has
        /// ended.
        var firstAcceptance: Timestamp?
        /// The start of the throttle that the alert charged, if that charge still stands.
        var chargedAt: Timestamp?
        /// The event time for which it was charged.
        var chargedFor: Timestamp?
        /// Whether the clock may be trusted to say how late an acceptance was.
        var isClockTrusted: Bool

        var settlement: Settlement {
            Settlement(
                of: alert.alert, charging: chargedAt.map { Throttle(runsFrom: $0, pending: .stored(alert.alert)) },
                event: chargedFor, decidedAt: decidedAt, firstAcceptance: firstAcceptance, anyPending: anyPending,
                anyCancelled: anyCancelled, isClockTrusted: isClockTrusted)
        }
    }

    let alerts: [AlertKey]
    init(_ alerts: [AlertKey]) { self.alerts = alerts }
    func bind(_ parameters: inout Parameters) { parameters.append(alerts) }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            alert: AlertKey(&row), account: row.read(), decidedAt: row.read(), anyPending: row.read(),
            anyCancelled: row.read(), firstAcceptance: row.read(), chargedAt: row.read(), chargedFor: row.read(),
            isClockTrusted: row.read())
    }
}

/// Ends alerts whose deliveries have ended. Refunds their throttles, or lets them run from a late acceptance. An all-clear that
/// somebody has got gives back what was charged before it: water that leaves its range again is told again.
struct SettleAlerts: Statement {
    static let sql = """
        WITH settled AS (
            SELECT * FROM unnest($1::smallint[], $2::bigint[], $3::bigint[], $4::text[], $5::boolean[], $6::timestamptz[],
                $7::boolean[]) AS s (slot, alert_id, account_id, state, refund, charged_at, told)
        ), ended AS (
            UPDATE alert a SET state = s.state FROM settled s
            WHERE a.slot = s.slot AND a.alert_id = s.alert_id AND s.state IS NOT NULL AND a.state = 'sending'
        ), concerned AS (
            SELECT t.slot, t.device_id, t.parameter, t.account_id, t.kind, t.alert_id, s.refund, s.charged_at,
                false AS is_over
            FROM settled s JOIN throttle t
                ON t.slot = s.slot AND t.account_id = s.account_id AND t.alert_id = s.alert_id
            WHERE s.refund OR s.charged_at > t.charged_at
            UNION ALL
            SELECT t.slot, t.device_id, t.parameter, t.account_id, t.kind, t.alert_id, false, NULL, true
            FROM settled s JOIN alert a ON a.slot = s.slot AND a.alert_id = s.alert_id AND a.purpose = 'recovery'
            JOIN throttle t ON t.slot = a.slot AND t.device_id = a.device_id
                AND t.parameter IS NOT DISTINCT FROM a.parameter AND t.account_id = a.account_id
                AND (t.kind = a.kind OR a.kind = 'range' AND t.kind IN ('low', 'high')) AND t.alert_id < a.alert_id
            WHERE s.told
        ), held AS ( -- in the order in which engines charge them
            SELECT t.slot, t.device_id, t.parameter, t.account_id, t.kind, t.alert_id, c.refund, c.charged_at, c.is_over
            FROM concerned c JOIN throttle t ON t.slot = c.slot AND t.alert_id = c.alert_id AND t.device_id = c.device_id
                AND t.parameter IS NOT DISTINCT FROM c.parameter AND t.account_id = c.account_id AND t.kind = c.kind
            ORDER BY t.slot, t.device_id, t.parameter, t.account_id, t.kind
            FOR UPDATE OF t
        ), returned AS (
            DELETE FROM throttle t USING held h
            WHERE h.is_over AND t.slot = h.slot AND t.device_id = h.device_id AND t.parameter IS NOT DISTINCT FROM h.parameter
                AND t.account_id = h.account_id AND t.kind = h.kind AND t.alert_id = h.alert_id
        ), unheard AS (
            SELECT slot, account_id, alert_id FROM held WHERE refund
        ), \(BrokenThrough.refund("unheard")), redated AS (
            UPDATE throttle t SET charged_at = h.charged_at FROM held h
            WHERE NOT h.refund AND NOT h.is_over AND h.charged_at > t.charged_at
                -- an acceptance in the future was timed by a clock that was set back since
                AND h.charged_at <= now() + interval '6 minutes' AND t.slot = h.slot
                AND t.account_id = h.account_id AND t.alert_id = h.alert_id
        )
        SELECT pg_notify('delivery', slot || '/' || alert_id) FROM settled -- names no person: everybody may listen
        """

    typealias Settled = (alert: AlertKey, account: Account.ID, settlement: Settlement)

    let settled: [Settled]
    init(_ settled: [Settled]) { self.settled = settled }

    func bind(_ parameters: inout Parameters) {
        parameters.append(settled.map(\.alert))
        parameters.append(settled.map(\.account))
        parameters.append(settled.map(\.settlement.state))
        parameters.append(settled.map { $0.settlement.charge == .refunded })
        parameters.append(
            settled.map { if case .runsFrom(let time) = $0.settlement.charge { time } else { Timestamp?.none } })
        parameters.append(settled.map(\.settlement.isTold))
    }
}

/// The number of pending deliveries, their delay and their failures.
struct MeasureDeliveries: Statement {
    static let sql = """
        SELECT count(*), coalesce(extract(epoch FROM min(next_attempt_at) - now()), 0)::double precision,
            count(*) FILTER (WHERE tries > 0), count(DISTINCT endpoint_id) FILTER (WHERE tries > 0),
            (SELECT coalesce(extract(epoch FROM now() - min(decided_at)), 0)::double precision
                FROM alert WHERE state = 'decided')
        FROM delivery WHERE state = 'pending'
        """

    struct Row: Sendable {
        var pending: Int64
        /// The time until the next attempt, in seconds; negative when it is overdue.
        var dueIn: Double
        /// The number of pending deliveries that were tried and not accepted.
        var retrying: Int64
        /// The number of endpoints that these go to.
        var failingEndpoints: Int64
        /// The age of the oldest alert that is not expanded to deliveries yet, in seconds.
        var oldestAlert: Double
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            pending: row.read(), dueIn: row.read(), retrying: row.read(), failingEndpoints: row.read(),
            oldestAlert: row.read())
    }
}
