package import Instants

/// What the receipts of a device's messages prove of its clock.
///
/// Firmware that prints its local time as UTC is hours behind and otherwise well: all that it sends looks old. Such a clock
/// shows as a constant lag (receipt less event time) of messages that come at live pace. The lag of a backlog that is sent
/// at once falls from message to message, so that old readings are never taken for a slow clock; sent at the pace at which
/// it was measured it cannot be told from one, and is the newest that is known of that water either way.
package struct DeviceClock: Hashable, Sendable {
    /// A clock that is off by no more counts as right.
    /// Seconds, like what follows: each message is compared with it.
    private static let tolerance: Int64 = 120
    /// Within this the lag is level ...
    private static let levelWithin: Int64 = 60
    /// ... and is proven when it was level for so long ...
    private static let provenAfter: Int64 = 300
    /// ... over so many messages.
    private static let provenBy: UInt8 = 3
    /// A device whose messages come late for so long, without a proof, is one whose clock is in doubt.
    private static let doubtfulAfter: Int64 = 60

    /// What there is to tell of a clock.
    package enum Finding: Hashable, Sendable {
        /// Right within the tolerance.
        case right
        /// Behind by this; negative: ahead.
        case off(Duration)
        /// Readings come late, and nothing proves yet whether the clock is wrong or they are old.
        case unproven
    }

    // All in whole seconds: there is one for each device whose clock may be wrong.
    private var proven: Int32?
    private var lowest: Int32 = 0
    private var highest: Int32 = 0
    private var messages: UInt8 = 0
    /// Receipt of the first message of those whose lag is level.
    private var levelSince: Int64 = 0
    private var lastReceipt: Int64 = 0
    /// Receipt of the first of the late messages without a proof.
    private var lateSince: Int64?

    package init() {}

    /// A clock whose lag was proven before.
    package init(lag: Duration) { prove(lag) }

    /// What to subtract from the age of the device's readings: zero until it is proven.
    package var lag: Duration { .seconds(Int64(proven ?? 0)) }

    /// Whether a message that was received then fits a right clock and a prompt message.
    package static func isRight(at time: Timestamp, receivedAt: Timestamp) -> Bool {
        abs(Int64(lag(time, receivedAt))) <= tolerance
    }

    /// Learns from a message with a time of the device.
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

    /// A message is received after it was measured: a lag below the proven one is proof that the clock has changed.
    private mutating func follow(_ lag: Int32) {
        guard let proven, lag < proven else { return }
        // Little by little it drifts. At once it was put forward, and nothing is known until it is proven anew.
        let isDrift = Int64(proven) - Int64(lag) <= Self.levelWithin
        self.proven = isDrift ? lag : nil
    }

    private mutating func noteLateness(_ lag: Int32, _ receipt: Int64) {
        let isLate = proven == nil && abs(Int64(lag)) > Self.tolerance
        lateSince = isLate ? min(lateSince ?? receipt, receipt) : nil
    }

    /// Nil: nothing is known yet.
    package var finding: Finding? {
        if let proven {
            return abs(Int64(proven)) <= Self.tolerance ? .right : .off(lag)
        }
        guard let lateSince, lastReceipt - lateSince >= Self.doubtfulAfter else { return nil }
        return .unproven
    }

    /// Takes over what was proven elsewhere; nil: the proof there was does not hold any more.
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
