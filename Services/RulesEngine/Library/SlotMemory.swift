import Store
import WaterQuality

/// What an engine remembers of one slot between two claims.
///
/// It holds as long as nobody else decided in the slot, which the slot's own row says (`state_version`), except for
/// devices whose rules changed since (`rules_version`). A device that was looked up and has no owner is kept as nil.
struct SlotMemory: Sendable {
    private(set) var stateVersion: Int64 = -1
    private(set) var rulesVersion: Int64 = -1
    private var devices: [Device.ID: WatchedDevice?] = [:]

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
    mutating func countDecision() {
        stateVersion += 1
    }

    /// After a transaction failed: what was changed in memory did not happen.
    mutating func forgetAll() {
        devices.removeAll(keepingCapacity: true)
        stateVersion = -1
    }

    mutating func forget(_ device: Device.ID) {
        devices[device] = nil
    }

    func knows(_ device: Device.ID) -> Bool {
        devices.index(forKey: device) != nil
    }

    /// A remembered device; nil when nobody owns it or it is not remembered.
    subscript(_ device: Device.ID) -> WatchedDevice? { devices[device] ?? nil }

    /// Remembers a device; nil: nobody owns it.
    mutating func remember(_ device: Device.ID, _ watched: WatchedDevice?) {
        devices.updateValue(watched, forKey: device)
    }

    /// Changes a remembered device in place.
    mutating func withDevice<Result>(_ device: Device.ID, _ body: (inout WatchedDevice) -> Result) -> Result? {
        guard let index = devices.index(forKey: device), devices.values[index] != nil else { return nil }
        return body(&devices.values[index]!)
    }

    var deviceCount: Int { devices.count }
}
