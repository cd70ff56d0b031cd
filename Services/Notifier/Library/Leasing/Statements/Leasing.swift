import Store
import WaterQuality

/// Expands alerts to the endpoints of their people, and leases these and other due deliveries.
enum Leasing {
    /// The whole statement. Its inputs are `$1` slots, `$2` how many of a queue, `$3` how long an alert is worth delivering and `$4` how
    /// long a lease lasts, in microseconds, and `$5` the holder; those of the queue follow.
    /// - Parameter queue: The common table expressions `heads`, which alerts are expanded, and `due`, which deliveries are leased; both locked.
    static func sql(_ queue: String) -> String {
        """
        WITH RECURSIVE \(queue), members AS (
            SELECT m.slot, m.alert_id, m.account_id, m.device_id, m.episode_id, m.uid, m.purpose, m.decided_at, m.audience, m.due_at,
                m.to_endpoint, m.critical, m.about IS NOT NULL
            FROM heads h JOIN alert m ON m.group_id = h.uid
            WHERE m.state = 'decided' AND m.uid <> h.uid
            FOR UPDATE OF m SKIP LOCKED
        ), fresh AS (
            SELECT * FROM heads UNION SELECT * FROM members
        ), expanded AS (
            INSERT INTO delivery (
                slot, account_id, alert_id, endpoint_id, expires_at, attempts, next_attempt_at, holder,
                held_attempt, lease)
            SELECT f.slot, f.account_id, f.alert_id, e.endpoint_id, f.decided_at + $3 * interval '1 us',
                CASE WHEN waits THEN 0 ELSE 1 END, CASE WHEN waits THEN f.due_at ELSE now() + $4 * interval '1 us' END,
                CASE WHEN NOT waits THEN $5::integer END, CASE WHEN NOT waits THEN 1 END, CASE WHEN NOT waits THEN \(LeaseName.drawn) END
            FROM fresh f JOIN usable_endpoint e ON e.account_id = f.account_id AND CASE f.audience
                WHEN 'atOnce' THEN e.hears_at_once
                -- nowhere where the same was told at once: the person may have chosen otherwise meanwhile
                WHEN 'gathered' THEN e.channel <> '\(Endpoint.Channel.webhook.rawValue)' AND NOT EXISTS (
                    SELECT FROM alert t JOIN delivery g ON g.slot = t.slot AND g.alert_id = t.alert_id
                        AND g.endpoint_id = e.endpoint_id AND g.state = 'accepted'
                    WHERE t.slot = f.slot AND t.episode_id = f.episode_id AND t.audience = 'atOnce'
                        AND (f.purpose <> 'recovery' OR t.purpose = 'recovery'))
                ELSE true END
                AND (f.to_endpoint IS NULL OR f.to_endpoint = e.endpoint_id)
                -- what stands in the person's chain is told when nobody answers, unless there is nothing else to tell
                AND (f.purpose NOT IN (\(toldInTurn)) OR NOT \(isInChain("e"))
                    OR NOT \(hasOther("NOT \(isInChain("o")) AND NOT (o.only_urgent AND NOT f.critical AND NOT e.only_urgent)"))
                    -- whoever was told of it all the same hears of the end
                    OR f.purpose = 'recovery' AND \(wasTold))
                -- what hears of nothing but what is critical is told of anything else in that case too, and how that goes on and ends
                AND (NOT e.only_urgent OR f.critical OR f.purpose IN (\(urgent)) OR NOT \(hasOther("NOT o.only_urgent"))
                    OR f.purpose <> 'alarm' AND \(wasTold))
            -- the silence of several devices is worth the wait at all hours
            CROSS JOIN LATERAL (SELECT coalesce(f.due_at > now(), false) AND (NOT e.hears_at_once
                OR f.is_about_several AND e.channel <> '\(Endpoint.Channel.webhook.rawValue)') AS waits) w
            RETURNING slot, alert_id, endpoint_id, account_id, attempts, lease, tries, expires_at
        ), begun AS (
            UPDATE alert a SET state = CASE
                WHEN (a.slot, a.alert_id) IN (SELECT slot, alert_id FROM expanded) THEN 'sending'
                ELSE 'undelivered' END
            FROM fresh f WHERE a.slot = f.slot AND a.alert_id = f.alert_id
            -- what waits, or reaches nobody, is no row of the answer: there may be more all the same
            RETURNING CASE WHEN (SELECT count(*) FROM heads) >= $2 THEN pg_notify('alert', '')::text END
        ), unheard AS ( -- the last endpoint was removed since the decision, so nobody is told
            SELECT t.slot, t.alert_id, t.account_id FROM fresh f
            JOIN throttle t ON t.slot = f.slot AND t.alert_id = f.alert_id AND t.account_id = f.account_id
            WHERE (f.slot, f.alert_id) NOT IN (SELECT slot, alert_id FROM expanded)
            ORDER BY t.slot, t.device_id, t.parameter, t.account_id, t.kind -- in the order in which engines charge them
            FOR UPDATE OF t
        -- one that is still on its way reaches nobody either, and may be ending just now
        ), \(BrokenThrough.refund("unheard", to: BrokenThrough.told)), together AS ( -- what one message tells, however little was asked for
            SELECT p.slot, p.alert_id, p.endpoint_id FROM delivery p
            WHERE (p.slot, p.alert_id, p.endpoint_id) IN (
                    SELECT m.slot, m.alert_id, due.endpoint_id
                    FROM due JOIN alert a ON a.slot = due.slot AND a.alert_id = due.alert_id
                    JOIN alert m ON m.account_id = a.account_id AND m.group_id = a.group_id
                        AND m.decided_at BETWEEN a.decided_at - \(longestGathering) AND a.decided_at + \(longestGathering)
                    WHERE a.group_id IS NOT NULL AND a.due_at IS NOT NULL AND (m.slot, m.alert_id) <> (a.slot, a.alert_id))
                -- pending, looked up by its key: the index of what is due has all that waits
                AND p.ended_at IS NULL AND p.next_attempt_at <= now()
            FOR UPDATE SKIP LOCKED
        ), leased AS (
            UPDATE delivery d SET
                -- wraps to 1: a number too large would fail the statement for every delivery
                attempts = attempts % 32767 + 1, next_attempt_at = now() + $4 * interval '1 us', holder = $5,
                held_attempt = attempts % 32767 + 1, lease = \(LeaseName.drawn)
            FROM (SELECT * FROM due UNION SELECT * FROM together) due
            WHERE d.slot = due.slot AND d.alert_id = due.alert_id AND d.endpoint_id = due.endpoint_id
            RETURNING d.slot, d.alert_id, d.endpoint_id, d.account_id, d.attempts, d.lease, d.tries, d.expires_at
        )
        SELECT d.endpoint_id, e.registration, coalesce(e.confirmed_at, e.created_at), d.account_id, d.attempts, d.lease, d.tries,
            d.expires_at,
            -- an unlinking that overlapped the expansion has cancelled the alert, but did not see its deliveries
            -- (a recovery notice may be decided while its device is being unlinked)
            EXISTS (SELECT FROM usable_endpoint u WHERE u.endpoint_id = d.endpoint_id AND u.account_id = d.account_id)
                AND a.state <> 'cancelled' AND (a.device_id IS NULL OR o.account_id IS NOT NULL OR a.ended),
            (\(AlertTruth.holds("a", by: "s")) OR \(AlertTruth.isPast("a"))) AND \(AlertTruth.concerns("d", of: "a")),
            \(AlertTruth.isPast("a")),
            -- the last 50 alerts of the watch suffice: a delivery is pending for half an hour at most, and few alerts
            -- are decided in that time
            a.purpose = 'calledOff' AND EXISTS (
                SELECT FROM alert c JOIN delivery p ON p.slot = c.slot AND p.alert_id = c.alert_id AND p.endpoint_id = d.endpoint_id
                    AND p.state = 'pending'
                WHERE c.slot = a.slot AND c.escalation_id = a.escalation_id AND c.purpose = 'escalation')
            OR a.purpose = 'recovery' AND EXISTS (
                SELECT FROM (
                    (SELECT w.alert_id, w.state FROM alert w
                    WHERE w.slot = a.slot AND w.device_id = a.device_id AND w.parameter = a.parameter
                        AND w.account_id = a.account_id AND w.kind = a.kind AND w.alert_id < a.alert_id
                    ORDER BY w.alert_id DESC
                    LIMIT 50)
                    UNION ALL
                    (SELECT w.alert_id, w.state FROM alert w
                    WHERE a.kind = 'silence' AND w.slot = a.slot AND w.device_id = a.device_id AND w.parameter IS NULL
                        AND w.account_id = a.account_id AND w.alert_id < a.alert_id
                    ORDER BY w.alert_id DESC
                    LIMIT 50)) older
                WHERE older.state = 'decided' OR older.state = 'sending' AND EXISTS (
                    SELECT FROM delivery p WHERE p.slot = a.slot AND p.alert_id = older.alert_id
                        AND p.endpoint_id = d.endpoint_id AND p.state = 'pending')),
            e.channel, e.target, e.sealed_secret, CASE WHEN e.former_until > now() THEN e.former_secret END, e.vapid_key_id,
            \(StoredForm.columns),
            CASE WHEN e.channel = '\(Endpoint.Channel.email.rawValue)' THEN stop_token(e.endpoint_id, e.registration) END,
            CASE WHEN a.purpose IN ('alarm', 'reminder', 'escalation') AND NOT a.ended AND e.channel <> '\(Endpoint.Channel.webhook.rawValue)'
                THEN answer_token(a.slot, a.alert_id, a.uid)
                -- that it was done is answered by nobody
                WHEN a.kind = '\(Alert.Kind.care.rawValue)' AND e.channel <> '\(Endpoint.Channel.webhook.rawValue)'
                THEN CASE WHEN a.about[1]::jsonb -> 'replaces' IS NULL THEN care_token(a.slot, a.alert_id, a.uid) END END,
            CASE WHEN e.channel IN (\(withReceipts)) THEN receipt_token(a.slot, a.alert_id, a.uid, d.endpoint_id) END,
            now(), (SELECT clock_is_trusted()), a.group_id, a.audience IS NOT DISTINCT FROM 'gathered',
            \(StoredAlert.columns(deviceName: nameOfDevice))
        FROM (SELECT * FROM expanded WHERE lease IS NOT NULL UNION ALL SELECT * FROM leased) d
        JOIN alert a ON a.slot = d.slot AND a.alert_id = d.alert_id
        JOIN endpoint e ON e.endpoint_id = d.endpoint_id
        LEFT JOIN device_clock k ON k.slot = a.slot AND k.device_id = a.device_id
        \(StoredAlert.joins(lag: "coalesce(k.lag_seconds, 0)"))
        LEFT JOIN ownership o ON o.slot = a.slot AND o.device_id = a.device_id AND o.account_id = a.account_id
            AND o.unlinked_at IS NULL
        """
    }

    /// The longest time between the decisions of alerts that one message tells.
    private static let longestGathering = "interval '10 minutes'"

    /// The purposes of alerts that an endpoint of a chain waits for its turn to hear of.
    private static let toldInTurn = [Alert.Purpose.alarm, .reminder, .recovery, .past]
        .map { "'\($0.rawValue)'" }.joined(separator: ", ")

    /// The purposes of alerts that are told wherever they are sent: calls, their end, and tests.
    private static let urgent = [Alert.Purpose.escalation, .calledOff, .test]
        .map { "'\($0.rawValue)'" }.joined(separator: ", ")

    /// The channels on which whoever is told says that a message has arrived.
    private static let withReceipts = [Endpoint.Channel.webPush, .apns, .fcm]
        .map { "'\($0.rawValue)'" }.joined(separator: ", ")

    /// Whether an endpoint is a step of its person's chain for the device of the alert `f`.
    private static func isInChain(_ endpoint: String) -> String {
        """
        EXISTS (
            SELECT FROM chain_step c WHERE c.slot = f.slot AND c.device_id = f.device_id AND c.account_id = f.account_id
                AND c.endpoint_id = \(endpoint).endpoint_id)
        """
    }

    /// Whether the person has another endpoint `o` for which the alert `f` is and this holds: there is something else to tell.
    private static func hasOther(_ condition: String) -> String {
        """
        EXISTS (
            SELECT FROM usable_endpoint o WHERE o.account_id = f.account_id AND \(condition) AND CASE f.audience
                WHEN 'atOnce' THEN o.hears_at_once
                WHEN 'gathered' THEN o.channel <> '\(Endpoint.Channel.webhook.rawValue)'
                ELSE true END)
        """
    }

    /// Whether the endpoint `e` was told of the trouble that the alert `f` is about, or may still be.
    private static let wasTold = """
        EXISTS (
            SELECT FROM alert t JOIN delivery g ON g.slot = t.slot AND g.alert_id = t.alert_id AND g.endpoint_id = e.endpoint_id
                AND (g.state IN ('accepted', 'pending') OR g.ambiguous_at IS NOT NULL)
            WHERE t.slot = f.slot AND t.episode_id = f.episode_id AND t.purpose IN ('alarm', 'reminder'))
        """

    /// The person's name for the device; of one that they do not watch any more, the last.
    private static let nameOfDevice = """
        o.name, CASE WHEN a.ended THEN (
                SELECT w.name FROM ownership w
                WHERE w.slot = a.slot AND w.device_id = a.device_id AND w.account_id = a.account_id
                ORDER BY w.linked_at DESC LIMIT 1) END
        """

    /// The columns of an alert in `heads`.
    static let columns =
        "slot, alert_id, account_id, device_id, episode_id, uid, purpose, decided_at, audience, due_at, to_endpoint, critical, about IS NOT NULL AS is_about_several"

    /// Whether an alert `a` is the first of what is told together: whoever has the first takes all; what is left of a group whose first has
    /// gone comes by itself.
    static let isFirst = """
        (a.group_id IS NULL OR a.group_id = a.uid OR NOT EXISTS (
            SELECT FROM alert first WHERE first.group_id = a.group_id AND first.uid = a.group_id AND first.state = 'decided'))
        """
}
