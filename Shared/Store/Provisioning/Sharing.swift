package import Instants
package import Postgres
package import WaterQuality

/// A person's role for a device.
package enum Ownership {
    package enum Role: String, CaseIterable, Sendable {
        case owner
        /// Sees the device from the time of joining (or from the start of an owner's alarm, if the owner allows it),
        /// with limits, units and alerts of their own.
        case watcher
    }

    /// The SQL expression, for a row `o`, of the time from which on alerts are decided for a person; NULL if there is
    /// no such bound. A watcher may see earlier readings (`DeviceInvitation.Readings`), about which nothing is decided
    /// for them.
    package static let toldFrom =
        "NULLIF(CASE o.role WHEN 'watcher' THEN o.linked_at ELSE o.readings_from END, '-infinity')"
}

/// An invitation to watch a device, identified by an id for its owner, which is not the secret of the link.
package struct DeviceInvitation: Sendable {
    package struct ID: RowUUID {
        package let rawValue: UInt128
        package init(rawValue: UInt128) { self.rawValue = rawValue }
    }

    package enum State: String, CaseIterable, Sendable {
        case open, used, expired
    }

    /// The time from which a joining person sees readings. The raw values are stored.
    package enum Readings: String, CaseIterable, Sendable {
        case sinceJoining
        /// From the beginning of the first of the owner's alarms that are open at the joining: the person is asked to
        /// find out which of several matters, and the first is often the cause. Without an open alarm like
        /// `sinceJoining`.
        ///
        /// A silence does not count, because it has no readings. Readings from before the owner's own time are never
        /// shown, and a person who comes back sees no more of the time before they left.
        case sinceAlarm
    }

    package var id: ID
    package var createdAt: Timestamp
    package var expiresAt: Timestamp
    package var state: State
    package var readings: Word<Readings>

    static let columns = """
        i.invitation_id, i.created_at, i.expires_at,
        CASE WHEN i.used_at IS NOT NULL THEN 'used' WHEN i.expires_at <= now() THEN 'expired' ELSE 'open' END, i.readings
        """

    init(_ row: inout RowReader) throws {
        id = try row.read()
        createdAt = try row.read()
        expiresAt = try row.read()
        state = try row.read()
        readings = try row.read()
    }
}

/// Adds an invitation to a device that the person owns; if no place is free, it replaces a used or expired one. No row
/// if all places are taken, or the person does not own the device.
///
/// The ownership must be locked first (`LockOwnership`), so that two commands cannot take one place.
package struct AddDeviceInvitation: Statement {
    package static let sql = """
        WITH free AS (
            SELECT p.place FROM ownership o, generate_series(1, 20) AS p (place)
            LEFT JOIN device_invitation i ON i.slot = $1 AND i.device_id = $2 AND i.place = p.place
            WHERE o.slot = $1 AND o.device_id = $2 AND o.account_id = $3 AND o.role = 'owner' AND o.unlinked_at IS NULL
                AND (i.place IS NULL OR i.used_at IS NOT NULL OR i.expires_at <= now())
            ORDER BY i.place IS NOT NULL, i.created_at, p.place
            LIMIT 1
        )
        INSERT INTO device_invitation AS i (slot, device_id, place, account_id, token_hash, expires_at, readings)
        SELECT $1, $2, place, $3, $4, now() + $5 * interval '1 us', $6 FROM free
        ON CONFLICT (slot, device_id, place) DO UPDATE SET
            invitation_id = gen_random_uuid(), account_id = excluded.account_id, token_hash = excluded.token_hash,
            created_at = excluded.created_at, expires_at = excluded.expires_at, readings = excluded.readings,
            used_at = NULL, used_by = NULL
        RETURNING \(DeviceInvitation.columns)
        """
    /// The most invitations of one device, used and expired ones included.
    package static let most = 20

    let device: DeviceKey
    let account: Account.ID
    let tokenHash: [UInt8]
    let lifetime: Duration
    let readings: DeviceInvitation.Readings

    /// - Parameter tokenHash: The SHA-256 of the link's token.
    package init(
        device: DeviceKey, account: Account.ID, tokenHash: [UInt8], lifetime: Duration,
        readings: DeviceInvitation.Readings = .sinceJoining
    ) {
        self.device = device
        self.account = account
        self.tokenHash = tokenHash
        self.lifetime = lifetime
        self.readings = readings
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(account)
        parameters.append(tokenHash)
        parameters.append(lifetime.wholeMicroseconds)
        parameters.append(readings)
    }

    package static func decode(_ row: inout RowReader) throws -> DeviceInvitation { try DeviceInvitation(&row) }
}

/// An owner's invitations to a device, newest first.
package struct ListDeviceInvitations: Statement {
    package static let sql = """
        SELECT \(DeviceInvitation.columns) FROM device_invitation i
        WHERE i.slot = $1 AND i.device_id = $2 AND i.account_id = $3
        ORDER BY i.created_at DESC, i.place
        """
    let device: DeviceKey
    let account: Account.ID

    package init(of device: DeviceKey, by account: Account.ID) {
        self.device = device
        self.account = account
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(account)
    }

    package static func decode(_ row: inout RowReader) throws -> DeviceInvitation { try DeviceInvitation(&row) }
}

/// Takes an invitation back; people who have joined by it stay. Affects no row if the person has made no such
/// invitation.
package struct RevokeDeviceInvitation: Statement {
    package static let sql = """
        DELETE FROM device_invitation
        WHERE slot = $1 AND device_id = $2 AND account_id = $3 AND invitation_id = $4
        """
    let device: DeviceKey
    let account: Account.ID
    let invitation: DeviceInvitation.ID

    package init(_ invitation: DeviceInvitation.ID, of device: DeviceKey, by account: Account.ID) {
        self.device = device
        self.account = account
        self.invitation = invitation
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(account)
        parameters.append(invitation)
    }
}

/// Makes a person a watcher of a device by an invitation. They get their own former settings if they had the device
/// before, otherwise the owner's present ones.
package struct JoinDevice: Statement {
    package static let sql = """
        SELECT outcome, joined_slot, joined_device FROM join_device($1, $2, $3, $4, $5, $6, $7, $8, $9)
        """

    package enum Outcome: String, CaseIterable, Sendable {
        case joined
        /// The invitation does not exist, or its device has changed hands.
        case unknown
        case used, expired
        /// The person owns the device.
        case own
        /// The person watches the device already.
        case watching
        /// The device has `most` watchers.
        case full
    }

    package struct Row: Sendable {
        package var outcome: Outcome
        /// The invitation's device, if there is one.
        package var device: DeviceKey?
    }

    /// The most watchers of one device.
    package static let most = 20

    let tokenHash: [UInt8]
    let account: Account.ID
    let name: String?
    let defaults: [LinkDevice.Default]

    /// - Parameters:
    ///   - tokenHash: The SHA-256 of the link's token.
    ///   - name: The person's own name for the device; `nil` for the owner's.
    ///   - defaults: The settings of parameters that neither of them has set.
    package init(
        tokenHash: [UInt8], account: Account.ID, name: String? = nil, defaults: [LinkDevice.Default] = .ofManual
    ) {
        self.tokenHash = tokenHash
        self.account = account
        self.name = name
        self.defaults = defaults
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(tokenHash)
        parameters.append(account)
        parameters.append(name)
        parameters.append(defaults)
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        let outcome: Outcome = try row.read()
        let (slot, device): (Slot?, Device.ID?) = try (row.read(), row.read())
        return Row(
            outcome: outcome,
            device: slot.flatMap { slot in device.map { DeviceKey(slot: slot, device: $0) } })
    }
}

/// Ends a person's watching of a device, because they leave or the owner removes them. The row is false if they do not
/// watch it.
///
/// A transaction that takes further locks locks the slot first (`LockSlot`), as engines do.
package struct EndWatching: Statement {
    package static let sql = "SELECT end_watching($1, $2, $3)"
    let device: DeviceKey
    let account: Account.ID

    package init(device: DeviceKey, account: Account.ID) {
        self.device = device
        self.account = account
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(account)
    }

    package static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// The content of an invitation; no row if there is none, or its device has changed hands.
package struct LookAtInvitation: Statement {
    package static let sql = "SELECT device_name, expires_at, state FROM look_at_invitation($1)"

    package struct Row: Sendable {
        /// The owner's name for the device.
        package var deviceName: String
        package var expiresAt: Timestamp
        package var state: DeviceInvitation.State
    }

    let tokenHash: [UInt8]
    package init(tokenHash: [UInt8]) { self.tokenHash = tokenHash }
    package func bind(_ parameters: inout Parameters) { parameters.append(tokenHash) }
    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(deviceName: row.read(), expiresAt: row.read(), state: row.read())
    }
}

/// The watchers of a device of the transaction's person, in the order of their joining. No rows if the person does not
/// own it.
package struct ListWatchers: Statement {
    package static let sql = """
        SELECT ownership_id, account_id, name, linked_at FROM person_watcher
        WHERE slot = $1 AND device_id = $2
        ORDER BY linked_at, ownership_id
        """

    package struct Row: Sendable {
        /// The number of the watcher's ownership, by which the owner refers to them.
        package var ownership: Int64
        package var account: Account.ID
        /// As others see them.
        package var name: String
        package var joinedAt: Timestamp
    }

    let device: DeviceKey
    package init(of device: DeviceKey) { self.device = device }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(ownership: row.read(), account: row.read(), name: row.read(), joinedAt: row.read())
    }
}
