import People
import Postgres
import Routes
import Store
import WaterQuality

/// Inputs of all routes that are about a device.
enum DeviceInputs {
    static let device = Input.path("device", .hardwareID, "The id of the device.")
}

extension Format where Value == Device.HardwareID {
    static let hardwareID = Format.reading(
        "device id", example: "pond-1", count: 1...Device.HardwareID.longest, pattern: "^[A-Za-z0-9_-]+$"
    ) { text throws(Fault) in
        guard let id = Device.HardwareID(text) else { throw .pattern }
        return id
    }
}

extension Format where Value == Int64 {
    /// The id of somebody's part in a device: of a watcher, or of its owner.
    static let ownershipID = Format.reading("person id", example: "42", count: 1...19, pattern: "^[0-9]+$") {
        text throws(Fault) in
        guard let id = Int64(text), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { throw .pattern }
        return id
    }
}

extension Format where Value == DeviceName {
    static let deviceName = Format.reading(
        "device name", example: "Garden pond", count: 1...DeviceName.longest
    ) { text throws(Fault) in
        guard let name = DeviceName(text) else { throw .oneLine }
        return name
    }
}

extension PersonDevice {
    var isSite: Bool { kind == .known(.site) }

    /// - Throws: `Problem(.notForSites)`, where probes, a key or a display are meant.
    func requireDevice() throws(Problem) {
        if isSite { throw Problem(.notForSites) }
    }
}

extension PostgresTransaction {
    /// A device that the person has now.
    /// - Throws: `Problem(.notFound)`, for an unknown device as for one that is not theirs.
    func personDevice(_ id: Device.HardwareID) throws -> PersonDevice {
        guard let device = try execute(FindPersonDevice(id)).first else { throw Problem(.notFound) }
        return device
    }

    /// The person's part in a device, locked until the end of the transaction.
    /// - Throws: `Problem(.notFound)`, for an unknown device as for one that is not theirs.
    func lockDevice(_ id: Device.HardwareID, of account: Account.ID) throws -> LockOwnership.Row {
        guard let owned = try execute(LockOwnership(id, of: account)).first else { throw Problem(.notFound) }
        return owned
    }

    /// A device that the person owns.
    /// - Throws: `Problem(.notFound)` when they do not have it, `Problem(.ownerOnly)` when they watch it.
    func ownDevice(_ id: Device.HardwareID) throws -> DeviceKey {
        let device = try personDevice(id)
        guard device.role == .known(.owner) else { throw Problem(.ownerOnly) }
        return device.key
    }

    /// A device that the person owns, and that stays theirs until the end of the transaction.
    func lockOwnDevice(_ id: Device.HardwareID, of account: Account.ID) throws -> DeviceKey {
        let owned = try lockDevice(id, of: account)
        guard owned.role == .owner else { throw Problem(.ownerOnly) }
        return owned.device
    }
}
