package import Postgres
package import WaterQuality

/// Finds the hash of a device's key. No row for a device that does not exist, nor for one whose key has no hash.
package struct FindDeviceKeyHash: Statement {
    package static let sql = "SELECT key_hash FROM device WHERE hardware_id = $1 AND key_hash IS NOT NULL"

    let device: Device.HardwareID

    package init(of device: Device.HardwareID) { self.device = device }

    package func bind(_ parameters: inout Parameters) { parameters.append(device.text) }

    package static func decode(_ row: inout RowReader) throws -> [UInt8] { try row.read() }
}
