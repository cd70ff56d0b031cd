package import Postgres
package import WaterQuality

/// Makes a person the owner of a device, with the default settings of every parameter.
package struct LinkDevice: Statement {
    package static let sql = """
        WITH linked AS (
            INSERT INTO ownership (slot, device_id, account_id, name, linked_at)
            -- never before the end of the last ownership: now() is the start of a transaction that may have waited
            SELECT $1, $2, $3, $4, greatest(now(), max(unlinked_at)) FROM ownership WHERE slot = $1 AND device_id = $2
            RETURNING linked_at
        )
        INSERT INTO setting (
            slot, device_id, account_id, parameter, version, unit, minimum, maximum, colour, position, valid_from)
        SELECT $1, $2, $3, n.parameter, coalesce(
                -- a device that this person owned before keeps its history of settings
                (SELECT max(version) FROM setting s WHERE s.slot = $1 AND s.device_id = $2 AND s.account_id = $3
                    AND s.parameter = n.parameter), 0) + 1,
            n.unit, n.minimum, n.maximum, n.colour, n.position, linked.linked_at
        FROM linked, unnest($5::smallint[], $6::text[], $7::integer[], $8::integer[], $9::text[], $10::smallint[])
            AS n (parameter, unit, minimum, maximum, colour, position)
        """

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
        parameters.append(defaults.map(\.parameter))
        parameters.append(defaults.map(\.unit))
        parameters.append(defaults.map(\.minimum))
        parameters.append(defaults.map(\.maximum))
        parameters.append(defaults.map(\.colour))
        parameters.append(defaults.map(\.position))
    }
}

/// Waits for the engine that decides in a slot, and keeps all engines out until the end of the transaction.
package struct LockSlot: Statement {
    package static let sql = "UPDATE slot SET state_version = state_version + 1 WHERE slot = $1"
    let slot: Slot
    package init(_ slot: Slot) { self.slot = slot }
    package func bind(_ parameters: inout Parameters) { parameters.append(slot) }
}

/// Finds a device that a person owns and keeps it theirs until the end of the transaction; no row when they do not own
/// it.
package struct LockOwnership: Statement {
    package static let sql = """
        SELECT d.slot, d.device_id, o.name
        FROM device d JOIN ownership o ON o.slot = d.slot AND o.device_id = d.device_id
        WHERE d.slot = $1 AND d.hardware_id = $2 AND o.account_id = $3 AND o.unlinked_at IS NULL
        FOR UPDATE OF o
        """

    package struct Row: Sendable {
        package var device: DeviceKey
        /// The person's name for the device.
        package var name: String
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
        try Row(device: DeviceKey(&row), name: row.read())
    }
}

/// Locks the alerts of a device that are on their way, after its slot and before any other of its rows. Notifiers lock
/// in the same order, and then lock throttles.
package struct LockAlertsOfDevice: Statement {
    package static let sql = """
        SELECT alert_id FROM alert
        WHERE slot = $1 AND device_id = $2 AND account_id = $3 AND state IN ('decided', 'sending')
        ORDER BY slot, alert_id
        FOR UPDATE
        """
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

    package static func decode(_ row: inout RowReader) throws -> Int64 { try row.read() }
}

/// Ends a person's ownership of a device. Its episodes close, its pending deliveries are cancelled, and its claim code
/// changes.
///
/// The slot must be locked first (`LockSlot`), so that no decision for the old owner follows, and then the device's
/// alerts (`LockAlertsOfDevice`).
package struct UnlinkDevice: Statement {
    package static let sql = """
        WITH ended AS (
            UPDATE ownership SET unlinked_at = greatest(now(), linked_at)
            WHERE slot = $1 AND device_id = $2 AND account_id = $3 AND unlinked_at IS NULL
        ), settings AS (
            UPDATE setting SET valid_until = greatest(now(), valid_from)
            WHERE slot = $1 AND device_id = $2 AND account_id = $3 AND valid_until IS NULL
        ), closed AS (
            UPDATE episode SET closed_at = greatest(now(), last_at), closed_because = 'unlinked'
            WHERE slot = $1 AND device_id = $2 AND account_id = $3 AND closed_at IS NULL
            RETURNING slot, episode_id, closed_at
        ), explained AS (
            INSERT INTO transition (slot, episode_id, event_time, reason, notification)
            SELECT slot, episode_id, closed_at, 'unlinked', 'none' FROM closed
        ), silenced AS (
            UPDATE episode SET recovery_due_at = NULL
            WHERE slot = $1 AND device_id = $2 AND account_id = $3 AND recovery_due_at IS NOT NULL
        ), throttles AS (
            DELETE FROM throttle WHERE slot = $1 AND device_id = $2 AND account_id = $3
        ), cancelled AS (
            UPDATE alert SET state = 'cancelled'
            WHERE slot = $1 AND device_id = $2 AND account_id = $3 AND state IN ('decided', 'sending')
            RETURNING slot, alert_id
        ), stopped AS (
            UPDATE delivery d SET state = 'cancelled', ended_at = now()
            FROM cancelled c WHERE d.slot = c.slot AND d.alert_id = c.alert_id AND d.state = 'pending'
        )
        UPDATE device SET claim_code_hash = $4, claim_key_id = $5 WHERE slot = $1 AND device_id = $2
        """

    let device: DeviceKey
    let account: Account.ID
    let claimCode: StoredClaimCode

    /// - Parameter claimCode: The code with which the device can be linked next.
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
}
