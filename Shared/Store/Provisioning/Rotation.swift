package import Instants
package import Postgres
package import WaterQuality

/// Increments the generation of a device's password; affects no row if another transaction has done so meanwhile.
package struct RotateDeviceKey: Statement {
    package static let sql = """
        UPDATE device SET key_generation = $3, key_id = $4, key_hash = $5
        WHERE slot = $1 AND device_id = $2 AND key_generation = $3 - 1
        """
    let device: DeviceKey
    let generation: Int32
    let keyID: String
    let keyHash: [UInt8]

    /// - Parameters:
    ///   - generation: The new generation.
    ///   - keyID: The id of the master key from which the new password was derived.
    ///   - keyHash: The new password's hash, 32 bytes.
    package init(device: DeviceKey, generation: Int32, keyID: String, keyHash: [UInt8]) {
        self.device = device
        self.generation = generation
        self.keyID = keyID
        self.keyHash = keyHash
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(generation)
        parameters.append(keyID)
        parameters.append(keyHash)
    }
}

/// The keys from which devices' passwords were derived; no row for an unknown device.
package struct FindDeviceKeys: Statement {
    package static let sql = """
        SELECT hardware_id, key_generation, key_id FROM device WHERE hardware_id = ANY ($1) AND kind = 'device'
        """

    package struct Row: Sendable {
        package var hardwareID: String
        package var generation: Int32
        /// The id of the master key; `nil` if the password was derived before there could be several keys.
        package var keyID: String?
    }

    let hardwareIDs: [String]
    package init(_ devices: [Device.HardwareID]) { hardwareIDs = devices.map(\.text) }
    package func bind(_ parameters: inout Parameters) { parameters.append(hardwareIDs) }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(hardwareID: row.read(), generation: row.read(), keyID: row.read())
    }
}

/// The number of devices that need each key. A key without a row is not needed.
package struct CountKeyUses: Statement {
    package static let sql = """
        SELECT d.key_id, CASE WHEN o.account_id IS NULL THEN d.claim_key_id ELSE 'none' END, count(*), min(d.hardware_id)
        FROM device d
        LEFT JOIN ownership o ON o.slot = d.slot AND o.device_id = d.device_id AND o.unlinked_at IS NULL
        WHERE d.kind = 'device'
        GROUP BY 1, 2
        """

    package struct Row: Sendable {
        /// The id of the master key of the devices' passwords; `nil` if they were derived before there could be several
        /// keys.
        package var keyID: String?
        /// The id of the key of their claim codes; `nil` if the codes were stored before there could be several keys.
        /// `noClaimCode` for devices with an owner, whose code is not in use.
        package var claimKeyID: String?
        package var devices: Int64
        /// The hardware id of one of these devices.
        package var example: String
    }

    package static let noClaimCode = "none"

    package init() {}

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(keyID: row.read(), claimKeyID: row.read(), devices: row.read(), example: row.read())
    }
}

/// An endpoint's stored secrets.
package struct SealedEndpoint: Sendable {
    package var endpoint: Endpoint.ID
    package var channel: Word<Endpoint.Channel>
    /// The endpoint's name if the address is sealed with the secret, otherwise the address.
    package var target: String
    package var secret: [UInt8]
    /// The former secret, while it is still valid.
    package var former: [UInt8]?
    /// The template of its messages.
    package var template: [UInt8]?
    /// The template before the last change in a session, which the person may want back.
    package var formerTemplate: [UInt8]?

    package static let columns = """
        endpoint_id, channel, target, sealed_secret, CASE WHEN former_until > now() THEN former_secret END, sealed_template,
        former_template
        """

    package init(_ row: inout RowReader) throws {
        endpoint = try row.read()
        channel = try row.read()
        target = try row.read()
        secret = try row.read()
        former = try row.read()
        template = try row.read()
        formerTemplate = try row.read()
    }
}

/// Locks an endpoint to change its secret; no row if no endpoint in use has this number.
package struct LockEndpoint: Statement {
    package static let sql = """
        SELECT \(SealedEndpoint.columns) FROM usable_endpoint WHERE endpoint_id = $1 FOR NO KEY UPDATE
        """
    let endpoint: Endpoint.ID
    package init(_ endpoint: Endpoint.ID) { self.endpoint = endpoint }
    package func bind(_ parameters: inout Parameters) { parameters.append(endpoint) }
    package static func decode(_ row: inout RowReader) throws -> SealedEndpoint { try SealedEndpoint(&row) }
}

/// Locks a page of endpoints, retired ones included, to seal their secrets anew.
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

/// The secrets of the endpoints in use.
package struct ReadSecrets: Statement {
    package static let sql = """
        SELECT \(SealedEndpoint.columns) FROM usable_endpoint ORDER BY endpoint_id LIMIT $1
        """
    let limit: Int64
    package init(limit: Int) { self.limit = Int64(limit) }
    package func bind(_ parameters: inout Parameters) { parameters.append(limit) }
    package static func decode(_ row: inout RowReader) throws -> SealedEndpoint { try SealedEndpoint(&row) }
}

/// Gives an endpoint a new secret. The former one stays valid for a while.
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

/// Stores the same secrets under another key, together with the address. An expired former secret is deleted.
package struct ResealEndpoint: Statement {
    package static let sql = """
        UPDATE endpoint SET sealed_secret = $2, former_secret = $3, former_until = CASE WHEN $3 IS NOT NULL THEN former_until END,
            sealed_template = $4, former_template = $5
        WHERE endpoint_id = $1
        """
    let endpoint: Endpoint.ID
    let secret: [UInt8]
    let former: [UInt8]?
    let template: [UInt8]?
    let formerTemplate: [UInt8]?

    package init(
        endpoint: Endpoint.ID, secret: [UInt8], former: [UInt8]?, template: [UInt8]?, formerTemplate: [UInt8]?
    ) {
        self.endpoint = endpoint
        self.secret = secret
        self.former = former
        self.template = template
        self.formerTemplate = formerTemplate
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(endpoint)
        parameters.append(secret)
        parameters.append(former)
        parameters.append(template)
        parameters.append(formerTemplate)
    }
}
