import Store
import Synchronization
import WaterQuality

/// The memory of all slots, for the body of one transaction at a time.
final class SharedMemory: Sendable {
    let slots = Mutex(EngineMemory())
}

/// An engine's memory of all slots between two claims.
struct EngineMemory: Sendable {
    private var slots = [SlotMemory](repeating: SlotMemory(), count: Int(Slot.count))

    subscript(slot: Slot) -> SlotMemory {
        _read { yield slots[Int(slot.rawValue)] }
        _modify { yield &slots[Int(slot.rawValue)] }
    }

    /// Discards everything after a failed transaction, because its changes to the memory did not happen.
    mutating func forgetAll() { self = EngineMemory() }
}

/// An engine's memory of one slot between two claims.
///
/// It stays valid until another engine decides in the slot, which the slot's row shows (`state_version`). Devices whose
/// rules changed since then are excepted (`rules_version`).
struct SlotMemory: Sendable {
    private(set) var stateVersion: Int64 = -1
    private(set) var rulesVersion: Int64 = -1
    private var devices: [Device.ID: Remembered] = [:]
    /// The clocks of the slot's devices.
    var clocks = DeviceClocks()

    /// A device that was looked up.
    struct Remembered: Sendable {
        /// The device's state; `nil` when the device has no owner.
        var watched: WatchedDevice?
    }

    /// How much of the memory holds, and what must be read before the claim can be decided.
    enum Validity: Equatable {
        case valid
        /// Nothing is remembered: another engine decided here, or this one never did.
        case forgotten
        /// The devices whose rules changed after this version must be forgotten.
        case rulesChanged(since: Int64)
    }

    /// Compares the memory with a claimed slot and forgets everything that no longer holds.
    mutating func validate(stateVersion: Int64, rulesVersion: Int64) -> Validity {
        defer {
            self.stateVersion = stateVersion
            self.rulesVersion = rulesVersion
        }
        guard stateVersion == self.stateVersion else {
            devices.removeAll(keepingCapacity: true)
            return .forgotten
        }
        return rulesVersion == self.rulesVersion ? .valid : .rulesChanged(since: self.rulesVersion)
    }

    /// Counts a committed decision of this engine.
    mutating func countDecision() { stateVersion += 1 }

    mutating func forget(_ device: Device.ID) { devices[device] = nil }

    /// - Parameter watched: The device's state; `nil` when the device has no owner.
    mutating func remember(_ device: Device.ID, _ watched: WatchedDevice?) {
        devices[device] = Remembered(watched: watched)
    }

    /// The memory of a device; `nil` when the device is not remembered.
    func device(_ device: Device.ID) -> Remembered? { devices[device] }

    var deviceCount: Int { devices.count }
}
