import Instants
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
    mutating func concern(_ readings: Readings) -> Account.ID? {
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

    /// Hands the device over to decide these readings, if they are its person's, and moves the watermark behind them.
    /// - Parameters:
    ///   - lag: The device's own.
    ///   - latest: What a mark can rightly bear (`EventTime.latest`).
    mutating func withReadings(
        of message: EvaluationBatch.Message, lag: Duration, latest: Timestamp, _ decide: (inout WatchedDevice) -> Void
    ) {
        if let ownedFrom, (lag == .zero ? message.time : message.time + lag) < ownedFrom { return }
        decide(&self)
        watermark.advance(to: message.time, for: message.readings, latest: latest)
    }
}
