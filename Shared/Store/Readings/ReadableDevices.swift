package import Instants
package import Postgres
package import WaterQuality

/// Finds a device that the person of the transaction has or had; no row for any other.
package struct FindReadableDevice: Statement {
    package static let sql = "SELECT slot, device_id FROM device WHERE hardware_id = $1"
    let hardwareID: Device.HardwareID
    package init(_ hardwareID: Device.HardwareID) { self.hardwareID = hardwareID }

    package func bind(_ parameters: inout Parameters) { parameters.append(hardwareID.text) }
    package static func decode(_ row: inout RowReader) throws -> DeviceKey { try DeviceKey(&row) }
}

/// Finds the units that a person has, or had last, for the parameters of a device.
package struct FindUnits: Statement {
    package static let sql = """
        SELECT DISTINCT ON (parameter) parameter, unit FROM setting
        WHERE slot = $1 AND device_id = $2 AND account_id = $3
        ORDER BY parameter, version DESC
        """

    package struct Row: Equatable, Sendable {
        package var parameter: Parameter
        package var unit: Unit

        package init(parameter: Parameter, unit: Unit) {
            self.parameter = parameter
            self.unit = unit
        }
    }

    let device: DeviceKey
    let account: Account.ID

    package init(of device: DeviceKey, for account: Account.ID) {
        self.device = device
        self.account = account
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(account)
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        let parameter = try row.read(Parameter.self)
        return Row(
            parameter: parameter, unit: Unit(rawValue: try row.read(String.self)) ?? parameter.canonicalUnit)
    }
}

/// The beginning of the oldest day of samples that is kept.
package struct FindOldestSample: Statement {
    package static let sql = FindKeptHistory.sql
    let slot: Slot
    package init(in slot: Slot) { self.slot = slot }
    package func bind(_ parameters: inout Parameters) { parameters.append(slot) }
    package static func decode(_ row: inout RowReader) throws -> Timestamp {
        try FindKeptHistory.decode(&row).messagesSince
    }
}
