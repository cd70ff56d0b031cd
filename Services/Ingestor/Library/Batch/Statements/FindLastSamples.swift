import Instants
import Postgres
import Store
import WaterQuality

/// Finds the last samples of devices, oldest first: for inputs that derived parameters may still need, and for whether
/// a device sends such a parameter itself.
struct FindLastSamples: Statement {
    static let sql = """
        SELECT s.slot, s.device_id, s.event_time, s.flags, \(SampleColumns.each { "s.\($0)" })
        FROM unnest($1::smallint[], $2::integer[]) AS d (slot, device_id)
        CROSS JOIN LATERAL (
            SELECT * FROM sample WHERE slot = d.slot AND device_id = d.device_id
                AND event_time > $3::timestamptz - interval '1 day' AND event_time <= $3 + interval '5 minutes'
                -- excludes samples of unknown age or of a doubted clock
                AND flags & \(Sample.Flags([.notEvaluated, .implausibleTime]).rawValue) = 0
            ORDER BY event_time DESC LIMIT \(rowsOfDevice)
        ) s
        ORDER BY s.event_time
        """

    /// Several rounds of a device that sends each parameter by itself.
    private static let rowsOfDevice = 32
    /// The most devices of one statement.
    static let mostDevices = 256

    struct Row: Sendable {
        var key: Sample.Key
        var flags: Sample.Flags
        var readings: Readings
    }

    let devices: [DeviceKey]
    let now: Timestamp

    init(of devices: [DeviceKey], now: Timestamp) {
        self.devices = devices
        self.now = now
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(devices.map(\.slot))
        parameters.append(devices.map(\.device))
        parameters.append(now)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(key: Sample.Key(&row), flags: Sample.Flags(rawValue: row.read()), readings: Readings(&row))
    }
}
