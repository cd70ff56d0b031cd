package import Postgres
package import WaterQuality

/// Adds a device that nobody owns; `uniqueViolation` when it exists.
package struct AddDevice: Statement {
    package static let sql = """
        INSERT INTO device (slot, hardware_id, claim_code_hash) VALUES ($1, $2, $3) RETURNING slot, device_id
        """
    let hardwareID: Device.HardwareID
    let claimCodeHash: [UInt8]

    /// - Parameter claimCodeHash: 32 bytes.
    package init(hardwareID: Device.HardwareID, claimCodeHash: [UInt8]) {
        self.hardwareID = hardwareID
        self.claimCodeHash = claimCodeHash
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(Slot(of: hardwareID).rawValue)
        parameters.append(hardwareID.text)
        parameters.append(claimCodeHash)
    }

    package static func decode(_ row: inout RowReader) throws -> DeviceKey { try DeviceKey(&row) }
}

/// A device and who owns it now.
package struct OwnedDevice: Sendable {
    package var key: DeviceKey
    package var hardwareID: String
    package var keyGeneration: Int32
    package var owner: Account.ID?
    package var ownerEmail: String?
    package var name: String?

    static let columns = """
        d.slot, d.device_id, d.hardware_id, d.key_generation, o.account_id, a.email, o.name
        """
    static let tables = """
        device d
        LEFT JOIN ownership o ON o.slot = d.slot AND o.device_id = d.device_id AND o.unlinked_at IS NULL
        LEFT JOIN account a ON a.account_id = o.account_id
        """

    init(_ row: inout RowReader) throws {
        key = try DeviceKey(&row)
        hardwareID = try row.read()
        keyGeneration = try row.read()
        let number: Int64? = try row.read()
        owner = number.map(Account.ID.init(rawValue:))
        ownerEmail = try row.read()
        name = try row.read()
    }
}

/// Finds a device by its hardware id.
package struct FindDevice: Statement {
    package static let sql = "SELECT \(OwnedDevice.columns) FROM \(OwnedDevice.tables) WHERE d.hardware_id = $1"
    let hardwareID: Device.HardwareID
    package init(_ hardwareID: Device.HardwareID) { self.hardwareID = hardwareID }
    package func bind(_ parameters: inout Parameters) { parameters.append(hardwareID.text) }
    package static func decode(_ row: inout RowReader) throws -> OwnedDevice { try OwnedDevice(&row) }
}

/// Finds the device that a claim code belongs to, and locks it against a second claim at the same time.
package struct FindDeviceByClaimCode: Statement {
    package static let sql = """
        SELECT \(OwnedDevice.columns) FROM \(OwnedDevice.tables) WHERE d.claim_code_hash = $1 FOR UPDATE OF d
        """
    let claimCodeHash: [UInt8]
    package init(claimCodeHash: [UInt8]) { self.claimCodeHash = claimCodeHash }
    package func bind(_ parameters: inout Parameters) { parameters.append(claimCodeHash) }
    package static func decode(_ row: inout RowReader) throws -> OwnedDevice { try OwnedDevice(&row) }
}

/// A new claim code for a device that nobody owns; no row is affected when somebody does.
package struct RenewClaimCode: Statement {
    package static let sql = """
        UPDATE device d SET claim_code_hash = $3
        WHERE d.slot = $1 AND d.device_id = $2 AND NOT EXISTS (
            SELECT FROM ownership o WHERE o.slot = d.slot AND o.device_id = d.device_id AND o.unlinked_at IS NULL)
        """
    let device: DeviceKey
    let claimCodeHash: [UInt8]

    /// - Parameter claimCodeHash: 32 bytes.
    package init(device: DeviceKey, claimCodeHash: [UInt8]) {
        self.device = device
        self.claimCodeHash = claimCodeHash
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot.rawValue)
        parameters.append(device.device.rawValue)
        parameters.append(claimCodeHash)
    }
}

/// A page of all devices in the order of their ids, with when they were last heard.
package struct ListDevices: Statement {
    package static let sql = """
        SELECT \(OwnedDevice.columns), u.online, (
                SELECT event_time FROM sample s
                WHERE s.slot = d.slot AND s.device_id = d.device_id ORDER BY event_time DESC LIMIT 1)
        FROM \(OwnedDevice.tables)
        LEFT JOIN device_status u ON u.slot = d.slot AND u.device_id = d.device_id
        WHERE d.hardware_id > $1
        ORDER BY d.hardware_id
        LIMIT $2
        """

    package struct Row: Sendable {
        package var device: OwnedDevice
        package var online: Bool?
        package var lastReadingAt: Timestamp?
    }

    let after: String
    let limit: Int64

    /// - Parameter after: The last id of the page before; empty for the first.
    package init(after: String, limit: Int) {
        self.after = after
        self.limit = Int64(limit)
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(after)
        parameters.append(limit)
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            device: OwnedDevice(&row), online: row.read(),
            lastReadingAt: row.readOptionalTimestamp().map(Timestamp.init(microseconds:)))
    }
}
