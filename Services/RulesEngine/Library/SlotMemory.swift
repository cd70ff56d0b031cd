import Store
import Synchronization
import WaterQuality

/// The memory of all slots, for the body of one transaction at a time.
final class SharedMemory: Sendable {
    let slots = Mutex(EngineMemory())
}

/// What an engine remembers of all slots between two claims.
struct EngineMemory: Sendable {
    private var slots = [SlotMemory](repeating: SlotMemory(), count: Int(Slot.count))

    subscript(slot: Slot) -> SlotMemory {
        _read { yield slots[Int(slot.rawValue)] }
        _modify { yield &slots[Int(slot.rawValue)] }
    }

    /// After a transaction failed: what was changed in memory did not happen.
    mutating func forgetAll() { self = EngineMemory() }
}

/// What an engine remembers of one slot between two claims.
///
/// It holds as long as nobody else decided in the slot, which the slot's own row says (`state_version`), except for
/// devices whose rules changed since (`rules_version`).
struct SlotMemory: Sendable {
    private(set) var stateVersion: Int64 = -1
    private(set) var rulesVersion: Int64 = -1
    private var devices: [Device.ID: Remembered] = [:]
    /// What is known of the clocks of its devices.
    var clocks = DeviceClocks()

    /// A device that was looked up.
    struct Remembered: Sendable {
        /// nil: nobody owns the device.
        var watched: WatchedDevice?
    }

    /// What has to be read before the claim can be decided.
    enum Validity: Equatable {
        case valid
        /// Everything is forgotten: another engine decided here, or this one never did.
        case forgotten
        /// The devices whose rules changed after this version are to be forgotten.
        case rulesChanged(since: Int64)
    }

    /// Compares what is remembered with a claimed slot, and forgets all that no longer holds.
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

    /// After an own decision was committed.
    mutating func countDecision() { stateVersion += 1 }

    mutating func forget(_ device: Device.ID) { devices[device] = nil }

    /// - Parameter watched: nil: nobody owns it.
    mutating func remember(_ device: Device.ID, _ watched: WatchedDevice?) {
        devices[device] = Remembered(watched: watched)
    }

    /// nil when the device is not remembered.
    func device(_ device: Device.ID) -> Remembered? { devices[device] }

    var deviceCount: Int { devices.count }
}
