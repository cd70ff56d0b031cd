package import Instants
package import Postgres
package import WaterQuality

/// Takes the turn to look for silence until the end of the transaction. The result is false when another engine has it.
package struct TakeSilenceTurn: Statement {
    package static let sql = "SELECT pg_try_advisory_xact_lock(7133705)"
    package init() {}
    package static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// Notes that an engine looks, and tells since when silence counts: since every open session at the broker has a reader who
/// has lately left nothing in it, and since engines have looked at least once a minute.
package struct RunSilenceClock: Statement {
    package static let sql = """
        UPDATE silence_clock SET looked_at = now(), runs_from = CASE
            WHEN $1 OR runs_from > now() OR looked_at > now() OR looked_at < now() - interval '60 s'
                OR NOT coalesce((
                    SELECT bool_and(coalesce(level_at BETWEEN now() - interval '30 s' AND now() + interval '5 s', false))
                    FROM ingest_seat WHERE session_open), false)
            THEN now() ELSE runs_from END
        RETURNING runs_from, now()
        """

    let startsAnew: Bool

    /// - Parameter startsAnew: Whether the clock has leapt, as far as the engine can tell.
    package init(startsAnew: Bool) { self.startsAnew = startsAnew }
    package func bind(_ parameters: inout Parameters) { parameters.append(startsAnew) }

    package static func decode(_ row: inout RowReader) throws -> (runsFrom: Timestamp, now: Timestamp) {
        (try row.read(), try row.read())
    }
}

/// Takes devices that it is time to look at, with what was heard of them.
package struct TakeSilenceChecks: Statement {
    package static let sql = """
        WITH due AS (
            SELECT slot, device_id FROM silence_check WHERE due_at <= now()
            ORDER BY due_at
            LIMIT $1
            FOR UPDATE SKIP LOCKED
        )
        SELECT due.slot, due.device_id, r.heard_at, r.usual_us, coalesce(t.online, false),
            EXISTS (SELECT FROM ownership o
                WHERE o.slot = due.slot AND o.device_id = due.device_id AND o.unlinked_at IS NULL),
            EXISTS (SELECT FROM episode e WHERE e.slot = due.slot AND e.device_id = due.device_id
                AND e.parameter IS NULL AND e.kind = 'silence' AND e.closed_at IS NULL)
        FROM due
        CROSS JOIN LATERAL device_rhythm(due.slot, due.device_id, now() - $2 * interval '1 us') AS r
        LEFT JOIN device_status t ON t.slot = due.slot AND t.device_id = due.device_id
        """

    package struct Row: Sendable {
        package var device: DeviceKey
        /// The receipt of its last reading.
        package var heardAt: Timestamp?
        package var usualMicroseconds: Int64?
        /// Whether it said of itself last that it is connected.
        package var isConnected: Bool
        package var isSomebodys: Bool
        /// Whether a silence of it is open for anybody.
        package var hasOpenSilence: Bool
    }

    let limit: Int64
    let silenceAfter: Duration

    package init(limit: Int, silenceAfter: Duration) {
        self.limit = Int64(limit)
        self.silenceAfter = silenceAfter
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(limit)
        parameters.append(silenceAfter.wholeMicroseconds)
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            device: DeviceKey(&row), heardAt: row.read(), usualMicroseconds: row.read(), isConnected: row.read(),
            isSomebodys: row.read(), hasOpenSilence: row.read())
    }
}

/// Locks slots until the end of the transaction, so that no device in them changes hands. Those that are locked are left out.
package struct LockSlots: Statement {
    package static let sql = """
        SELECT slot FROM slot WHERE slot = ANY ($1::smallint[]) ORDER BY slot FOR UPDATE SKIP LOCKED
        """
    let slots: [Slot]
    package init(_ slots: [Slot]) { self.slots = slots }
    package func bind(_ parameters: inout Parameters) { parameters.append(slots) }
    package static func decode(_ row: inout RowReader) throws -> Slot { try row.read() }
}

/// The people of some devices, with what is known of each one's silence.
package struct LoadSilences: Statement {
    package static let sql = """
        SELECT o.slot, o.device_id, o.account_id, NULLIF(o.readings_from, '-infinity'), a.throttle_seconds,
            e.episode_id, e.opened_at, e.alert_id, coalesce(e.no_recipient, false), t.charged_at, t.alert_id,
            coalesce((SELECT state IN ('decided', 'sending') FROM alert WHERE slot = t.slot AND alert_id = t.alert_id), false),
            EXISTS (SELECT FROM reachable_account r WHERE r.account_id = o.account_id)
        FROM unnest($1::smallint[], $2::integer[]) AS wanted (slot, device_id)
        JOIN ownership o ON o.slot = wanted.slot AND o.device_id = wanted.device_id AND o.unlinked_at IS NULL
        JOIN account a ON a.account_id = o.account_id
        LEFT JOIN episode e ON e.slot = o.slot AND e.device_id = o.device_id AND e.parameter IS NULL
            AND e.account_id = o.account_id AND e.kind = 'silence' AND e.closed_at IS NULL
        LEFT JOIN throttle t ON t.slot = o.slot AND t.device_id = o.device_id AND t.parameter IS NULL
            AND t.account_id = o.account_id AND t.kind = 'silence'
        ORDER BY o.slot, o.device_id, o.account_id
        """

    package struct Row: Sendable {
        package var device: DeviceKey
        package var account: Account.ID
        /// The person's throttle interval, if they set one.
        package var throttleSeconds: Int32?
        package var state: SilenceState
        /// The open silence, and its latest alert.
        package var episode: Episode.ID?
        package var alert: Alert.ID?
    }

    let devices: [DeviceKey]
    package init(_ devices: [DeviceKey]) { self.devices = devices }
    package func bind(_ parameters: inout Parameters) { parameters.append(devices) }

    package static func decode(_ row: inout RowReader) throws -> Row {
        let device = try DeviceKey(&row)
        let account = try row.read(Account.ID.self)
        let theirsFrom = try row.read(Timestamp?.self)
        let throttleSeconds = try row.read(Int32?.self)
        let (episode, openedAt) = try (row.read(Episode.ID?.self), row.read(Timestamp?.self))
        let (alert, noRecipient) = try (row.read(Alert.ID?.self), row.read(Bool.self))
        let (chargedAt, charging) = try (row.read(Timestamp?.self), row.read(Alert.ID?.self))
        let isPending = try row.read(Bool.self)
        let hasRecipient = try row.read(Bool.self)
        let throttle = chargedAt.map {
            Throttle(runsFrom: $0, pending: isPending ? charging.map { .stored($0) } : nil)
        }
        let silence = openedAt.map { Silence(heardAt: $0, isAlerted: alert != nil, noRecipient: noRecipient) }
        return Row(
            device: device, account: account, throttleSeconds: throttleSeconds,
            state: SilenceState(
                silence: silence, throttle: throttle, hasRecipient: hasRecipient, theirsFrom: theirsFrom),
            episode: episode, alert: alert)
    }
}

/// A silence of one person after a decision.
package struct SilenceRecord: Sendable {
    package var device: DeviceKey
    package var account: Account.ID
    package var episode: Episode.Reference
    package var silence: Silence
    /// The latest alert about it.
    package var alert: Alert.Reference?
    /// When the device was heard again, and when the recovery notice is decided.
    package var closedAt: Timestamp?
    package var recoveryDueAt: Timestamp?

    package init(
        device: DeviceKey, account: Account.ID, episode: Episode.Reference, silence: Silence,
        alert: Alert.Reference? = nil, closedAt: Timestamp? = nil, recoveryDueAt: Timestamp? = nil
    ) {
        self.device = device
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
            SELECT * FROM unnest($1::smallint[], $2::integer[], $3::bigint[], $4::bigint[], $5::timestamptz[],
                $6::timestamptz[], $7::bigint[], $8::boolean[], $9::timestamptz[])
                AS n (slot, device_id, account_id, episode_id, opened_at, closed_at, alert_id, no_recipient, recovery_due_at)
        ), cancelled AS (
            UPDATE episode e SET recovery_due_at = NULL
            FROM n WHERE e.slot = n.slot AND e.device_id = n.device_id AND e.account_id = n.account_id
                AND e.kind = 'silence' AND e.episode_id <> n.episode_id AND e.recovery_due_at IS NOT NULL
                AND n.closed_at IS NULL
        )
        INSERT INTO episode AS e (
            slot, device_id, account_id, episode_id, kind, opened_at, last_at, closed_at, closed_because, alert_id,
            no_recipient, recovery_due_at)
        SELECT slot, device_id, account_id, episode_id, 'silence', opened_at, greatest(now(), opened_at),
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
        parameters.append(records.map(\.device))
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
    package var device: DeviceKey
    package var account: Account.ID
    package var alert: Alert.Reference
    package var uid: Alert.UID
    package var episode: Episode.Reference
    package var purpose: Alert.Purpose
    /// Whether the device is connected, so that it is the probe that should be looked at.
    package var checkProbe: Bool
    /// The receipt of the last reading before the silence.
    package var heardAt: Timestamp
    /// When it was found to be silent, or heard again.
    package var eventTime: Timestamp

    package init(
        device: DeviceKey, account: Account.ID, alert: Alert.Reference, uid: Alert.UID, episode: Episode.Reference,
        purpose: Alert.Purpose, checkProbe: Bool, heardAt: Timestamp, eventTime: Timestamp
    ) {
        self.device = device
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
            SELECT * FROM unnest($1::smallint[], $2::integer[], $3::bigint[], $4::bigint[], $5::uuid[], $6::bigint[],
                $7::text[], $8::boolean[], $9::timestamptz[], $10::timestamptz[])
                AS n (slot, device_id, account_id, alert_id, uid, episode_id, purpose, check_probe, opened_at, event_time)
        ), charged AS (
            INSERT INTO throttle AS t (slot, device_id, account_id, charged_at, event_time, alert_id, kind)
            SELECT slot, device_id, account_id, event_time, event_time, alert_id, 'silence' FROM n
            WHERE purpose <> 'recovery'
            ORDER BY slot, device_id, account_id
            ON CONFLICT (slot, device_id, parameter, account_id, kind) DO UPDATE SET
                charged_at = excluded.charged_at, event_time = excluded.event_time, alert_id = excluded.alert_id
        ), added AS (
            INSERT INTO alert (
                slot, device_id, account_id, alert_id, uid, episode_id, kind, purpose, check_probe, opened_at, event_time)
            SELECT slot, device_id, account_id, alert_id, uid, episode_id, 'silence', purpose, check_probe, opened_at,
                event_time
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
        parameters.append(alerts.map(\.device))
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

/// Sets when devices are looked at again; `nil` for those that nobody has any more.
package struct SetSilenceChecks: Statement {
    package static let sql = """
        WITH n AS (
            SELECT * FROM unnest($1::smallint[], $2::integer[], $3::timestamptz[]) AS n (slot, device_id, due_at)
        ), gone AS (
            DELETE FROM silence_check c USING n
            WHERE c.slot = n.slot AND c.device_id = n.device_id AND n.due_at IS NULL
        )
        UPDATE silence_check c SET due_at = n.due_at FROM n
        WHERE c.slot = n.slot AND c.device_id = n.device_id AND n.due_at IS NOT NULL
        """

    let checks: [(device: DeviceKey, dueAt: Timestamp?)]

    /// - Parameter checks: Each device at most once.
    package init(_ checks: [(device: DeviceKey, dueAt: Timestamp?)]) { self.checks = checks }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(checks.map(\.device))
        parameters.append(checks.map(\.dueAt))
    }
}

/// Takes silences whose recovery is due for a decision, with the state of their alarms.
package struct TakeDueSilenceRecoveries: Statement {
    package static let sql = """
        SELECT e.slot, e.device_id, e.account_id, e.episode_id, e.opened_at, e.closed_at,
            coalesce(told.delivered, false), coalesce(told.pending, false),
            EXISTS (SELECT FROM episode o WHERE o.slot = e.slot AND o.device_id = e.device_id AND o.parameter IS NULL
                AND o.account_id = e.account_id AND o.kind = 'silence' AND o.closed_at IS NULL)
        FROM episode e
        LEFT JOIN LATERAL ( -- the alerts of this silence and of others since the last recovery notice
            SELECT bool_or(a.state = 'delivered') AS delivered, bool_or(a.state IN ('decided', 'sending')) AS pending
            FROM alert a
            WHERE a.slot = e.slot AND a.device_id = e.device_id AND a.parameter IS NULL AND a.account_id = e.account_id
                AND a.kind = 'silence' AND a.purpose IN ('alarm', 'reminder')
                AND a.alert_id > coalesce((
                    SELECT max(r.alert_id) FROM alert r
                    WHERE r.slot = e.slot AND r.device_id = e.device_id AND r.parameter IS NULL
                        AND r.account_id = e.account_id AND r.kind = 'silence' AND r.purpose = 'recovery'), 0)
        ) told ON true
        WHERE e.kind = 'silence' AND e.recovery_due_at <= now()
        ORDER BY e.recovery_due_at
        LIMIT $1
        FOR UPDATE OF e SKIP LOCKED
        """

    package struct Row: Sendable {
        package var device: DeviceKey
        package var account: Account.ID
        package var episode: Episode.ID
        package var heardAt: Timestamp
        package var closedAt: Timestamp
        package var alarm: RecoveryNotice.Alarm
        package var isReopened: Bool
    }

    let limit: Int64
    package init(limit: Int) { self.limit = Int64(limit) }
    package func bind(_ parameters: inout Parameters) { parameters.append(limit) }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            device: DeviceKey(&row), account: row.read(), episode: row.read(), heardAt: row.read(),
            closedAt: row.read(), alarm: RecoveryNotice.Alarm(anyDelivered: row.read(), anyPending: row.read()),
            isReopened: row.read())
    }
}
