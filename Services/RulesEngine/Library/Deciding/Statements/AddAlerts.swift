import Instants
import Postgres
import Store
import WaterQuality

/// An alert as it was decided.
struct AlertRecord: Sendable {
    var subject: Subject
    var alert: Alert.Reference
    var uid: Alert.UID
    var episode: Episode.Reference
    var purpose: Alert.Purpose
    var content: Alert.Content
    /// The beginning that the message calls "since".
    var openedAt: Timestamp
    /// When it was found to be wrong, or right again.
    var eventTime: Timestamp
    var receivedAt: Timestamp?
    /// The endpoints that it is for; `nil` for all.
    var audience: Alert.Audience?
    /// The first of the alerts that are told together with it, perhaps itself.
    var group: Alert.UID?
    /// Until when others may follow that are told with it, of devices that fell silent at once or are heard again; `nil` of anything else.
    var settlesAt: Timestamp?
}

/// Adds alerts of every kind and tells the notifiers. The first word of an episode is an alarm.
///
/// The findings about one device in one transaction are one message. Those of the next ten seconds are the next one, at their end: firmware
/// that sends one value a topic sends them one after the other. What is critical waits for nothing, and neither do endpoints that hear
/// at all hours.
///
/// Devices of one owner that fall silent at once are found one after the other, in several transactions: the message about the first waits for the
/// rest (`SharedSilence`).
struct AddAlerts: Statement {
    static let sql = """
        WITH n AS (
            SELECT *, row_number() OVER (PARTITION BY slot, episode_id ORDER BY alert_id) AS position_in_episode
            FROM unnest(
                $1::smallint[], $2::integer[], $3::bigint[], $4::bigint[], $5::uuid[], $6::bigint[], $7::text[],
                $8::timestamptz[], $9::timestamptz[], $10::timestamptz[], $11::text[], $12::uuid[], $13::text[],
                $14::smallint[], $15::text[],
                $16::real[], $17::real[], $18::real[], $19::boolean[], $20::boolean[], $21::boolean[], $22::boolean[],
                $23::real[], $24::integer[], $25::text[], $26::timestamptz[], $27::text[], $28::text[],
                $29::text[], $30::timestamptz[])
                AS a (\(key), purpose, \(times), audience, first_of_group, \(content), site, settles_at)
        ), told AS ( -- a group of one is none
            SELECT n.*,
                CASE WHEN count(*) OVER (PARTITION BY first_of_group) > 1 THEN first_of_group END AS own_group,
                bool_or(n.critical OR n.purpose <> 'alarm') OVER (PARTITION BY first_of_group) AS is_urgent
            FROM n
        ), placed AS (
            SELECT t.*, coalesce(s.due_at, l.due_at) AS joined_due_at, coalesce(s.group_id, l.group_id) AS joined_group,
                coalesce(max(t.settles_at) OVER (PARTITION BY t.first_of_group), l.decided_at + \(gathers)) AS next_due_at
            FROM told t
            LEFT JOIN LATERAL ( -- the message about the same site that waits for others
                SELECT o.due_at, o.group_id FROM alert o
                WHERE t.settles_at IS NOT NULL AND o.account_id = t.account_id AND o.decided_at > now() - interval '10 minutes'
                    AND o.due_at > now() AND o.due_at < now() + interval '5 minutes' AND o.kind = 'silence' AND o.group_id IS NOT NULL
                    AND (o.purpose = 'recovery') = (t.purpose = 'recovery') AND o.audience IS NOT DISTINCT FROM t.audience
                    AND o.state <> 'cancelled' AND o.about[1]::jsonb -> 'site' = t.site::jsonb -> 'site'
                ORDER BY o.decided_at DESC
                LIMIT 1) s ON true
            LEFT JOIN LATERAL ( -- the last message of the same device to the same endpoints
                SELECT o.decided_at, CASE WHEN o.due_at > now() THEN o.due_at END AS due_at, coalesce(o.group_id, o.uid) AS group_id
                FROM alert o
                WHERE t.settles_at IS NULL AND NOT t.is_urgent AND o.account_id = t.account_id AND o.slot = t.slot
                    AND o.device_id = t.device_id AND o.about IS NULL
                    AND o.decided_at > now() - \(gathers) AND o.decided_at < now() AND o.purpose = 'alarm'
                    AND o.audience IS NOT DISTINCT FROM t.audience AND o.state <> 'cancelled'
                ORDER BY o.decided_at DESC, o.due_at DESC NULLS LAST
                LIMIT 1) l ON true
        ), added AS (
            INSERT INTO alert (\(key), purpose, \(times), audience, group_id, due_at, \(content), about)
            SELECT \(key),
                -- What its decision took for an alarm may have been sent, as that of an episode before, in the meantime.
                CASE WHEN purpose = 'reminder' AND position_in_episode = 1 AND NOT coalesce((
                    SELECT true FROM alert o
                    WHERE o.slot = n.slot AND o.episode_id = n.episode_id AND o.state <> 'cancelled'
                    LIMIT 1), false)
                THEN 'alarm' ELSE purpose END, \(times), audience,
                CASE WHEN joined_due_at IS NOT NULL THEN joined_group
                    WHEN next_due_at IS NOT NULL THEN first_of_group ELSE own_group END,
                coalesce(joined_due_at, next_due_at), \(content), CASE WHEN site IS NOT NULL THEN ARRAY[site] END
            FROM placed n
        ), alarmed AS (
            SELECT * FROM placed WHERE purpose IN ('alarm', 'reminder') AND audience IS DISTINCT FROM 'atOnce'
        ), escalating AS ( -- nobody is called before the person is told
            \(BeginEscalations.begin(from: "alarmed", told: toldAt("n")))
        )
        SELECT pg_notify('alert', '')
        """

    /// When the message of an alert is sent that others may join; ten seconds make no difference.
    private static func toldAt(_ alert: String) -> String {
        "CASE WHEN \(alert).settles_at IS NULL THEN now() ELSE coalesce(\(alert).joined_due_at, \(alert).next_due_at) END"
    }

    /// How long what begins on one device is told together.
    private static let gathers = "interval '10 seconds'"
    private static let key = "slot, device_id, account_id, alert_id, uid, episode_id"
    private static let times = "opened_at, event_time, received_at"
    private static let content = AlertColumns.names.joined(separator: ", ")

    let alerts: [AlertRecord]
    let numbers: ReservedNumbers

    init(_ alerts: [AlertRecord], _ numbers: ReservedNumbers) {
        self.alerts = alerts
        self.numbers = numbers
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(alerts.map(\.subject.device))
        parameters.append(alerts.map(\.subject.account))
        parameters.append(alerts.map { numbers[$0.alert] })
        parameters.append(alerts.map(\.uid))
        parameters.append(alerts.map { numbers[$0.episode] })
        parameters.append(alerts.map(\.purpose))
        parameters.append(alerts.map(\.openedAt))
        parameters.append(alerts.map(\.eventTime))
        parameters.append(alerts.map(\.receivedAt))
        parameters.append(alerts.map(\.audience))
        parameters.append(alerts.map { $0.group ?? $0.uid })
        let contents = alerts.map { AlertColumns($0.content, of: $0.purpose) }
        parameters.append(contents)
        parameters.append(contents.map(\.site))
        parameters.append(alerts.map(\.settlesAt))
    }
}

/// Puts newer values into the text of alerts that are still on their way, and the episode that these are of: the one that the
/// alert was made for may have closed since. Of another one it is the first word, an alarm. A critical alert takes critical values alone: another would contradict the limit
/// that it names.
struct ReplaceAlertTexts: Statement {
    static let sql = """
        WITH locked AS ( -- in the order in which notifiers lock alerts, to avoid a deadlock
            SELECT n.* FROM unnest($1::smallint[], $2::bigint[], $3::real[], $4::real[], $5::boolean[],
                $6::timestamptz[], $7::timestamptz[], $8::boolean[], $9::bigint[], $10::timestamptz[], $11::boolean[], $12::real[], $13::text[])
                AS n (slot, alert_id, value, worst, check_probe, event_time, received_at, critical, episode_id, opened_at, after_work, limit_value,
                    limit_time)
            JOIN alert a ON a.slot = n.slot AND a.alert_id = n.alert_id
            ORDER BY a.slot, a.alert_id
            FOR NO KEY UPDATE OF a
        )
        UPDATE alert a SET value = n.value, worst = n.worst, check_probe = n.check_probe, event_time = n.event_time,
            received_at = n.received_at, episode_id = n.episode_id, opened_at = n.opened_at,
            -- that something goes on after work on the water is said of its own episode alone
            after_work = n.after_work OR a.after_work AND a.episode_id = n.episode_id,
            -- by the clock another one may hold; a plain alarm goes on to name the plain limit
            limit_value = CASE WHEN n.critical = a.critical THEN n.limit_value ELSE a.limit_value END,
            limit_time = CASE WHEN n.critical = a.critical THEN n.limit_time ELSE a.limit_time END,
            purpose = CASE WHEN a.episode_id = n.episode_id THEN a.purpose ELSE 'alarm' END
        FROM locked n
        WHERE a.slot = n.slot AND a.alert_id = n.alert_id AND a.event_time < n.event_time
            AND a.state IN ('decided', 'sending') AND (n.critical OR NOT a.critical)
        """

    struct Replacement: Sendable {
        var slot: Slot
        var alert: Alert.ID
        var content: Alert.Content
        var isCritical: Bool
        var eventTime: Timestamp
        var receivedAt: Timestamp?
        var episode: Episode.Reference
        var openedAt: Timestamp
    }

    let replacements: [Replacement]
    let numbers: ReservedNumbers

    /// - Parameter replacements: At most one for each alert.
    init(_ replacements: [Replacement], _ numbers: ReservedNumbers) {
        self.replacements = replacements
        self.numbers = numbers
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(replacements.map(\.slot))
        parameters.append(replacements.map(\.alert))
        let contents = replacements.map { AlertColumns($0.content, of: .alarm) }
        parameters.append(contents.map(\.value))
        parameters.append(contents.map(\.worst))
        parameters.append(contents.map(\.checkProbe))
        parameters.append(replacements.map(\.eventTime))
        parameters.append(replacements.map(\.receivedAt))
        parameters.append(replacements.map(\.isCritical))
        parameters.append(replacements.map { numbers[$0.episode] })
        parameters.append(replacements.map(\.openedAt))
        parameters.append(contents.map(\.isAfterWork))
        parameters.append(contents.map(\.limit))
        parameters.append(contents.map(\.limitTime))
    }
}

/// Charges throttles with the alerts that were decided.
struct ChargeThrottles: Statement {
    static let sql = """
        INSERT INTO throttle AS t (slot, device_id, parameter, account_id, charged_at, event_time, alert_id, kind)
        SELECT slot, device_id, parameter, account_id, event_time, event_time, alert_id, kind FROM unnest(
            $1::smallint[], $2::integer[], $3::smallint[], $4::bigint[], $5::text[], $6::timestamptz[], $7::bigint[])
            AS n (slot, device_id, parameter, account_id, kind, event_time, alert_id)
        ON CONFLICT (slot, device_id, parameter, account_id, kind) DO UPDATE SET
            charged_at = excluded.charged_at, event_time = excluded.event_time, alert_id = excluded.alert_id
        """

    struct Charge: Sendable {
        var subject: Subject
        /// `nil` for a kind without sides.
        var side: Side?
        var at: Timestamp
        var alert: Alert.ID

        /// The stored word for the kind: of range the side, since each side has a charge of its own.
        var charged: String { side?.rawValue ?? subject.kind.rawValue }

        /// Whether its row is locked before another one.
        func precedes(_ other: Charge) -> Bool {
            let (left, right) = (subject, other.subject)
            return (left.device.slot, left.device.device, left.parameter?.rawValue ?? .max, left.account, charged)
                < (
                    right.device.slot, right.device.device, right.parameter?.rawValue ?? .max, right.account,
                    other.charged
                )
        }
    }

    let charges: [Charge]

    /// - Parameter charges: At most one for each subject and side, in any order. Every transaction locks throttles in the order of
    ///   their keys, after alerts.
    init(_ charges: [Charge]) { self.charges = charges.sorted { $0.precedes($1) } }

    func bind(_ parameters: inout Parameters) {
        parameters.append(charges.map(\.subject.device))
        parameters.append(charges.map(\.subject.parameter))
        parameters.append(charges.map(\.subject.account))
        parameters.append(charges.map(\.charged))
        parameters.append(charges.map(\.at))
        parameters.append(charges.map(\.alert))
    }
}
