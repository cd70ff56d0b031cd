import Store
import WaterQuality

/// What an engine remembers of one slot between two claims.
///
/// It holds as long as nobody else decided in the slot, which the slot's own row says (`state_version`), except for
/// devices whose rules changed since (`rules_version`). A device that was looked up and has no owner is kept as nil.
struct SlotMemory: Sendable {
    private(set) var stateVersion: Int64 = -1
    private(set) var rulesVersion: Int64 = -1
    /// Where each device stands in `devices`.
    private var places: [Device.ID: Int] = [:]
    private var devices: [WatchedDevice?] = []
    private var vacant: [Int] = []
    /// What is known of the clocks of its devices.
    var clocks = DeviceClocks()

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
            forgetDevices()
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
        forgetDevices()
        clocks = DeviceClocks()
        stateVersion = -1
    }

    private mutating func forgetDevices() {
        places.removeAll(keepingCapacity: true)
        devices.removeAll(keepingCapacity: true)
        vacant.removeAll(keepingCapacity: true)
    }

    mutating func forget(_ device: Device.ID) {
        guard let place = places.removeValue(forKey: device) else { return }
        devices[place] = nil
        vacant.append(place)
    }

    /// Remembers a device; nil: nobody owns it.
    /// - Returns: Its place.
    @discardableResult
    mutating func remember(_ device: Device.ID, _ watched: WatchedDevice?) -> Int {
        let place = places[device] ?? vacant.popLast() ?? devices.count
        if place == devices.count { devices.append(watched) } else { devices[place] = watched }
        places[device] = place
        return place
    }

    /// Where a device stands until something is forgotten; nil when it is not remembered.
    func place(of device: Device.ID) -> Int? { places[device] }

    /// A remembered device in place; nil when nobody owns it.
    subscript(place: Int) -> WatchedDevice? {
        _read { yield devices[place] }
        _modify { yield &devices[place] }
    }

    var deviceCount: Int { places.count }
}
