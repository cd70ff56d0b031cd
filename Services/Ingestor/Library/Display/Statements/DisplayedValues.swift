import Instants
import Postgres
import Store
import WaterQuality

/// The last value of each parameter of some devices that show something, however old: what a display begins with.
struct ReadLatestOfDisplays: Statement {
    static let sql = "SELECT slot, device_id, parameter, event_time, value FROM latest_of_displays($1, $2)"

    struct Row: Sendable {
        var device: DeviceKey
        var parameter: Parameter?
        var measured: Display.Measured
    }

    let devices: [DeviceKey]
    init(of devices: [DeviceKey]) { self.devices = devices }
    func bind(_ parameters: inout Parameters) { parameters.append(devices) }

    static func decode(_ row: inout RowReader) throws -> Row {
        let (device, number) = try (DeviceKey(&row), row.read(Int16.self))
        let time = try row.read(Timestamp.self)
        return Row(
            device: device, parameter: Parameter(rawValue: number),
            measured: Display.Measured(value: try row.read(), at: time))
    }
}

/// Readings of some devices since a time of theirs (inclusive), newest first and 50 messages of each at most.
struct ReadSinceOfDisplays: Statement {
    static let sql = """
        SELECT w.slot, w.device_id, found.*
        FROM unnest($1::smallint[], $2::integer[], $3::timestamptz[]) AS w (slot, device_id, since)
        CROSS JOIN LATERAL (
            SELECT s.event_time, \(SampleColumns.each { "s.\($0)" })
            FROM sample s
            WHERE s.slot = w.slot AND s.device_id = w.device_id AND s.event_time >= w.since
                AND s.event_time < now() + interval '10 minutes'
            ORDER BY s.event_time DESC
            LIMIT 50
        ) AS found
        """

    let devices: [(device: DeviceKey, since: Timestamp)]
    init(_ devices: [(device: DeviceKey, since: Timestamp)]) { self.devices = devices }

    func bind(_ parameters: inout Parameters) {
        parameters.append(devices.map(\.device))
        parameters.append(devices.map(\.since))
    }

    static func decode(_ row: inout RowReader) throws -> (device: DeviceKey, at: Timestamp, readings: Readings) {
        try (DeviceKey(&row), row.read(), Readings(&row))
    }
}
