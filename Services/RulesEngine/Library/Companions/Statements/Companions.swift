import Instants
import Postgres
import Store
import WaterQuality

/// Two devices of one owner in the same water.
struct Companion: Sendable {
    /// The device whose probes are told of.
    var device: DeviceKey
    /// The one with whose probes they are compared.
    var second: DeviceKey
    /// By how much the clock of each is behind.
    var lag: Duration
}

/// Takes pairs that are due, until the end of the transaction; those that others take are left out. A pair whose time lies further ahead than any
/// look sets it is due as well: a clock was ahead.
struct TakeCompanions: Statement {
    static let sql = """
        SELECT c.slot, c.device_id, c.second_slot, c.second_id, coalesce(k.lag_seconds, 0)
        FROM (
            (SELECT slot, device_id FROM companion WHERE due_at <= now() ORDER BY due_at LIMIT $1)
            UNION ALL
            (SELECT slot, device_id FROM companion WHERE due_at > now() + interval '1 hour' ORDER BY due_at DESC LIMIT $1)
        ) due
        JOIN companion c ON c.slot = due.slot AND c.device_id = due.device_id
        LEFT JOIN device_clock k ON k.slot = c.slot AND k.device_id = c.device_id
        WHERE c.due_at <= now() OR c.due_at > now() + interval '1 hour' -- others may have compared it since
        LIMIT $1
        FOR UPDATE OF c SKIP LOCKED
        """
    let limit: Int64
    init(limit: Int) { self.limit = Int64(limit) }
    func bind(_ parameters: inout Parameters) { parameters.append(limit) }

    static func decode(_ row: inout RowReader) throws -> Companion {
        try Companion(
            device: DeviceKey(&row), second: DeviceKey(&row), lag: .seconds(Int64(row.read(Int32.self))))
    }
}

/// The values of the compared parameters that some devices measured within `ProbePair.memory`, oldest first of each, by a correct clock: of two
/// minutes the mean, so that what is read is bounded however often a device sends.
struct ReadCompared: Statement {
    static let sql = """
        SELECT n.slot, n.device_id, s.at, \(columns { "s.\($0)" })
        FROM unnest($1::smallint[], $2::integer[]) AS n (slot, device_id)
        CROSS JOIN LATERAL (
            SELECT make_interval(secs => coalesce((
                SELECT k.lag_seconds FROM device_clock k WHERE k.slot = n.slot AND k.device_id = n.device_id), 0)) AS lag
            OFFSET 0
        ) c
        CROSS JOIN LATERAL (
            SELECT date_bin('2 minutes', event_time + c.lag, 'epoch') + interval '1 minute' AS at,
                \(columns { "avg(\($0))::real AS \($0)" })
            FROM sample
            WHERE slot = n.slot AND device_id = n.device_id AND event_time > now() - c.lag - $3 * interval '1 us'
                AND event_time <= now() - c.lag + interval '1 minute'
            GROUP BY 1
            ORDER BY 1
            LIMIT 300
            OFFSET 0 -- looked up for each device, however few rows the planner expects
        ) s
        """

    private static func columns(_ text: (String) -> String) -> String {
        ProbeTolerance.parameters.map { text($0.name) }.joined(separator: ", ")
    }

    struct Row: Sendable {
        var device: DeviceKey
        var at: Timestamp
        /// In the order of `ProbeTolerance.parameters`.
        var values: [Float?]
    }

    let devices: [DeviceKey]
    init(_ devices: [DeviceKey]) { self.devices = devices }

    func bind(_ parameters: inout Parameters) {
        parameters.append(devices)
        parameters.append(ProbePair.memory.wholeMicroseconds)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        let (device, at) = try (DeviceKey(&row), row.read(Timestamp.self))
        return Row(device: device, at: at, values: try ProbeTolerance.parameters.map { _ in try row.read(Float?.self) })
    }
}

/// The people who have both devices of some pairs: whoever shares one of them learns of no other.
struct LoadPairPeople: Statement {
    static let sql = """
        SELECT c.slot, c.device_id, f.account_id, greatest(f.since, s.since), a.throttle_seconds
        FROM unnest($1::smallint[], $2::integer[]) AS wanted (slot, device_id)
        JOIN companion c ON c.slot = wanted.slot AND c.device_id = wanted.device_id
        CROSS JOIN LATERAL (
            SELECT o.account_id, \(Ownership.toldFrom) AS since FROM ownership o
            WHERE o.slot = c.slot AND o.device_id = c.device_id AND o.unlinked_at IS NULL
            OFFSET 0 -- looked up for each device, however few rows the planner expects
        ) f
        CROSS JOIN LATERAL (
            SELECT \(Ownership.toldFrom) AS since FROM ownership o
            WHERE o.slot = c.second_slot AND o.device_id = c.second_id AND o.account_id = f.account_id AND o.unlinked_at IS NULL
            OFFSET 0
        ) s
        JOIN account a ON a.account_id = f.account_id
        ORDER BY c.slot, c.device_id, f.account_id
        """

    struct Row: Sendable {
        /// The first device of the pair.
        var device: DeviceKey
        var account: Account.ID
        /// Since when the readings of both are theirs; `nil` for always.
        var theirsFrom: Timestamp?
        /// The person's own throttle interval, if they set one.
        var throttle: Duration?
    }

    let devices: [DeviceKey]

    /// - Parameter devices: The first devices of the pairs.
    init(_ devices: [DeviceKey]) { self.devices = devices }

    func bind(_ parameters: inout Parameters) { parameters.append(devices) }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            device: DeviceKey(&row), account: row.read(), theirsFrom: row.read(),
            throttle: row.read(Int32?.self).map { .seconds(Int64($0)) })
    }
}

/// Open differences of devices that are in no pair any more, or whose person has the second one no longer.
struct FindLoneDifferences: Statement {
    static let sql = """
        SELECT e.slot, e.device_id, e.parameter, e.account_id, e.kind FROM episode e
        WHERE e.differs_by IS NOT NULL AND e.closed_at IS NULL AND \(Subject.isKnown("e.parameter")) AND NOT EXISTS (
            SELECT FROM companion c
            JOIN ownership o ON o.slot = c.second_slot AND o.device_id = c.second_id AND o.account_id = e.account_id
                AND o.unlinked_at IS NULL
            WHERE c.slot = e.slot AND c.device_id = e.device_id)
        ORDER BY e.slot, e.device_id
        LIMIT $1
        """
    let limit: Int64
    init(limit: Int) { self.limit = Int64(limit) }
    func bind(_ parameters: inout Parameters) { parameters.append(limit) }
    static func decode(_ row: inout RowReader) throws -> Subject { try Subject(&row) }
}

/// Notes what was found of some pairs, and when they are compared again.
struct SettleCompanions: Statement {
    static let sql = """
        UPDATE companion c SET due_at = now() + $3 * interval '1 us', compared_at = now(),
            parameters = coalesce(f.parameters, '{}'), differences = coalesce(f.differences, '{}')
        FROM unnest($1::smallint[], $2::integer[]) AS n (slot, device_id)
        CROSS JOIN LATERAL (
            SELECT array_agg(v.parameter ORDER BY v.parameter) AS parameters, array_agg(v.by ORDER BY v.parameter) AS differences
            FROM unnest($4::smallint[], $5::integer[], $6::smallint[], $7::real[]) AS v (slot, device_id, parameter, by)
            WHERE v.slot = n.slot AND v.device_id = n.device_id
        ) f
        WHERE c.slot = n.slot AND c.device_id = n.device_id
        """

    /// The parameters that both measure, and by how much the first reads higher; `nil` where they have too few values in common.
    typealias Found = (device: DeviceKey, parameter: Parameter, by: Float?)

    let devices: [DeviceKey]
    let again: Duration
    let found: [Found]

    init(_ devices: [DeviceKey], again: Duration, found: [Found]) {
        self.devices = devices
        self.again = again
        self.found = found
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(devices)
        parameters.append(again.wholeMicroseconds)
        parameters.append(found.map(\.device))
        parameters.append(found.map(\.parameter))
        parameters.append(found.map(\.by))
    }
}
