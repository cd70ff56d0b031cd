import Postgres
import Store
import WaterQuality

/// Lives of devices that have fallen silent. No row for one that said nothing of itself.
struct ReadSilentLives: Statement {
    static let sql = """
        SELECT l.slot, l.device_id, \(DeviceLife.columns)
        FROM unnest($1::smallint[], $2::integer[]) AS n (slot, device_id)
        JOIN device_life l ON l.slot = n.slot AND l.device_id = n.device_id
        \(DeviceLife.joins(days: "device_life_day", most: 14))
        """

    let devices: [DeviceKey]
    init(_ devices: [DeviceKey]) { self.devices = devices }

    func bind(_ parameters: inout Parameters) {
        parameters.append(devices)
    }

    static func decode(_ row: inout RowReader) throws -> (device: DeviceKey, life: DeviceLife) {
        (try DeviceKey(&row), try DeviceLife(&row))
    }
}
