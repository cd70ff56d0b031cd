package import Instants
package import Postgres
package import WaterQuality

/// Adds a device without an owner; `uniqueViolation` if it exists.
package struct AddDevice: Statement {
    package static let sql = """
        INSERT INTO device (slot, hardware_id, key_id, claim_code_hash, claim_key_id, key_hash)
        VALUES ($1, $2, $3, $4, $5, $6)
        RETURNING slot, device_id
        """
    let hardwareID: Device.HardwareID
    let keyID: String
    let claimCode: StoredClaimCode
    let keyHash: [UInt8]?

    /// - Parameters:
    ///   - keyID: The id of the master key from which the device's password was derived.
    ///   - keyHash: The hash of the password, 32 bytes; without it the device cannot send over HTTP.
    package init(
        hardwareID: Device.HardwareID, keyID: String, claimCode: StoredClaimCode, keyHash: [UInt8]? = nil
    ) {
        self.hardwareID = hardwareID
        self.keyID = keyID
        self.claimCode = claimCode
        self.keyHash = keyHash
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(Slot(of: hardwareID))
        parameters.append(hardwareID.text)
        parameters.append(keyID)
        parameters.append(claimCode)
        parameters.append(keyHash)
    }

    package static func decode(_ row: inout RowReader) throws -> DeviceKey { try DeviceKey(&row) }
}

/// The stored form of a claim code.
package struct StoredClaimCode: Sendable {
    /// The hash, 32 bytes.
    let hash: [UInt8]
    /// The id of the hashing key.
    let keyID: String

    package init(hash: [UInt8], keyID: String) {
        self.hash = hash
        self.keyID = keyID
    }
}

extension Parameters {
    /// Two values: hash and key.
    package mutating func append(_ claimCode: StoredClaimCode) {
        append(claimCode.hash)
        append(claimCode.keyID)
    }
}

/// A device and its current owner.
package struct OwnedDevice: Sendable {
    package var key: DeviceKey
    package var hardwareID: String
    package var keyGeneration: Int32
    /// The id of the password's master key; `nil` if the password was derived before there could be several keys.
    package var keyID: String?
    /// The id of the claim code's key; `nil` if the code was stored before there could be several keys.
    package var claimKeyID: String?
    package var owner: Account.ID?
    /// The owner's address; of a project its name.
    package var ownerEmail: String?
    package var name: String?
    package var kind: Word<Device.Kind>

    static let columns = """
        d.slot, d.device_id, d.hardware_id, d.kind, d.key_generation, d.key_id, d.claim_key_id, o.account_id, coalesce(a.email, a.display_name), o.name
        """
    static let tables = """
        device d
        LEFT JOIN ownership o ON o.slot = d.slot AND o.device_id = d.device_id AND o.unlinked_at IS NULL
            AND o.role = 'owner'
        LEFT JOIN account a ON a.account_id = o.account_id
        """

    init(_ row: inout RowReader) throws {
        key = try DeviceKey(&row)
        hardwareID = try row.read()
        kind = try row.read()
        keyGeneration = try row.read()
        keyID = try row.read()
        claimKeyID = try row.read()
        owner = try row.read()
        ownerEmail = try row.read()
        name = try row.read()
    }
}

/// Finds a device or a site by its id.
package struct FindDevice: Statement {
    package static let sql = "SELECT \(OwnedDevice.columns) FROM \(OwnedDevice.tables) WHERE d.hardware_id = $1"
    let hardwareID: Device.HardwareID
    package init(_ hardwareID: Device.HardwareID) { self.hardwareID = hardwareID }
    package func bind(_ parameters: inout Parameters) { parameters.append(hardwareID.text) }
    package static func decode(_ row: inout RowReader) throws -> OwnedDevice { try OwnedDevice(&row) }
}

/// Finds the device of a claim code, and locks it against a second claim at the same time.
package struct FindDeviceByClaimCode: Statement {
    package static let sql = """
        SELECT \(OwnedDevice.columns) FROM \(OwnedDevice.tables) WHERE d.claim_code_hash = ANY ($1)
        FOR UPDATE OF d
        """
    let hashes: [[UInt8]]
    /// - Parameter hashes: The code's hashes under every key that it may have been stored with.
    package init(hashes: [[UInt8]]) { self.hashes = hashes }
    package func bind(_ parameters: inout Parameters) { parameters.append(hashes) }
    package static func decode(_ row: inout RowReader) throws -> OwnedDevice { try OwnedDevice(&row) }
}

/// Stores a new claim code for a device without an owner; affects no row if it has one.
package struct RenewClaimCode: Statement {
    package static let sql = """
        UPDATE device d SET claim_code_hash = $3, claim_key_id = $4
        WHERE d.slot = $1 AND d.device_id = $2 AND d.kind = 'device' AND NOT EXISTS (
            SELECT FROM ownership o WHERE o.slot = d.slot AND o.device_id = d.device_id AND o.unlinked_at IS NULL)
        """
    let device: DeviceKey
    let claimCode: StoredClaimCode

    package init(device: DeviceKey, claimCode: StoredClaimCode) {
        self.device = device
        self.claimCode = claimCode
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(claimCode)
    }
}

/// A page of all devices, without sites, in the order of their ids, each with the time it was last heard and its open alarms.
package struct ListDevices: Statement {
    package static let sql = """
        SELECT \(OwnedDevice.columns), u.online, (
                SELECT event_time FROM sample s
                WHERE s.slot = d.slot AND s.device_id = d.device_id ORDER BY event_time DESC LIMIT 1),
            (SELECT count(DISTINCT (e.kind, e.parameter, e.side)) FROM episode e
                WHERE e.slot = d.slot AND e.device_id = d.device_id AND e.closed_at IS NULL),
            EXISTS (SELECT FROM canary c WHERE c.slot = d.slot AND c.device_id = d.device_id)
        FROM \(OwnedDevice.tables)
        LEFT JOIN device_status u ON u.slot = d.slot AND u.device_id = d.device_id
        WHERE d.hardware_id > $1 AND d.kind = 'device'
        ORDER BY d.hardware_id
        LIMIT $2
        """

    package struct Row: Sendable {
        package var device: OwnedDevice
        package var online: Bool?
        package var lastReadingAt: Timestamp?
        /// The number of open alarms, counted once for all of the device's people.
        package var alarms: Int64
        /// Whether it is the operator's canary, which is nobody's water.
        package var isCanary: Bool
    }

    let after: String
    let limit: Int64

    /// - Parameter after: The last id of the previous page; empty for the first.
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
            lastReadingAt: row.read(), alarms: row.read(), isCanary: row.read())
    }
}
