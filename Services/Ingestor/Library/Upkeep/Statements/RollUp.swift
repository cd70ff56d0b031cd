import Postgres
import Store
import WaterQuality

/// Rolls up the samples of an hour of a slot, device by device, by the samples' key. Returns the devices whose roll-up changed.
struct RollUpHour: Statement {
    static let sql = """
        INSERT INTO sample_hour AS known (slot, device_id, starts_at, \(RollUpColumns.names))
        SELECT d.slot, d.device_id, $2::timestamptz, found.*
        FROM device d CROSS JOIN LATERAL (
            SELECT \(RollUpColumns.ofSamples) FROM sample s
            WHERE s.slot = d.slot AND s.device_id = d.device_id
                AND s.event_time >= $2::timestamptz AND s.event_time < $2::timestamptz + interval '1 hour'
            HAVING count(*) > 0
        ) AS found
        WHERE d.slot = $1::smallint AND (cardinality($3::integer[]) = 0 OR d.device_id = ANY ($3::integer[]))
        \(RollUpColumns.replacement)
        RETURNING device_id
        """

    let hour: ClaimedHour
    let devices: [Device.ID]

    /// - Parameter devices: The devices to roll up; empty for the whole slot.
    init(_ hour: ClaimedHour, devices: [Device.ID]) {
        self.hour = hour
        self.devices = devices
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(hour.slot)
        parameters.append(hour.start)
        parameters.append(devices)
    }

    static func decode(_ row: inout RowReader) throws -> Device.ID { try row.read() }
}

/// Adds up the hours of the day in which an hour lies.
struct RollUpDay: Statement {
    static let sql = """
        INSERT INTO sample_day AS known (slot, device_id, starts_at, \(RollUpColumns.names))
        SELECT d.slot, d.device_id, $2::timestamptz, found.*
        FROM device d CROSS JOIN LATERAL (
            SELECT \(RollUpColumns.ofHours) FROM sample_hour h
            WHERE h.slot = d.slot AND h.device_id = d.device_id
                AND h.starts_at >= $2::timestamptz AND h.starts_at < $2::timestamptz + interval '24 hours'
            HAVING count(*) > 0
        ) AS found
        WHERE d.slot = $1::smallint AND (cardinality($3::integer[]) = 0 OR d.device_id = ANY ($3::integer[]))
        \(RollUpColumns.replacement)
        """

    let hour: ClaimedHour
    let devices: [Device.ID]

    /// - Parameter devices: The devices to roll up; empty for the whole slot.
    init(_ hour: ClaimedHour, devices: [Device.ID]) {
        self.hour = hour
        self.devices = devices
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(hour.slot)
        parameters.append(hour.start.roundedDown(to: RollUpSchedule.day))
        parameters.append(devices)
    }
}
