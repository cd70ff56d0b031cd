import Instants
import Postgres
import Store
import WaterQuality

/// Rolls up the samples of an hour of a slot, device by device, by the samples' key. Those of work on the water are counted apart. Returns the
/// devices whose roll-up changed.
struct RollUpHour: Statement {
    static let sql = """
        INSERT INTO sample_hour AS known (slot, device_id, starts_at, \(RollUpColumns.names))
        SELECT d.slot, d.device_id, $2::timestamptz, found.*, apart.worked
        FROM device d
        CROSS JOIN LATERAL (
            SELECT range_agg(w.period) AS periods FROM device_work w
            WHERE w.slot = d.slot AND w.device_id = d.device_id
                -- a device's clock is wrong by days at most, where it is known to be
                AND w.ends_at > $2::timestamptz - interval '8 days' AND w.period && tstzrange($2, $2::timestamptz + interval '1 hour')
        ) AS work
        CROSS JOIN LATERAL (
            SELECT \(RollUpColumns.ofSamples) FROM sample s
            WHERE s.slot = d.slot AND s.device_id = d.device_id
                AND s.event_time >= $2::timestamptz AND s.event_time < $2::timestamptz + interval '1 hour'
                AND (work.periods IS NULL OR NOT s.event_time <@ work.periods)
            -- also where all are of work, or deleted whole, as far as there are any
            HAVING count(*) > 0 OR work.periods IS NOT NULL AND EXISTS (
                SELECT FROM sample s WHERE s.slot = d.slot AND s.device_id = d.device_id
                    AND s.event_time >= $2::timestamptz AND s.event_time < $2::timestamptz + interval '1 hour')
        ) AS found
        CROSS JOIN LATERAL (
            SELECT CASE WHEN work.periods IS NOT NULL THEN (
                SELECT nullif(count(*), 0)::integer FROM sample s
                WHERE s.slot = d.slot AND s.device_id = d.device_id
                    AND s.event_time >= $2::timestamptz AND s.event_time < $2::timestamptz + interval '1 hour'
                    AND s.event_time <@ work.periods AND \(DeletedColumn.isMessage("s"))) END AS worked
        ) AS apart
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
