import Postgres
import Store
import WaterQuality

/// Finds the hash of a device's key. No row for an unknown device, nor for one whose key has no hash.
struct FindDeviceKeyHash: Statement {
    static let sql = "SELECT key_hash FROM device WHERE hardware_id = $1 AND key_hash IS NOT NULL"

    let device: Device.HardwareID

    init(of device: Device.HardwareID) { self.device = device }

    func bind(_ parameters: inout Parameters) { parameters.append(device.text) }

    static func decode(_ row: inout RowReader) throws -> [UInt8] { try row.read() }
}
