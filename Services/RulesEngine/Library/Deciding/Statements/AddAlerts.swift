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
}

/// Adds alerts of every kind and tells the notifiers. The first word of an episode is an alarm.
struct AddAlerts: Statement {
    static let sql = """
        WITH n AS (
            SELECT *, row_number() OVER (PARTITION BY slot, episode_id ORDER BY alert_id) AS position_in_episode
            FROM unnest(
                $1::smallint[], $2::integer[], $3::bigint[], $4::bigint[], $5::uuid[], $6::bigint[], $7::text[],
                $8::timestamptz[], $9::timestamptz[], $10::timestamptz[], $11::text[], $12::smallint[], $13::text[],
                $14::real[], $15::real[], $16::real[], $17::boolean[], $18::boolean[], $19::boolean[], $20::real[],
                $21::integer[], $22::text[], $23::timestamptz[]) AS a (\(key), purpose, \(times), \(content))
        ), added AS (
            INSERT INTO alert (\(key), purpose, \(times), \(content))
            SELECT \(key),
                -- What its decision took for an alarm may have been sent, as that of an episode before, in the meantime.
                CASE WHEN purpose = 'reminder' AND position_in_episode = 1 AND NOT coalesce((
                    SELECT true FROM alert o
                    WHERE o.slot = n.slot AND o.episode_id = n.episode_id AND o.state <> 'cancelled'
                    LIMIT 1), false)
                THEN 'alarm' ELSE purpose END, \(times), \(content)
            FROM n
        )
        SELECT pg_notify('alert', '')
        """

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
        parameters.append(alerts.map { AlertColumns($0.content, of: $0.purpose) })
    }
}

/// Puts newer values into the text of alerts that are still on their way, and the episode that these are of: the one that the
/// alert was made for may have closed since. Of another one it is the first word, an alarm. A critical alert takes critical values alone: another would contradict the limit
/// that it names.
struct ReplaceAlertTexts: Statement {
    static let sql = """
        WITH locked AS ( -- in the order in which notifiers lock alerts, to avoid a deadlock
            SELECT n.* FROM unnest($1::smallint[], $2::bigint[], $3::real[], $4::real[], $5::boolean[],
                $6::timestamptz[], $7::timestamptz[], $8::boolean[], $9::bigint[], $10::timestamptz[])
                AS n (slot, alert_id, value, worst, check_probe, event_time, received_at, critical, episode_id, opened_at)
            JOIN alert a ON a.slot = n.slot AND a.alert_id = n.alert_id
            ORDER BY a.slot, a.alert_id
            FOR NO KEY UPDATE OF a
        )
        UPDATE alert a SET value = n.value, worst = n.worst, check_probe = n.check_probe, event_time = n.event_time,
            received_at = n.received_at, episode_id = n.episode_id, opened_at = n.opened_at,
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
