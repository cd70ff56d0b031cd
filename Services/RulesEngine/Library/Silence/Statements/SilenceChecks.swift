import Instants
import Postgres
import Store
import WaterQuality

/// Takes devices that it is time to look at, with what was heard of them.
struct TakeSilenceChecks: Statement {
    static let sql = """
        WITH due AS (
            SELECT slot, device_id, parameters, rhythm, learnt_until FROM silence_check WHERE due_at <= now()
            ORDER BY due_at
            LIMIT $1
            FOR UPDATE SKIP LOCKED
        )
        SELECT due.slot, due.device_id, h.heard_at, h.first_at, h.readings, h.gathered_us, h.pauses,
            greatest(f.received_at, p.heard_at), due.rhythm, h.parameters, due.parameters, coalesce(t.online, false),
            -- looked up for each device, however few rows the planner expects
            coalesce((SELECT true FROM ownership o
                WHERE o.slot = due.slot AND o.device_id = due.device_id AND o.unlinked_at IS NULL LIMIT 1), false),
            coalesce(e.of_device, false), coalesce(e.of_parameters, 0), coalesce(e.broken, 0), p.another_at,
            -- of work that has begun, however long it lasts
            (SELECT max(w.ends_at) FROM water_work w
            WHERE w.slot = due.slot AND w.device_id = due.device_id AND w.ends_at > now() - interval '8 days' AND w.begins_at <= now())
        FROM due
        CROSS JOIN LATERAL heard_pauses(due.slot, due.device_id, NULL, now() - $2 * interval '1 us', due.learnt_until,
            $3 * interval '1 us') AS h
        CROSS JOIN LATERAL (
            SELECT bool_or(parameter IS NULL) AS of_device,
                bit_or(1 << parameter) FILTER (WHERE kind = 'silence') AS of_parameters,
                -- what stays the same, or lies apart from a second probe, may fall silent
                bit_or(1 << parameter) FILTER (WHERE kind = 'fault' AND flat_at IS NULL AND differs_by IS NULL) AS broken
            FROM episode
            WHERE slot = due.slot AND device_id = due.device_id AND kind IN ('silence', 'fault') AND closed_at IS NULL) e
        -- a probe that says that it is broken is heard, though it leaves no reading; not what a clock that was ahead noted
        CROSS JOIN LATERAL (
            SELECT max(received_at) AS received_at FROM probe_fault
            WHERE slot = due.slot AND device_id = due.device_id AND received_at <= now() + interval '5 minutes') f
        -- so is another than the one in the water; each is noted every two minutes. Of a device without any that says nothing.
        CROSS JOIN LATERAL (
            SELECT CASE WHEN count(r.reported_at) > 0 THEN least(max(r.reported_at) + interval '2 minutes', now()) END AS heard_at,
                CASE WHEN max(r.reported_at) FILTER (WHERE r.probe_id <> c.probe_id AND r.temperature IS NOT NULL)
                    > coalesce(max(r.reported_at) FILTER (WHERE r.probe_id = c.probe_id), '-infinity') + interval '5 minutes'
                THEN max(r.reported_at) FILTER (WHERE r.probe_id <> c.probe_id AND r.temperature IS NOT NULL) END AS another_at
            FROM temperature_probe c
            JOIN reported_probe r ON r.slot = c.slot AND r.device_id = c.device_id
                AND r.reported_at <= now() + interval '5 minutes'
            WHERE c.slot = due.slot AND c.device_id = due.device_id) p
        LEFT JOIN LATERAL (
            SELECT online FROM device_status WHERE slot = due.slot AND device_id = due.device_id
            OFFSET 0 -- looked up for each device, however few rows the planner expects
        ) t ON true
        """

    struct Row: Sendable {
        var device: DeviceKey
        /// What the last readings show.
        var heard: Rhythm.Finding?
        /// When a broken probe was heard last, or one that is not in the water.
        var probeHeardAt: Timestamp?
        /// What is known of the device and of its parameters.
        var rhythms: [Parameter?: Rhythm]
        /// The parameters that came lately, and those that it is known to send.
        var lately: ParameterSet
        var expected: ParameterSet
        /// Whether it said of itself last that it is connected.
        var isConnected: Bool
        var isSomebodys: Bool
        /// Whether a silence of the whole device is open for anybody.
        var hasOpenSilence: Bool
        /// The parameters of which one is.
        var openParameters: ParameterSet
        /// The parameters whose probe says that it is broken, of which a fault is open for anybody.
        var brokenProbes: ParameterSet
        /// When another temperature probe measured last, if the one in the water did not at that time.
        var anotherProbeAt: Timestamp?
        /// The end of the last work on its water, perhaps to come.
        var workedUntil: Timestamp?

        init(
            device: DeviceKey, heard: Rhythm.Finding?, probeHeardAt: Timestamp? = nil,
            rhythms: [Parameter?: Rhythm] = [:],
            lately: ParameterSet, expected: ParameterSet, isConnected: Bool, isSomebodys: Bool, hasOpenSilence: Bool,
            openParameters: ParameterSet, brokenProbes: ParameterSet = [], anotherProbeAt: Timestamp? = nil,
            workedUntil: Timestamp? = nil
        ) {
            self.device = device
            self.heard = heard
            self.probeHeardAt = probeHeardAt
            self.rhythms = rhythms
            self.lately = lately
            self.expected = expected
            self.isConnected = isConnected
            self.isSomebodys = isSomebodys
            self.hasOpenSilence = hasOpenSilence
            self.openParameters = openParameters
            self.brokenProbes = brokenProbes
            self.anotherProbeAt = anotherProbeAt
            self.workedUntil = workedUntil
        }
    }

    let limit: Int64
    let silenceAfter: Duration

    init(limit: Int, silenceAfter: Duration) {
        self.limit = Int64(limit)
        self.silenceAfter = silenceAfter
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(limit)
        parameters.append(silenceAfter.wholeMicroseconds)
        parameters.append(Hearing.shortestPause(silenceAfter).wholeMicroseconds)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            device: DeviceKey(&row), heard: Rhythm.Finding(&row), probeHeardAt: row.read(),
            rhythms: (row.read([UInt8]?.self)).map(RhythmBytes.decode) ?? [:], lately: row.read(), expected: row.read(),
            isConnected: row.read(), isSomebodys: row.read(), hasOpenSilence: row.read(), openParameters: row.read(),
            brokenProbes: row.read(), anotherProbeAt: row.read(), workedUntil: row.read())
    }
}

/// When parameters of devices that otherwise send were heard last, and how they pause.
struct ReadParameterPauses: Statement {
    static let sql = """
        SELECT n.slot, n.device_id, n.parameter, h.heard_at, h.first_at, h.readings, h.gathered_us, h.pauses, h.missing, h.missing_since
        FROM unnest($1::smallint[], $2::integer[], $3::smallint[], $4::timestamptz[]) AS n (slot, device_id, parameter, learnt_until)
        CROSS JOIN LATERAL heard_pauses(n.slot, n.device_id, n.parameter, now(), n.learnt_until, $5 * interval '1 us') AS h
        """

    struct Row: Sendable {
        var key: ProbeKey
        /// What the last readings show; `nil` when its last value is long ago.
        var heard: Rhythm.Finding?
        /// How many readings came without it since, and the receipt of the first of them.
        var missing: Int32
        var missingSince: Timestamp?
    }

    let keys: [(key: ProbeKey, learntUntil: Timestamp?)]
    let silenceAfter: Duration

    /// - Parameter keys: Each with the receipt up to which its pauses are known.
    init(_ keys: [(key: ProbeKey, learntUntil: Timestamp?)], silenceAfter: Duration) {
        self.keys = keys
        self.silenceAfter = silenceAfter
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(keys.map(\.key))
        parameters.append(keys.map(\.learntUntil))
        parameters.append(Hearing.shortestPause(silenceAfter).wholeMicroseconds)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            key: ProbeKey(&row), heard: Rhythm.Finding(&row), missing: row.read(), missingSince: row.read())
    }
}

/// When a device is looked at again.
struct SilenceCheck: Sendable {
    var device: DeviceKey
    /// `nil` when nobody has it any more.
    var dueAt: Timestamp?
    /// The parameters that it is known to send.
    var expected: ParameterSet
    /// What is known of the device and of its parameters.
    var rhythms: [Parameter?: Rhythm]
}

/// Sets when devices are looked at again, what they are known to send, and how they pause. Nothing is kept of those that nobody has any more.
struct SetSilenceChecks: Statement {
    static let sql = """
        WITH n AS (
            SELECT * FROM unnest($1::smallint[], $2::integer[], $3::timestamptz[], $4::integer[], $5::bytea[], $6::timestamptz[])
                AS n (slot, device_id, due_at, parameters, rhythm, learnt_until)
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
        UPDATE silence_check c SET due_at = n.due_at, parameters = n.parameters, rhythm = n.rhythm,
            learnt_until = n.learnt_until
        FROM n
        WHERE c.slot = n.slot AND c.device_id = n.device_id AND n.due_at IS NOT NULL
        """

    let checks: [SilenceCheck]

    /// - Parameter checks: Each device at most once.
    init(_ checks: [SilenceCheck]) { self.checks = checks }

    func bind(_ parameters: inout Parameters) {
        parameters.append(checks.map(\.device))
        parameters.append(checks.map(\.dueAt))
        parameters.append(checks.map(\.expected))
        parameters.append(checks.map { RhythmBytes.encode($0.rhythms) })
        parameters.append(checks.map { $0.rhythms[nil]?.until })
    }
}
