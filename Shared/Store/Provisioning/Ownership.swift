package import Postgres
package import WaterQuality

/// Makes a person the owner of a device, with the default settings of every parameter.
package struct LinkDevice: Statement {
    package static let sql = "SELECT add_ownership($1, $2, $3, 'owner', $4, $5, $6, $7, $8, $9, $10)"

    /// The setting of a parameter when a device is linked.
    package struct Default: Sendable {
        package var parameter: Parameter
        package var unit: String
        package var minimum: Int32?
        package var maximum: Int32?
        package var colour: String
        package var position: Int16

        package init(
            parameter: Parameter, unit: String, minimum: Int32?, maximum: Int32?, colour: String, position: Int16
        ) {
            self.parameter = parameter
            self.unit = unit
            self.minimum = minimum
            self.maximum = maximum
            self.colour = colour
            self.position = position
        }
    }

    let device: DeviceKey
    let account: Account.ID
    let name: String
    let defaults: [Default]

    package init(device: DeviceKey, account: Account.ID, name: String, defaults: [Default]) {
        self.device = device
        self.account = account
        self.name = name
        self.defaults = defaults
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(account)
        parameters.append(name)
        parameters.append(defaults)
    }
}

extension Parameters {
    /// Six arrays: parameters, units, minima, maxima, colours, positions.
    package mutating func append(_ defaults: [LinkDevice.Default]) {
        append(defaults.map(\.parameter))
        append(defaults.map(\.unit))
        append(defaults.map(\.minimum))
        append(defaults.map(\.maximum))
        append(defaults.map(\.colour))
        append(defaults.map(\.position))
    }
}

extension [LinkDevice.Default] {
    /// The defaults of the manual's Table 3.1; no limits for parameters that it lacks.
    package static let ofManual = Parameter.allCases.map { parameter in
        let defaults = parameter.defaults
        return LinkDevice.Default(
            parameter: parameter, unit: defaults.unit.rawValue, minimum: defaults.minimum?.count,
            maximum: defaults.maximum?.count, colour: defaults.color, position: defaults.order)
    }

    /// The defaults with the limits of a preset, for the parameters that it covers.
    package static func starting(with preset: Preset?) -> [LinkDevice.Default] {
        ofManual.map { manual in
            guard let limits = preset?.limits(of: manual.parameter) else { return manual }
            var setting = manual
            setting.minimum = limits.minimum?.count
            setting.maximum = limits.maximum?.count
            return setting
        }
    }
}

/// Waits for the engine that decides in a slot, and keeps all engines out until the end of the transaction.
package struct LockSlot: Statement {
    package static let sql = "UPDATE slot SET state_version = state_version + 1 WHERE slot = $1"
    let slot: Slot
    package init(_ slot: Slot) { self.slot = slot }
    package func bind(_ parameters: inout Parameters) { parameters.append(slot) }
}

/// Finds a device that a person owns or watches, and keeps it theirs until the end of the transaction; no row if they
/// do neither.
package struct LockOwnership: Statement {
    package static let sql = """
        SELECT d.slot, d.device_id, o.name, o.role
        FROM device d JOIN ownership o ON o.slot = d.slot AND o.device_id = d.device_id
        WHERE d.slot = $1 AND d.hardware_id = $2 AND o.account_id = $3 AND o.unlinked_at IS NULL
        FOR UPDATE OF o
        """

    package struct Row: Sendable {
        package var device: DeviceKey
        /// The person's name for the device.
        package var name: String
        package var role: Ownership.Role
    }

    let hardwareID: Device.HardwareID
    let account: Account.ID

    package init(_ hardwareID: Device.HardwareID, of account: Account.ID) {
        self.hardwareID = hardwareID
        self.account = account
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(Slot(of: hardwareID))
        parameters.append(hardwareID.text)
        parameters.append(account)
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(device: DeviceKey(&row), name: row.read(), role: row.read())
    }
}

/// Ends a person's ownership of a device, and everything that its watchers have of it. Episodes close, pending alerts
/// are cancelled, and the claim code changes. The row is false if the person does not own the device.
///
/// A transaction that takes further locks locks the slot first (`LockSlot`), as engines do.
package struct UnlinkDevice: Statement {
    package static let sql = "SELECT unlink_device($1, $2, $3, $4, $5)"

    let device: DeviceKey
    let account: Account.ID
    let claimCode: StoredClaimCode

    /// - Parameter claimCode: The code for linking the device next.
    package init(device: DeviceKey, account: Account.ID, claimCode: StoredClaimCode) {
        self.device = device
        self.account = account
        self.claimCode = claimCode
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(account)
        parameters.append(claimCode)
    }

    package static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}
