import Instants
import Postgres
import Store
import WaterQuality

/// An alert as it was decided.
struct AlertRecord: Sendable {

    var key: WatchKey
    var alert: Alert.Reference
    var uid: Alert.UID
    var episode: Episode.Reference
    var purpose: Alert.Purpose
    var side: Side
    /// The value in the parameter's canonical unit, like `worst` and `limit`.
    var value: Float
    /// The worst value of the episode so far.
    var worst: Float
    var limit: Float?
    var checkProbe: Bool
    /// Whether `value` is beyond the critical limit, which `limit` then is.
    var isCritical: Bool
    /// Whether it says that the water is unstable.
    var isUnstable: Bool
    var openedAt: Timestamp
    var eventTime: Timestamp
    var receivedAt: Timestamp?

    init(
        key: WatchKey, alert: Alert.Reference, uid: Alert.UID, episode: Episode.Reference, purpose: Alert.Purpose,
        side: Side, value: Float, worst: Float, limit: Float?, checkProbe: Bool, isCritical: Bool = false,
        isUnstable: Bool = false, openedAt: Timestamp, eventTime: Timestamp, receivedAt: Timestamp?
    ) {
        self.key = key
        self.alert = alert
        self.uid = uid
        self.episode = episode
        self.purpose = purpose
        self.side = side
        self.value = value
        self.worst = worst
        self.limit = limit
        self.checkProbe = checkProbe
        self.isCritical = isCritical
        self.isUnstable = isUnstable
        self.openedAt = openedAt
        self.eventTime = eventTime
        self.receivedAt = receivedAt
    }
}

/// Adds alerts and tells the notifiers. The first word of an episode is an alarm.
struct AddAlerts: Statement {
    static let sql = """
        WITH added AS (
            INSERT INTO alert (
                slot, device_id, parameter, account_id, alert_id, episode_id, purpose, side, value, limit_value,
                check_probe, opened_at, event_time, received_at, worst, uid, critical, unstable, kind
            )
            SELECT slot, device_id, parameter, account_id, alert_id, episode_id,
                -- What its decision took for an alarm may have been sent, as that of an episode before, in the meantime.
                CASE WHEN purpose = 'reminder' AND position_in_episode = 1 AND NOT coalesce((
                    SELECT true FROM alert o
                    WHERE o.slot = n.slot AND o.episode_id = n.episode_id AND o.state <> 'cancelled'
                    LIMIT 1), false)
                THEN 'alarm' ELSE purpose END,
                side, value, limit_value, check_probe, opened_at, event_time, received_at, worst, uid, critical, unstable,
                'range'
            FROM (
                SELECT *, row_number() OVER (PARTITION BY slot, episode_id ORDER BY alert_id) AS position_in_episode
                FROM unnest(
                    $1::smallint[], $2::integer[], $3::smallint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[],
                    $8::text[], $9::real[], $10::real[], $11::boolean[], $12::timestamptz[], $13::timestamptz[],
                    $14::timestamptz[], $15::real[], $16::uuid[], $17::boolean[], $18::boolean[])
                    AS a (slot, device_id, parameter, account_id, alert_id, episode_id, purpose, side, value, limit_value,
                        check_probe, opened_at, event_time, received_at, worst, uid, critical, unstable)
            ) n
        )
        SELECT pg_notify('alert', '')
        """

    let alerts: [AlertRecord]
    let numbers: ReservedNumbers

    init(_ alerts: [AlertRecord], _ numbers: ReservedNumbers) {
        self.alerts = alerts
        self.numbers = numbers
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(keys: alerts.map(\.key))
        parameters.append(alerts.map { numbers[$0.alert] })
        parameters.append(alerts.map { numbers[$0.episode] })
        parameters.append(alerts.map(\.purpose))
        parameters.append(alerts.map(\.side))
        parameters.append(alerts.map(\.value))
        parameters.append(alerts.map(\.limit))
        parameters.append(alerts.map(\.checkProbe))
        parameters.append(alerts.map(\.openedAt))
        parameters.append(alerts.map(\.eventTime))
        parameters.append(alerts.map(\.receivedAt))
        parameters.append(alerts.map(\.worst))
        parameters.append(alerts.map(\.uid))
        parameters.append(alerts.map(\.isCritical))
        parameters.append(alerts.map(\.isUnstable))
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
        var value: Float
        var worst: Float
        var checkProbe: Bool
        var isCritical: Bool
        var eventTime: Timestamp
        var receivedAt: Timestamp
        var episode: Episode.Reference
        var openedAt: Timestamp

        init(
            slot: Slot, alert: Alert.ID, value: Float, worst: Float, checkProbe: Bool, isCritical: Bool = false,
            eventTime: Timestamp, receivedAt: Timestamp, episode: Episode.Reference, openedAt: Timestamp
        ) {
            self.receivedAt = receivedAt
            self.slot = slot
            self.alert = alert
            self.value = value
            self.worst = worst
            self.checkProbe = checkProbe
            self.isCritical = isCritical
            self.eventTime = eventTime
            self.episode = episode
            self.openedAt = openedAt
        }
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
        parameters.append(replacements.map(\.value))
        parameters.append(replacements.map(\.worst))
        parameters.append(replacements.map(\.checkProbe))
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
        var key: WatchKey
        /// `range`, `fault`, `rate` or `ahead`.
        var kind: Alert.Kind
        /// Of kind range.
        var side: Side?
        var at: Timestamp
        var alert: Alert.ID

        /// What is stored as the kind.
        var charged: String { side?.rawValue ?? kind.rawValue }

        init(key: WatchKey, kind: Alert.Kind = .range, side: Side? = nil, at: Timestamp, alert: Alert.ID) {
            self.key = key
            self.kind = kind
            self.side = side
            self.at = at
            self.alert = alert
        }
    }

    let charges: [Charge]

    /// - Parameter charges: At most one for each key, kind and side, in any order. Every transaction locks throttles in the order of
    ///   their keys, after alerts.
    init(_ charges: [Charge]) {
        self.charges = charges.sorted { ($0.key, $0.charged) < ($1.key, $1.charged) }
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(keys: charges.map(\.key))
        parameters.append(charges.map(\.charged))
        parameters.append(charges.map(\.at))
        parameters.append(charges.map(\.alert))
    }
}
