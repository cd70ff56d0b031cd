import Postgres
import Store

/// Where some devices and places of the person's are now, as far as they have a position.
struct ListDevicePoints: Statement {
    static let sql = """
        SELECT p.slot, p.device_id, p.latitude, p.longitude FROM unnest($1::smallint[], $2::integer[]) AS d (slot, device_id)
        JOIN person_point p ON p.slot = d.slot AND p.device_id = d.device_id
        """

    struct Row: Sendable {
        var device: DeviceKey
        /// In degrees.
        var latitude: Double
        var longitude: Double
    }

    let devices: [DeviceKey]
    init(of devices: [DeviceKey]) { self.devices = devices }

    func bind(_ parameters: inout Parameters) {
        parameters.append(devices.map(\.slot))
        parameters.append(devices.map(\.device))
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(device: DeviceKey(slot: row.read(), device: row.read()), latitude: row.read(), longitude: row.read())
    }
}
