import Instants
import Postgres
import Store
import WaterQuality

/// The probes of some devices that have said that they are broken, and have given no value since.
struct LoadProbeFaults: Statement {
    static let sql = """
        SELECT f.slot, f.device_id, f.parameter, f.since, f.last_at
        FROM unnest($1::smallint[], $2::integer[]) AS wanted (slot, device_id)
        CROSS JOIN LATERAL (
            SELECT * FROM probe_fault
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
    ) throws -> (device: DeviceKey, parameter: Parameter, fault: ProbeFault) {
        let device = try DeviceKey(&row)
        return try (device, row.read(), ProbeFault(since: row.read(), lastAt: row.read()))
    }
}

/// What became of a probe's fault in a claim.
struct ProbeFaultRecord: Sendable {
    var key: ProbeKey
    /// `nil` when the probe gives values again.
    var fault: ProbeFault?
    /// When the last word of it was received.
    var receivedAt: Timestamp
}

/// Notes the faults of probes, and forgets those that are over.
struct WriteProbeFaults: Statement {
    static let sql = """
        WITH n AS (
            SELECT * FROM unnest($1::smallint[], $2::integer[], $3::smallint[], $4::timestamptz[], $5::timestamptz[],
                $6::timestamptz[]) AS n (slot, device_id, parameter, since, last_at, received_at)
        ), over AS (
            DELETE FROM probe_fault f USING n
            WHERE f.slot = n.slot AND f.device_id = n.device_id AND f.parameter = n.parameter AND n.since IS NULL
        )
        INSERT INTO probe_fault (slot, device_id, parameter, since, last_at, received_at)
        SELECT slot, device_id, parameter, since, last_at, received_at FROM n WHERE since IS NOT NULL
        ON CONFLICT (slot, device_id, parameter) DO UPDATE SET
            since = excluded.since, last_at = excluded.last_at, received_at = excluded.received_at
        """

    let records: [ProbeFaultRecord]

    /// - Parameter records: Each probe at most once.
    init(_ records: [ProbeFaultRecord]) { self.records = records }

    func bind(_ parameters: inout Parameters) {
        parameters.append(records.map(\.key))
        parameters.append(records.map(\.fault?.since))
        parameters.append(records.map(\.fault?.lastAt))
        parameters.append(records.map(\.receivedAt))
    }
}
