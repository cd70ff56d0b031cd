package import Instants
package import Postgres
package import WaterQuality

/// Takes devices that it is time to look at, with what was heard of them.
package struct TakeSilenceChecks: Statement {
    package static let sql = """
        WITH due AS (
            SELECT slot, device_id, parameters FROM silence_check WHERE due_at <= now()
            ORDER BY due_at
            LIMIT $1
            FOR UPDATE SKIP LOCKED
        )
        SELECT due.slot, due.device_id, greatest(r.heard_at, f.received_at), r.usual_us, r.parameters, due.parameters, coalesce(t.online, false),
            EXISTS (SELECT FROM ownership o
                WHERE o.slot = due.slot AND o.device_id = due.device_id AND o.unlinked_at IS NULL),
            coalesce(e.of_device, false), coalesce(e.of_parameters, 0), coalesce(e.broken, 0)
        FROM due
        CROSS JOIN LATERAL device_rhythm(due.slot, due.device_id, NULL, now() - $2 * interval '1 us') AS r
        CROSS JOIN LATERAL (
            SELECT bool_or(parameter IS NULL) AS of_device,
                bit_or(1 << parameter) FILTER (WHERE kind = 'silence') AS of_parameters,
                -- what stays the same may fall silent
                bit_or(1 << parameter) FILTER (WHERE kind = 'fault' AND flat_at IS NULL) AS broken
            FROM episode
            WHERE slot = due.slot AND device_id = due.device_id AND kind IN ('silence', 'fault') AND closed_at IS NULL) e
        -- a probe that says that it is broken is heard, though it leaves no reading
        CROSS JOIN LATERAL (
            SELECT max(received_at) AS received_at FROM probe_fault
            WHERE slot = due.slot AND device_id = due.device_id) f
        LEFT JOIN device_status t ON t.slot = due.slot AND t.device_id = due.device_id
        """

    package struct Row: Sendable {
        package var device: DeviceKey
        /// The receipt of its last reading, or of the last word of a broken probe.
        package var heardAt: Timestamp?
        package var usualMicroseconds: Int64?
        /// The parameters that came lately, and those that it is known to send.
        package var lately: ParameterSet
        package var expected: ParameterSet
        /// Whether it said of itself last that it is connected.
        package var isConnected: Bool
        package var isSomebodys: Bool
        /// Whether a silence of the whole device is open for anybody.
        package var hasOpenSilence: Bool
        /// The parameters of which one is.
        package var openParameters: ParameterSet
        /// The parameters whose probe says that it is broken, of which a fault is open for anybody.
        package var brokenProbes: ParameterSet

        package init(
            device: DeviceKey, heardAt: Timestamp?, usualMicroseconds: Int64?, lately: ParameterSet,
            expected: ParameterSet, isConnected: Bool, isSomebodys: Bool, hasOpenSilence: Bool,
            openParameters: ParameterSet, brokenProbes: ParameterSet = []
        ) {
            self.device = device
            self.heardAt = heardAt
            self.usualMicroseconds = usualMicroseconds
            self.lately = lately
            self.expected = expected
            self.isConnected = isConnected
            self.isSomebodys = isSomebodys
            self.hasOpenSilence = hasOpenSilence
            self.openParameters = openParameters
            self.brokenProbes = brokenProbes
        }
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
            device: DeviceKey(&row), heardAt: row.read(), usualMicroseconds: row.read(), lately: row.read(),
            expected: row.read(), isConnected: row.read(), isSomebodys: row.read(), hasOpenSilence: row.read(),
            openParameters: row.read(), brokenProbes: row.read())
    }
}

/// When parameters of devices that otherwise send were heard last, and how often they come.
package struct ReadParameterRhythms: Statement {
    package static let sql = """
        SELECT n.slot, n.device_id, n.parameter, r.heard_at, r.usual_us, r.missing, r.missing_since
        FROM unnest($1::smallint[], $2::integer[], $3::smallint[]) AS n (slot, device_id, parameter)
        CROSS JOIN LATERAL device_rhythm(n.slot, n.device_id, n.parameter, now()) AS r
        """

    package struct Row: Sendable {
        package var key: ProbeKey
        /// The receipt of its last value; `nil` when that is long ago.
        package var heardAt: Timestamp?
        package var usualMicroseconds: Int64?
        /// How many readings came without it since, and the receipt of the first of them.
        package var missing: Int32
        package var missingSince: Timestamp?

        package init(
            key: ProbeKey, heardAt: Timestamp?, usualMicroseconds: Int64?, missing: Int32,
            missingSince: Timestamp?
        ) {
            self.key = key
            self.heardAt = heardAt
            self.usualMicroseconds = usualMicroseconds
            self.missing = missing
            self.missingSince = missingSince
        }
    }

    let keys: [ProbeKey]
    package init(_ keys: [ProbeKey]) { self.keys = keys }
    package func bind(_ parameters: inout Parameters) { parameters.append(keys) }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            key: ProbeKey(&row), heardAt: row.read(), usualMicroseconds: row.read(), missing: row.read(),
            missingSince: row.read())
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

/// When a device is looked at again.
package struct SilenceCheck: Sendable {
    package var device: DeviceKey
    /// `nil` when nobody has it any more.
    package var dueAt: Timestamp?
    /// The parameters that it is known to send.
    package var expected: ParameterSet

    package init(device: DeviceKey, dueAt: Timestamp?, expected: ParameterSet) {
        self.device = device
        self.dueAt = dueAt
        self.expected = expected
    }
}

/// Sets when devices are looked at again and what they are known to send. Nothing is kept of those that nobody has any more.
package struct SetSilenceChecks: Statement {
    package static let sql = """
        WITH n AS (
            SELECT * FROM unnest($1::smallint[], $2::integer[], $3::timestamptz[], $4::integer[])
                AS n (slot, device_id, due_at, parameters)
        ), gone AS (
            DELETE FROM silence_check c USING n
            WHERE c.slot = n.slot AND c.device_id = n.device_id AND n.due_at IS NULL
        ), forgotten AS (
            DELETE FROM probe_fault f USING n
            WHERE f.slot = n.slot AND f.device_id = n.device_id AND n.due_at IS NULL
        ), passed AS (
            DELETE FROM flat_line f USING n
            WHERE f.slot = n.slot AND f.device_id = n.device_id AND n.due_at IS NULL
        )
        UPDATE silence_check c SET due_at = n.due_at, parameters = n.parameters FROM n
        WHERE c.slot = n.slot AND c.device_id = n.device_id AND n.due_at IS NOT NULL
        """

    let checks: [SilenceCheck]

    /// - Parameter checks: Each device at most once.
    package init(_ checks: [SilenceCheck]) { self.checks = checks }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(checks.map(\.device))
        parameters.append(checks.map(\.dueAt))
        parameters.append(checks.map(\.expected))
    }
}
