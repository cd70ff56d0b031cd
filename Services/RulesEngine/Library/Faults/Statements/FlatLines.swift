import Instants
import Postgres
import Store
import WaterQuality

/// How far a slot has been looked through for flat lines.
struct FlatLineLook: Equatable, Sendable {
    var slot: Slot
    /// The end of the hours that are looked through.
    var until: Timestamp
    /// The last device that was looked at; zero at the beginning.
    var device: Device.ID
}

/// Takes the slot that is furthest behind its roll-ups, until the end of the transaction. No row when none is behind, or others look
/// through all that are. Roll-ups go back where a clock had been ahead; those that are hours behind say nothing of now.
struct TakeFlatLineLook: Statement {
    static let sql = """
        SELECT slot, hours_until, flat_device FROM rollup_progress
        WHERE flat_until <> hours_until AND hours_until > now() - interval '3 hours'
        ORDER BY flat_until, slot
        LIMIT 1
        FOR UPDATE SKIP LOCKED
        """
    static func decode(_ row: inout RowReader) throws -> FlatLineLook {
        try FlatLineLook(slot: row.read(), until: row.read(), device: row.read())
    }
}

/// Notes that a slot has been looked through, or how far.
struct SetFlatLineLook: Statement {
    static let sql = """
        UPDATE rollup_progress SET flat_device = coalesce($3, 0),
            flat_until = CASE WHEN $3::integer IS NULL THEN $2 ELSE flat_until END
        WHERE slot = $1
        """

    let look: FlatLineLook
    let reached: Device.ID?

    /// - Parameter reached: The last device that was looked at; `nil` when all have been.
    init(_ look: FlatLineLook, reached: Device.ID?) {
        self.look = look
        self.reached = reached
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(look.slot)
        parameters.append(look.until)
        parameters.append(reached)
    }
}

/// The next devices of a look, of those that somebody has.
struct ListDevicesToLookAt: Statement {
    static let sql = """
        SELECT device_id FROM silence_check WHERE slot = $1 AND device_id > $2 ORDER BY device_id LIMIT $3
        """

    let look: FlatLineLook
    let limit: Int64

    init(_ look: FlatLineLook, limit: Int) {
        self.look = look
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(look.slot)
        parameters.append(look.device)
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> Device.ID { try row.read() }
}

/// The parameters of some devices of a slot that have not changed in the last hours, as far as roll-ups tell, where that is not known,
/// and whose probes do not say that they are broken.
struct FindUnchanged: Statement {
    static let sql = """
        SELECT $1::smallint, n.device_id, p.parameter
        FROM unnest($2::integer[]) AS n (device_id)
        CROSS JOIN LATERAL (
            SELECT \(list { "max(\($0)_max)::double precision - min(\($0)_min) AS \($0)" })
            FROM sample_hour h
            WHERE h.slot = $1 AND h.device_id = n.device_id AND h.starts_at >= $3 AND h.starts_at < $4
        ) AS found
        CROSS JOIN LATERAL (VALUES \(judged.map { "(\($0.rawValue)::smallint, found.\($0.name))" }.joined(separator: ", ")))
            AS p (parameter, spread)
        WHERE p.spread < CASE p.parameter
                \(judged.map { "WHEN \($0.rawValue) THEN \($0.qualityThresholds.flat?.tolerance ?? 0)" }.joined(separator: " "))
            END
            AND NOT EXISTS (SELECT FROM probe_fault f
                WHERE f.slot = $1 AND f.device_id = n.device_id AND f.parameter = p.parameter)
            AND NOT EXISTS (SELECT FROM flat_line f
                WHERE f.slot = $1 AND f.device_id = n.device_id AND f.parameter = p.parameter)
        """

    private static let judged = Parameter.allCases.filter { $0.qualityThresholds.flat != nil }

    private static func list(_ text: (String) -> String) -> String {
        judged.map { text($0.name) }.joined(separator: ", ")
    }

    let look: FlatLineLook
    let devices: [Device.ID]

    init(_ look: FlatLineLook, devices: [Device.ID]) {
        self.look = look
        self.devices = devices
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(look.slot)
        parameters.append(devices)
        parameters.append(look.until - Self.atLeast)
        parameters.append(look.until)
    }

    /// The shortest flat line of any parameter.
    private static let atLeast = judged.compactMap { $0.qualityThresholds.flat?.fail }.min() ?? .zero

    static func decode(_ row: inout RowReader) throws -> ProbeKey { try ProbeKey(&row) }
}

/// The hours of some parameters in which there were values, as far back as `FlatLine` remembers, oldest first of each, and the values
/// since.
struct ReadFlatLineHours: Statement {
    static let sql = """
        SELECT n.slot, n.device_id, n.parameter, h.starts_at, h.least, h.greatest
        FROM unnest($1::smallint[], $2::integer[], $3::smallint[]) AS n (slot, device_id, parameter)
        CROSS JOIN LATERAL (
            (SELECT starts_at, \(value { "\($0)_min" }) AS least, \(value { "\($0)_max" }) AS greatest
            FROM sample_hour
            WHERE slot = n.slot AND device_id = n.device_id AND starts_at >= $4 AND starts_at < $5
            ORDER BY starts_at)
            UNION ALL
            SELECT $5, \(value { "min(\($0))" }), \(value { "max(\($0))" })
            FROM sample
            WHERE slot = n.slot AND device_id = n.device_id AND event_time >= $5 AND event_time < now() + interval '10 minutes'
        ) h
        WHERE h.least IS NOT NULL
            -- not those of another probe
            AND (n.parameter <> \(Parameter.temperature.rawValue) OR h.starts_at >= coalesce((
                SELECT chosen_at FROM temperature_probe
                WHERE slot = n.slot AND device_id = n.device_id AND chosen_at <= now()), '-infinity'))
        """

    private static func value(_ text: (String) -> String) -> String {
        let cases = Parameter.allCases.filter { $0.qualityThresholds.flat != nil }
        return
            "CASE n.parameter \(cases.map { "WHEN \($0.rawValue) THEN \(text($0.name))" }.joined(separator: " ")) END"
    }

    let keys: [ProbeKey]
    let period: Range<Timestamp>

    init(_ keys: [ProbeKey], until: Timestamp) {
        self.keys = keys
        period = until - FlatLine.memory..<until
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(keys)
        parameters.append(period.lowerBound)
        parameters.append(period.upperBound)
    }

    static func decode(_ row: inout RowReader) throws -> (key: ProbeKey, hour: FlatLine.Hour) {
        try (ProbeKey(&row), FlatLine.Hour(start: row.read(), least: row.read(), greatest: row.read()))
    }
}

/// Notes flat lines that were found, of devices that somebody has, once no engine decides in their slots. With the next value that is
/// the same they are told; with another one they are forgotten.
struct NoteFlatLines: Statement {
    static let sql = """
        WITH held AS MATERIALIZED (
            SELECT slot FROM slot WHERE slot = ANY ($1::smallint[]) ORDER BY slot FOR UPDATE
        )
        INSERT INTO flat_line (slot, device_id, parameter, since, until, value)
        SELECT n.* FROM unnest(\(FlatLineColumns.arrays)) AS n (slot, device_id, parameter, since, until, value)
        JOIN held USING (slot)
        WHERE EXISTS (SELECT FROM ownership o
            WHERE o.slot = n.slot AND o.device_id = n.device_id AND o.unlinked_at IS NULL)
        ON CONFLICT DO NOTHING
        """

    let lines: [(key: ProbeKey, line: FlatLine)]
    init(_ lines: [(key: ProbeKey, line: FlatLine)]) { self.lines = lines }
    func bind(_ parameters: inout Parameters) { parameters.append(lines.map { ($0.key, $0.line) }) }
}

/// The flat lines of some devices.
struct LoadFlatLines: Statement {
    static let sql = """
        SELECT f.slot, f.device_id, f.parameter, f.since, f.until, f.value
        FROM unnest($1::smallint[], $2::integer[]) AS wanted (slot, device_id)
        CROSS JOIN LATERAL (
            SELECT * FROM flat_line
            WHERE slot = wanted.slot AND device_id = wanted.device_id AND \(Subject.isKnown)
            ORDER BY parameter
            OFFSET 0 -- looked up for each device, however few rows the planner expects
        ) f
        """

    let devices: [DeviceKey]
    init(_ devices: [DeviceKey]) { self.devices = devices }
    func bind(_ parameters: inout Parameters) { parameters.append(devices) }

    static func decode(
        _ row: inout RowReader
    ) throws -> (device: DeviceKey, parameter: Parameter, line: FlatLine) {
        let device = try DeviceKey(&row)
        return try (device, row.read(), FlatLine(since: row.read(), until: row.read(), value: row.read()))
    }
}

/// Notes how long flat lines have lasted by now, and forgets those that are over.
struct WriteFlatLines: Statement {
    static let sql = """
        WITH n AS (
            SELECT * FROM unnest(\(FlatLineColumns.arrays)) AS n (slot, device_id, parameter, since, until, value)
        ), over AS (
            DELETE FROM flat_line f USING n
            WHERE f.slot = n.slot AND f.device_id = n.device_id AND f.parameter = n.parameter AND n.since IS NULL
        )
        UPDATE flat_line f SET until = n.until FROM n
        WHERE f.slot = n.slot AND f.device_id = n.device_id AND f.parameter = n.parameter AND n.since IS NOT NULL
        """

    let lines: [(key: ProbeKey, line: FlatLine?)]

    /// - Parameter lines: Each parameter at most once; `nil` for a line that is over.
    init(_ lines: [(key: ProbeKey, line: FlatLine?)]) { self.lines = lines }
    func bind(_ parameters: inout Parameters) { parameters.append(lines) }
}

/// The arrays in which flat lines are bound.
private enum FlatLineColumns {
    static let arrays =
        "$1::smallint[], $2::integer[], $3::smallint[], $4::timestamptz[], $5::timestamptz[], $6::real[]"
}

extension Parameters {
    /// Six arrays, those of `FlatLineColumns`.
    fileprivate mutating func append(_ lines: [(key: ProbeKey, line: FlatLine?)]) {
        append(lines.map(\.key))
        append(lines.map(\.line?.since))
        append(lines.map(\.line?.until))
        append(lines.map(\.line?.value))
    }
}
