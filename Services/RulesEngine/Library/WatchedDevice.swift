import Instants
import Store
import WaterQuality

/// An engine's memory of an owned device: enough to see that a reading changes nothing.
///
/// A class, so that the messages of a claim hold the device and need not look it up again.
///
/// `@unchecked Sendable`: the object is reached only through the one `EngineMemory` that owns it, under that memory's
/// lock.
final class WatchedDevice: @unchecked Sendable {
    let account: Account.ID
    /// The end of the previous ownership, if there was one. Earlier readings are not for this owner.
    private let ownedFrom: Timestamp?
    /// The owner's throttle interval, if they set one.
    let throttle: Duration?
    private var ranges = InlineArray<9, SafeRange?>(repeating: nil)
    /// How far the device was evaluated.
    var watermark = Watermark()
    /// The parameters with an open episode, one bit each (`Parameter.bit`).
    var openEpisodes: UInt16 = 0
    /// Whether a reading of the current claim may change something.
    var isConcerned = false

    init(account: Account.ID, ownedFrom: Timestamp? = nil, throttle: Duration?) {
        self.account = account
        self.ownedFrom = ownedFrom
        self.throttle = throttle
    }

    /// The owner's range for a parameter; `nil` when no limit is set.
    subscript(range parameter: Parameter) -> SafeRange? {
        get { ranges[Int(parameter.rawValue)] }
        set { ranges[Int(parameter.rawValue)] = newValue }
    }

    /// Marks the device if these readings could change more than its watermark: one is out of range, or an episode is
    /// open.
    /// - Returns: The owner, when this call set the mark.
    func concern(_ readings: Readings) -> Account.ID? {
        guard !isConcerned, openEpisodes != 0 || !areInRange(readings) else { return nil }
        isConcerned = true
        return account
    }

    func areInRange(_ readings: Readings) -> Bool {
        for parameter in Parameter.allCases {
            guard let value = readings[parameter], let range = ranges[Int(parameter.rawValue)] else { continue }
            if !range.contains(parameter.steps(of: value)) { return false }
        }
        return true
    }

    /// Whether a message of this time belongs to this owner.
    /// - Parameter lag: The constant lag of the device's clock.
    func isTheirs(at time: Timestamp, lag: Duration) -> Bool {
        guard let ownedFrom else { return true }
        return (lag == .zero ? time : time + lag) >= ownedFrom
    }

    /// Notes whether a parameter has an open episode.
    func setOpen(_ isOpen: Bool, _ parameter: Parameter) {
        if isOpen { openEpisodes |= parameter.bit } else { openEpisodes &= ~parameter.bit }
    }
}
