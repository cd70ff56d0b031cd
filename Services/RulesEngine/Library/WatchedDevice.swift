import Instants
import Store
import WaterQuality

/// What an engine remembers of a device that somebody owns: enough to see that a reading changes nothing.
///
/// An object, so that the messages of a claim hold it and need not look for it again.
///
/// `@unchecked Sendable`: it is reached only through the one `EngineMemory` that it belongs to, by whoever holds its lock.
final class WatchedDevice: @unchecked Sendable {
    let account: Account.ID
    /// Until when the device was somebody else's; readings of that time are not for this owner.
    private let ownedFrom: Timestamp?
    /// The person's own throttle interval, if they set one.
    let throttle: Duration?
    private var ranges = InlineArray<9, SafeRange?>(repeating: nil)
    /// Up to where the device was evaluated.
    var watermark = Watermark()
    /// The parameters with an open episode, a bit each (`Parameter.bit`).
    var openEpisodes: UInt16 = 0
    /// Whether a reading of the claim that is being decided may change something.
    var isConcerned = false

    init(account: Account.ID, ownedFrom: Timestamp? = nil, throttle: Duration?) {
        self.account = account
        self.ownedFrom = ownedFrom
        self.throttle = throttle
    }

    /// The person's range of a parameter; nil when no limit is set.
    subscript(range parameter: Parameter) -> SafeRange? {
        get { ranges[Int(parameter.rawValue)] }
        set { ranges[Int(parameter.rawValue)] = newValue }
    }

    /// Marks the device when these readings could change more than the watermark: one is out of range, or an episode
    /// is open.
    /// - Returns: Its person, the first time.
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

    /// Whether a message is of the time in which the device is its person's.
    /// - Parameter lag: The device's own.
    func isTheirs(at time: Timestamp, lag: Duration) -> Bool {
        guard let ownedFrom else { return true }
        return (lag == .zero ? time : time + lag) >= ownedFrom
    }

    /// Notes whether a parameter has an open episode.
    func setOpen(_ isOpen: Bool, _ parameter: Parameter) {
        if isOpen { openEpisodes |= parameter.bit } else { openEpisodes &= ~parameter.bit }
    }
}
