import Store
import WaterQuality

/// What an engine remembers of a device that somebody owns: enough to see that a reading changes nothing.
struct WatchedDevice: Sendable {
    var account: Account.ID
    /// Until when the device was somebody else's; readings of that time are not for this owner.
    var ownedFrom: Timestamp?
    /// The person's own throttle interval, if they set one.
    var throttle: Duration?
    private var ranges = InlineArray<9, SafeRange?>(repeating: nil)
    /// Up to where the device was evaluated.
    var watermark = Watermark()
    /// The parameters with an open episode, a bit each (`Parameter.bit`).
    var openEpisodes: UInt16 = 0

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

    /// Whether these readings could change more than the watermark: one is out of range, or an episode is open.
    func isConcerned(by readings: Readings) -> Bool {
        if openEpisodes != 0 { return true }
        for parameter in Parameter.allCases {
            guard let value = readings[parameter], let range = ranges[Int(parameter.rawValue)] else { continue }
            if !range.contains(parameter.steps(of: value)) { return true }
        }
        return false
    }

    /// Moves the watermark of each parameter that is present forward to `time`.
    mutating func advance(to time: Timestamp, for readings: Readings) {
        for parameter in Parameter.allCases where readings.present & parameter.bit != 0 {
            if let last = watermark[parameter], last >= time { continue }
            watermark[parameter] = time
        }
    }
}
