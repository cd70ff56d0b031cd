import Postgres
import Store

/// Finds the given devices whose clock is wrong or in doubt.
struct LoadDeviceClocks: Statement {
    static let sql = """
        SELECT c.slot, c.device_id, c.lag_seconds
        FROM unnest($1::smallint[], $2::integer[]) AS wanted (slot, device_id)
        JOIN device_clock c ON c.slot = wanted.slot AND c.device_id = wanted.device_id
        """

    struct Row: Sendable {
        var key: DeviceKey
        /// How far the clock is behind; `nil` when that is not proven.
        var lagSeconds: Int32?
    }

    let devices: [DeviceKey]
    init(_ devices: [DeviceKey]) { self.devices = devices }
    func bind(_ parameters: inout Parameters) { parameters.append(devices) }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(key: DeviceKey(&row), lagSeconds: row.read())
    }
}

/// Stores findings about clocks that are wrong or in doubt.
struct RecordDeviceClocks: Statement {
    static let sql = """
        INSERT INTO device_clock AS c (slot, device_id, lag_seconds, stepped_at)
        SELECT slot, device_id, lag_seconds, CASE WHEN is_step THEN now() END
        FROM unnest($1::smallint[], $2::integer[], $3::integer[], $4::boolean[])
            AS n (slot, device_id, lag_seconds, is_step)
        ON CONFLICT (slot, device_id) DO UPDATE SET lag_seconds = excluded.lag_seconds, noted_at = now(),
            stepped_at = coalesce(excluded.stepped_at, c.stepped_at)
        """

    /// What was found of a clock, and whether it was put back just now.
    typealias Clock = (key: DeviceKey, lagSeconds: Int32?, isStep: Bool)

    let clocks: [Clock]

    /// - Parameter clocks: At most one for each device.
    init(_ clocks: [Clock]) { self.clocks = clocks }

    func bind(_ parameters: inout Parameters) {
        parameters.append(clocks.map(\.key))
        parameters.append(clocks.map(\.lagSeconds))
        parameters.append(clocks.map(\.isStep))
    }
}

/// Deletes the findings about clocks that are right again.
struct ForgetDeviceClocks: Statement {
    static let sql = """
        DELETE FROM device_clock c USING unnest($1::smallint[], $2::integer[]) AS n (slot, device_id)
        WHERE c.slot = n.slot AND c.device_id = n.device_id
        """
    let devices: [DeviceKey]
    init(_ devices: [DeviceKey]) { self.devices = devices }
    func bind(_ parameters: inout Parameters) { parameters.append(devices) }
}

/// Counts owned devices whose clock is wrong or in doubt, for the metrics.
struct MeasureDeviceClocks: Statement {
    static let sql = """
        SELECT count(*) FILTER (WHERE lag_seconds > 0), count(*) FILTER (WHERE lag_seconds <= 0),
            count(*) FILTER (WHERE lag_seconds IS NULL)
        FROM device_clock c JOIN ownership o ON o.slot = c.slot AND o.device_id = c.device_id AND o.unlinked_at IS NULL
            AND o.role = 'owner'
        """

    struct Row: Sendable {
        var behind: Int64
        var ahead: Int64
        var unproven: Int64
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(behind: row.read(), ahead: row.read(), unproven: row.read())
    }
}
