package import Instants

/// The state of a device's clock, as far as the receipts of its messages prove it.
///
/// Firmware that prints its local time as UTC is hours behind and otherwise well, yet everything that it sends looks
/// old. Such a clock shows as a constant lag (receipt less event time) of messages that come at live pace. A backlog
/// sent at once has a lag that falls from message to message, so old readings are never mistaken for a slow clock. A
/// backlog sent at the pace of its measurement cannot be told from a slow clock, and is the newest knowledge of that
/// water either way.
package struct DeviceClock: Hashable, Sendable {
    /// A clock that is off by no more than this counts as right. In seconds, like the constants below, because every
    /// message is compared with it.
    private static let tolerance: Int64 = 120
    /// The spread within which a lag is level.
    private static let levelWithin: Int64 = 60
    /// How long a lag must be level to be proven.
    private static let provenAfter: Int64 = 300
    /// The number of messages over which a lag must be level to be proven.
    private static let provenBy: UInt8 = 3
    /// How long messages must come late, without a proof, to put the clock in doubt.
    private static let doubtfulAfter: Int64 = 60

    /// A finding about a clock.
    package enum Finding: Hashable, Sendable {
        /// The clock is right within the tolerance.
        case right
        /// The clock is behind by this much; ahead when negative.
        case off(Duration)
        /// Readings come late, and it is not proven whether the clock is wrong or the readings are old.
        case unproven
    }

    // Whole seconds keep this small: there is one for each device whose clock may be wrong.
    private var proven: Int32?
    private var lowest: Int32 = 0
    private var highest: Int32 = 0
    private var messages: UInt8 = 0
    /// The receipt of the first message with a level lag.
    private var levelSince: Int64 = 0
    private var lastReceipt: Int64 = 0
    /// The receipt of the first late message without a proof.
    private var lateSince: Int64?

    package init() {}

    /// A clock whose lag was proven before.
    package init(lag: Duration) { prove(lag) }

    /// The duration to subtract from the age of the device's readings; zero until it is proven.
    package var lag: Duration { .seconds(Int64(proven ?? 0)) }

    /// Whether a message received at this time fits a right clock and a prompt message.
    package static func isRight(at time: Timestamp, receivedAt: Timestamp) -> Bool {
        abs(Int64(lag(time, receivedAt))) <= tolerance
    }

    /// Learns from a message that carries a device time.
    package mutating func observe(_ time: Timestamp, receivedAt: Timestamp) {
        let lag = Self.lag(time, receivedAt)
        let receipt = receivedAt.microseconds / 1_000_000
        follow(lag)
        let (low, high) = (min(lowest, lag), max(highest, lag))
        if messages > 0, Int64(high) - Int64(low) <= Self.levelWithin, receipt >= lastReceipt {
            (lowest, highest) = (low, high)
            messages = min(messages + 1, Self.provenBy)
        } else {
            (lowest, highest, messages, levelSince) = (lag, lag, 1, receipt)
        }
        lastReceipt = receipt
        let isLevelLong = receipt - levelSince >= Self.provenAfter
        if messages >= Self.provenBy, isLevelLong { proven = lowest }
        noteLateness(lag, receipt)
    }

    /// Follows a lag that falls. A message is received after it was measured, so a lag below the proven one proves that
    /// the clock has changed.
    private mutating func follow(_ lag: Int32) {
        guard let proven, lag < proven else { return }
        // A small step is drift. A large one means that the clock was put forward, and nothing is known until a new
        // proof.
        let isDrift = Int64(proven) - Int64(lag) <= Self.levelWithin
        self.proven = isDrift ? lag : nil
    }

    private mutating func noteLateness(_ lag: Int32, _ receipt: Int64) {
        let isLate = proven == nil && abs(Int64(lag)) > Self.tolerance
        lateSince = isLate ? min(lateSince ?? receipt, receipt) : nil
    }

    /// The finding; `nil` while nothing is known.
    package var finding: Finding? {
        if let proven {
            return abs(Int64(proven)) <= Self.tolerance ? .right : .off(lag)
        }
        guard let lateSince, lastReceipt - lateSince >= Self.doubtfulAfter else { return nil }
        return .unproven
    }

    /// Takes over a lag that was proven elsewhere; `nil` revokes the proof.
    package mutating func prove(_ lag: Duration?) {
        proven = lag.map { Int32(clamping: $0.components.seconds) }
        if proven != nil { lateSince = nil }
    }

    private static func lag(_ time: Timestamp, _ receivedAt: Timestamp) -> Int32 {
        let microseconds = receivedAt.microseconds.subtractingReportingOverflow(time.microseconds)
        guard !microseconds.overflow else { return receivedAt < time ? Int32.min : Int32.max }
        return Int32(clamping: microseconds.partialValue / 1_000_000)
    }
}
