import Instants
import Postgres
import Store
import WaterQuality

/// An alert about a silence, a fault, or a value that changes fast or is on the way to a limit, as it was decided.
struct ProbeAlert: Sendable {
    var key: ProbeKey
    var account: Account.ID
    var kind: Alert.Kind
    var alert: Alert.Reference
    var uid: Alert.UID
    var episode: Episode.Reference
    var purpose: Alert.Purpose
    /// Whether it is the probe that should be looked at: it says so, or the device is connected, or sends the rest.
    var checkProbe: Bool
    /// What the message calls "since".
    var openedAt: Timestamp
    /// When it was found to be wrong, or right again.
    var eventTime: Timestamp
    /// Of an alarm or a reminder about a value that changes fast.
    var course: Course?
    /// Of an alarm that a limit will be reached, at the true time.
    var outlook: Outlook?
    /// Of a fault: the value at which the probe has stayed, if it does not say itself that it is broken.
    var flatAt: Float?

    /// How a value changes, and what the person set.
    struct Course: Hashable, Sendable {
        var change: ValueChange
        var limit: ChangeLimit

        init(_ change: ValueChange, limit: ChangeLimit) {
            self.change = change
            self.limit = limit
        }
    }

    init(
        key: ProbeKey, account: Account.ID, kind: Alert.Kind, alert: Alert.Reference, uid: Alert.UID,
        episode: Episode.Reference, purpose: Alert.Purpose, checkProbe: Bool, openedAt: Timestamp, eventTime: Timestamp,
        course: Course? = nil, outlook: Outlook? = nil, flatAt: Float? = nil
    ) {
        self.key = key
        self.account = account
        self.kind = kind
        self.alert = alert
        self.uid = uid
        self.episode = episode
        self.purpose = purpose
        self.checkProbe = checkProbe
        self.openedAt = openedAt
        self.eventTime = eventTime
        self.course = course
        self.outlook = outlook
        self.flatAt = flatAt
    }

    /// Something of the course, or of the outlook, in the parameter's canonical unit.
    fileprivate func canonical(_ course: (Course) -> Steps, _ outlook: (Outlook) -> Steps? = { _ in nil }) -> Float? {
        guard let parameter = key.parameter, let steps = self.course.map(course) ?? self.outlook.flatMap(outlook) else {
            return nil
        }
        return parameter.value(of: steps)
    }
}

/// Adds alerts of the kinds beside range, and tells the notifiers. Alarms and reminders about silence charge their throttles;
/// those of the other kinds are charged together with those about ranges (`ChargeThrottles`), so that all are locked in one order.
struct AddProbeAlerts: Statement {
    static let sql = """
        WITH n AS (
            SELECT * FROM unnest(\(ProbeColumns.arrays), $6::bigint[], $7::uuid[], $8::bigint[], $9::text[],
                $10::boolean[], $11::timestamptz[], $12::timestamptz[], $13::real[], $14::real[], $15::real[],
                $16::integer[], $17::text[], $18::timestamptz[]) AS n (\(columns))
        ), charged AS (
            INSERT INTO throttle AS t (slot, device_id, parameter, account_id, charged_at, event_time, alert_id, kind)
            SELECT slot, device_id, parameter, account_id, event_time, event_time, alert_id, kind FROM n
            WHERE purpose <> 'recovery' AND kind = 'silence'
            ORDER BY slot, device_id, parameter, account_id
            ON CONFLICT (slot, device_id, parameter, account_id, kind) DO UPDATE SET
                charged_at = excluded.charged_at, event_time = excluded.event_time, alert_id = excluded.alert_id
        ), added AS (
            INSERT INTO alert (\(columns)) SELECT \(columns) FROM n
        )
        SELECT pg_notify('alert', '')
        """

    private static let columns = """
        \(ProbeColumns.names), alert_id, uid, episode_id, purpose, check_probe, opened_at, event_time, value, limit_value, \
        change, change_seconds, heading, expected_at
        """

    let alerts: [ProbeAlert]
    let numbers: ReservedNumbers

    init(_ alerts: [ProbeAlert], _ numbers: ReservedNumbers) {
        self.alerts = alerts
        self.numbers = numbers
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(probes: alerts, \.key, \.account, \.kind)
        parameters.append(alerts.map { numbers[$0.alert] })
        parameters.append(alerts.map(\.uid))
        parameters.append(alerts.map { numbers[$0.episode] })
        parameters.append(alerts.map(\.purpose))
        parameters.append(alerts.map(\.checkProbe))
        parameters.append(alerts.map(\.openedAt))
        parameters.append(alerts.map(\.eventTime))
        parameters.append(alerts.map { $0.flatAt ?? $0.canonical(\.change.to, \.value) })
        parameters.append(alerts.map { $0.canonical(\.limit.perHour, \.limit) })
        parameters.append(alerts.map { $0.canonical(\.change.by) })
        parameters.append(alerts.map { $0.course.map { Int32(clamping: $0.change.within.components.seconds) } })
        parameters.append(alerts.map(\.outlook?.side))
        parameters.append(alerts.map(\.outlook?.at))
    }
}
