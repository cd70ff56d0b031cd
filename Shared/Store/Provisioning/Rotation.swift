package import Instants
package import Postgres
package import WaterQuality

/// Counts up the generation of a device's password; no row is affected when somebody else has meanwhile.
package struct RotateDeviceKey: Statement {
    package static let sql = """
        UPDATE device SET key_generation = $3, key_id = $4
        WHERE slot = $1 AND device_id = $2 AND key_generation = $3 - 1
        """
    let device: DeviceKey
    let generation: Int32
    let keyID: String

    /// - Parameters:
    ///   - generation: The new one.
    ///   - keyID: Of the master key that the new password was derived from.
    package init(device: DeviceKey, generation: Int32, keyID: String) {
        self.device = device
        self.generation = generation
        self.keyID = keyID
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(generation)
        parameters.append(keyID)
    }
}

/// From which keys the passwords of devices were derived; no row for a device that does not exist.
package struct FindDeviceKeys: Statement {
    package static let sql = "SELECT hardware_id, key_generation, key_id FROM device WHERE hardware_id = ANY ($1)"

    package struct Row: Sendable {
        package var hardwareID: String
        package var generation: Int32
        /// Of the master key; nil: made when there could be only one.
        package var keyID: String?
    }

    let hardwareIDs: [String]
    package init(_ devices: [Device.HardwareID]) { hardwareIDs = devices.map(\.text) }
    package func bind(_ parameters: inout Parameters) { parameters.append(hardwareIDs) }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(hardwareID: row.read(), generation: row.read(), keyID: row.read())
    }
}

/// How many devices need which key: none needs one that nobody names.
package struct CountKeyUses: Statement {
    package static let sql = """
        SELECT d.key_id, CASE WHEN o.account_id IS NULL THEN d.claim_key_id ELSE 'none' END, count(*), min(d.hardware_id)
        FROM device d
        LEFT JOIN ownership o ON o.slot = d.slot AND o.device_id = d.device_id AND o.unlinked_at IS NULL
        GROUP BY 1, 2
        """

    package struct Row: Sendable {
        /// Of the master key of the devices' passwords; nil: made when there could be only one.
        package var keyID: String?
        /// Of the key of their claim codes, likewise; `noClaimCode` for devices with an owner, whose code is not asked for.
        package var claimKeyID: String?
        package var devices: Int64
        /// One of them.
        package var example: String
    }

    package static let noClaimCode = "none"

    package init() {}

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(keyID: row.read(), claimKeyID: row.read(), devices: row.read(), example: row.read())
    }
}

/// An endpoint's secrets, as they are stored.
package struct SealedEndpoint: Sendable {
    package var endpoint: Endpoint.ID
    package var channel: Endpoint.Channel
    package var target: String
    package var secret: [UInt8]
    /// The one before it, while it still counts.
    package var former: [UInt8]?

    static let columns = """
        endpoint_id, channel, target, sealed_secret, CASE WHEN former_until > now() THEN former_secret END
        """

    init(_ row: inout RowReader) throws {
        endpoint = try row.read()
        channel = try row.read()
        target = try row.read()
        secret = try row.read()
        former = try row.read()
    }
}

/// Locks an endpoint to change its secret; no row when there is none of this number that is in use.
package struct LockEndpoint: Statement {
    package static let sql = """
        SELECT \(SealedEndpoint.columns) FROM usable_endpoint WHERE endpoint_id = $1 FOR NO KEY UPDATE
        """
    let endpoint: Endpoint.ID
    package init(_ endpoint: Endpoint.ID) { self.endpoint = endpoint }
    package func bind(_ parameters: inout Parameters) { parameters.append(endpoint) }
    package static func decode(_ row: inout RowReader) throws -> SealedEndpoint { try SealedEndpoint(&row) }
}

/// Locks a page of endpoints, the retired ones too, to seal their secrets anew.
package struct LockSecrets: Statement {
    package static let sql = """
        SELECT \(SealedEndpoint.columns) FROM endpoint WHERE endpoint_id > $1 ORDER BY endpoint_id LIMIT $2
        FOR NO KEY UPDATE
        """
    let after: Endpoint.ID
    let limit: Int64

    package init(after: Endpoint.ID, limit: Int) {
        self.after = after
        self.limit = Int64(limit)
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(after)
        parameters.append(limit)
    }

    package static func decode(_ row: inout RowReader) throws -> SealedEndpoint { try SealedEndpoint(&row) }
}

/// The secrets of endpoints that are in use.
package struct ReadSecrets: Statement {
    package static let sql = """
        SELECT \(SealedEndpoint.columns) FROM usable_endpoint ORDER BY endpoint_id LIMIT $1
        """
    let limit: Int64
    package init(limit: Int) { self.limit = Int64(limit) }
    package func bind(_ parameters: inout Parameters) { parameters.append(limit) }
    package static func decode(_ row: inout RowReader) throws -> SealedEndpoint { try SealedEndpoint(&row) }
}

/// Gives an endpoint a new secret; the one before it counts as well for a while.
package struct RotateEndpointSecret: Statement {
    package static let sql = """
        UPDATE endpoint SET sealed_secret = $2, former_secret = $3, former_until = now() + $4 * interval '1 us'
        WHERE endpoint_id = $1
        RETURNING former_until
        """
    let endpoint: Endpoint.ID
    let secret: [UInt8]
    let former: [UInt8]
    let overlap: Duration

    package init(endpoint: Endpoint.ID, secret: [UInt8], former: [UInt8], overlap: Duration) {
        self.endpoint = endpoint
        self.secret = secret
        self.former = former
        self.overlap = overlap
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(endpoint)
        parameters.append(secret)
        parameters.append(former)
        parameters.append(overlap.wholeMicroseconds)
    }

    package static func decode(_ row: inout RowReader) throws -> Timestamp {
        try row.read()
    }
}

/// Stores the same secrets under another key. A former secret that no longer counts is forgotten.
package struct ResealEndpoint: Statement {
    package static let sql = """
        UPDATE endpoint SET sealed_secret = $2, former_secret = $3, former_until = CASE WHEN $3 IS NOT NULL THEN former_until END
        WHERE endpoint_id = $1
        """
    let endpoint: Endpoint.ID
    let secret: [UInt8]
    let former: [UInt8]?

    package init(endpoint: Endpoint.ID, secret: [UInt8], former: [UInt8]?) {
        self.endpoint = endpoint
        self.secret = secret
        self.former = former
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(endpoint)
        parameters.append(secret)
        parameters.append(former)
    }
}
