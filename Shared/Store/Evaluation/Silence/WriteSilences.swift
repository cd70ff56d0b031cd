package import Instants
package import Postgres
package import WaterQuality

/// A silence of one person after a decision.
package struct SilenceRecord: Sendable {
    package var key: SilenceKey
    package var account: Account.ID
    package var episode: Episode.Reference
    package var silence: Silence
    /// The latest alert about it.
    package var alert: Alert.Reference?
    /// When the device was heard again, and when the recovery notice is decided.
    package var closedAt: Timestamp?
    package var recoveryDueAt: Timestamp?

    package init(
        key: SilenceKey, account: Account.ID, episode: Episode.Reference, silence: Silence,
        alert: Alert.Reference? = nil, closedAt: Timestamp? = nil, recoveryDueAt: Timestamp? = nil
    ) {
        self.key = key
        self.account = account
        self.episode = episode
        self.silence = silence
        self.alert = alert
        self.closedAt = closedAt
        self.recoveryDueAt = recoveryDueAt
    }
}

/// Adds silences and updates those that exist. One that opens cancels the recovery notice of the one before it.
package struct WriteSilences: Statement {
    package static let sql = """
        WITH n AS (
            SELECT * FROM unnest($1::smallint[], $2::integer[], $3::smallint[], $4::bigint[], $5::bigint[],
                $6::timestamptz[], $7::timestamptz[], $8::bigint[], $9::boolean[], $10::timestamptz[])
                AS n (slot, device_id, parameter, account_id, episode_id, opened_at, closed_at, alert_id, no_recipient,
                    recovery_due_at)
        ), cancelled AS (
            UPDATE episode e SET recovery_due_at = NULL
            FROM n WHERE e.slot = n.slot AND e.device_id = n.device_id AND e.account_id = n.account_id
                AND e.parameter IS NOT DISTINCT FROM n.parameter AND e.kind = 'silence' AND e.episode_id <> n.episode_id AND e.recovery_due_at IS NOT NULL
                AND n.closed_at IS NULL
        )
        INSERT INTO episode AS e (
            slot, device_id, parameter, account_id, episode_id, kind, opened_at, last_at, closed_at, closed_because,
            alert_id, no_recipient, recovery_due_at)
        SELECT slot, device_id, parameter, account_id, episode_id, 'silence', opened_at, greatest(now(), opened_at),
            closed_at, CASE WHEN closed_at IS NOT NULL THEN 'recovered' END, alert_id, no_recipient, recovery_due_at
        FROM n
        ON CONFLICT (slot, episode_id) DO UPDATE SET
            last_at = excluded.last_at, closed_at = excluded.closed_at, closed_because = excluded.closed_because,
            alert_id = excluded.alert_id, no_recipient = excluded.no_recipient, recovery_due_at = excluded.recovery_due_at
        """

    let records: [SilenceRecord]
    let numbers: ReservedNumbers

    package init(_ records: [SilenceRecord], _ numbers: ReservedNumbers) {
        self.records = records
        self.numbers = numbers
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(records.map(\.key))
        parameters.append(records.map(\.account))
        parameters.append(records.map { numbers[$0.episode] })
        parameters.append(records.map(\.silence.heardAt))
        parameters.append(records.map(\.closedAt))
        parameters.append(records.map { $0.alert.map { numbers[$0] } })
        parameters.append(records.map(\.silence.noRecipient))
        parameters.append(records.map(\.recoveryDueAt))
    }
}

/// An alert about a silence as it was decided.
package struct SilenceAlert: Sendable {
    package var key: SilenceKey
    package var account: Account.ID
    package var alert: Alert.Reference
    package var uid: Alert.UID
    package var episode: Episode.Reference
    package var purpose: Alert.Purpose
    /// Whether it is the probe that should be looked at: the device is connected, or sends the rest.
    package var checkProbe: Bool
    /// The receipt of the last reading before the silence.
    package var heardAt: Timestamp
    /// When it was found to be silent, or heard again.
    package var eventTime: Timestamp

    package init(
        key: SilenceKey, account: Account.ID, alert: Alert.Reference, uid: Alert.UID, episode: Episode.Reference,
        purpose: Alert.Purpose, checkProbe: Bool, heardAt: Timestamp, eventTime: Timestamp
    ) {
        self.key = key
        self.account = account
        self.alert = alert
        self.uid = uid
        self.episode = episode
        self.purpose = purpose
        self.checkProbe = checkProbe
        self.heardAt = heardAt
        self.eventTime = eventTime
    }
}

/// Charges the throttles of alarms and reminders about silence, adds the alerts, and tells the notifiers.
package struct AddSilenceAlerts: Statement {
    package static let sql = """
        WITH n AS (
            SELECT * FROM unnest($1::smallint[], $2::integer[], $3::smallint[], $4::bigint[], $5::bigint[], $6::uuid[],
                $7::bigint[], $8::text[], $9::boolean[], $10::timestamptz[], $11::timestamptz[])
                AS n (slot, device_id, parameter, account_id, alert_id, uid, episode_id, purpose, check_probe, opened_at,
                    event_time)
        ), charged AS (
            INSERT INTO throttle AS t (slot, device_id, parameter, account_id, charged_at, event_time, alert_id, kind)
            SELECT slot, device_id, parameter, account_id, event_time, event_time, alert_id, 'silence' FROM n
            WHERE purpose <> 'recovery'
            ORDER BY slot, device_id, parameter, account_id
            ON CONFLICT (slot, device_id, parameter, account_id, kind) DO UPDATE SET
                charged_at = excluded.charged_at, event_time = excluded.event_time, alert_id = excluded.alert_id
        ), added AS (
            INSERT INTO alert (
                slot, device_id, parameter, account_id, alert_id, uid, episode_id, kind, purpose, check_probe, opened_at,
                event_time)
            SELECT slot, device_id, parameter, account_id, alert_id, uid, episode_id, 'silence', purpose, check_probe,
                opened_at, event_time
            FROM n
        )
        SELECT pg_notify('alert', '')
        """

    let alerts: [SilenceAlert]
    let numbers: ReservedNumbers

    package init(_ alerts: [SilenceAlert], _ numbers: ReservedNumbers) {
        self.alerts = alerts
        self.numbers = numbers
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(alerts.map(\.key))
        parameters.append(alerts.map(\.account))
        parameters.append(alerts.map { numbers[$0.alert] })
        parameters.append(alerts.map(\.uid))
        parameters.append(alerts.map { numbers[$0.episode] })
        parameters.append(alerts.map(\.purpose))
        parameters.append(alerts.map(\.checkProbe))
        parameters.append(alerts.map(\.heardAt))
        parameters.append(alerts.map(\.eventTime))
    }
}
