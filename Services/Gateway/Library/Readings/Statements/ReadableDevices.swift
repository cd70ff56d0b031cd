import Instants
import Postgres
import Store
import WaterQuality

/// Finds a device that the person of the transaction has or had; no row for any other.
struct FindReadableDevice: Statement {
    static let sql = "SELECT slot, device_id FROM device WHERE hardware_id = $1"
    let hardwareID: Device.HardwareID
    init(_ hardwareID: Device.HardwareID) { self.hardwareID = hardwareID }

    func bind(_ parameters: inout Parameters) { parameters.append(hardwareID.text) }
    static func decode(_ row: inout RowReader) throws -> DeviceKey { try DeviceKey(&row) }
}

/// Finds the units that a person has, or had last, for the parameters of a device.
struct FindUnits: Statement {
    static let sql = """
        SELECT DISTINCT ON (parameter) parameter, unit FROM setting
        WHERE slot = $1 AND device_id = $2 AND account_id = $3 AND parameter < \(Parameter.count)
        ORDER BY parameter, version DESC
        """

    struct Row: Equatable, Sendable {
        var parameter: Parameter
        var unit: Unit
    }

    let device: DeviceKey
    let account: Account.ID

    init(of device: DeviceKey, for account: Account.ID) {
        self.device = device
        self.account = account
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(account)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        let parameter = try row.read(Parameter.self)
        return Row(
            parameter: parameter, unit: Unit(rawValue: try row.read(String.self)) ?? parameter.canonicalUnit)
    }
}

/// Finds the beginning of the oldest day of samples that is kept.
struct FindOldestSample: Statement {
    static let sql = FindKeptHistory.sql
    let slot: Slot
    init(in slot: Slot) { self.slot = slot }
    func bind(_ parameters: inout Parameters) { parameters.append(slot) }
    static func decode(_ row: inout RowReader) throws -> Timestamp {
        try FindKeptHistory.decode(&row).messagesSince
    }
}
