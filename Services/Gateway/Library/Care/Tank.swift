import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

/// A tank, by the key of its rows: what an owner has a device in, from linking to unlinking.
struct TankKey: Hashable, Sendable {
    var slot: Slot
    /// The number of the owner's ownership.
    var tank: Int64

    /// The table `k`: the tank that the person has or had the device `$2` of the slot `$1` in last.
    static let lastOfDevice = """
        (SELECT t.slot, t.tank_id, t.device_id FROM person_tank t WHERE t.slot = $1 AND t.device_id = $2 ORDER BY t.linked_at DESC LIMIT 1) k
        """
}

extension Parameters {
    /// The slot and the tank.
    mutating func append(_ key: TankKey) {
        append(key.slot)
        append(key.tank)
    }
}

/// A tank that the person shares now.
struct Tank: Sendable {
    var key: TankKey
    var device: Device.ID
    var hardwareID: Device.HardwareID
    var isOwners: Bool

    /// Requires that the person may change or remove what somebody has written: who wrote it, and the owner.
    /// - Parameter isTheirs: Whether the person wrote it.
    func requireRight(isTheirs: Bool) throws(Problem) {
        guard isOwners || isTheirs else { throw Problem(.ownerOnly) }
    }
}

/// Finds the tank in which a device is now, of those that the person shares.
struct FindTank: Statement {
    static let sql = """
        SELECT t.slot, t.tank_id, t.device_id, t.role = 'owner'
        FROM person_tank t JOIN device d ON d.slot = t.slot AND d.device_id = t.device_id
        WHERE d.slot = $1 AND d.hardware_id = $2 AND t.unlinked_at IS NULL
        """

    struct Row: Sendable {
        var key: TankKey
        var device: Device.ID
        var isOwners: Bool
    }

    let hardwareID: Device.HardwareID
    init(of hardwareID: Device.HardwareID) { self.hardwareID = hardwareID }

    func bind(_ parameters: inout Parameters) {
        parameters.append(Slot(of: hardwareID))
        parameters.append(hardwareID.text)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(key: TankKey(slot: row.read(), tank: row.read()), device: row.read(), isOwners: row.read())
    }
}

extension PostgresTransaction {
    /// The tank in which a device of the person's is now.
    /// - Throws: `Problem(.notFound)`, for an unknown device as for one that is not theirs.
    func tank(of device: Device.HardwareID) throws -> Tank {
        guard let row = try execute(FindTank(of: device)).first else { throw Problem(.notFound) }
        return Tank(key: row.key, device: row.device, hardwareID: device, isOwners: row.isOwners)
    }
}
