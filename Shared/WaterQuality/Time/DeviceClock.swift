package import Instants

/// The state of a device's clock, as far as the receipts of its messages prove it.
///
/// Firmware that prints its local time as UTC is hours behind and otherwise well, yet everything that it sends looks
/// old. Such a clock shows as a constant lag (receipt less event time) of messages that come at live pace. A backlog
/// sent at once has a lag that falls from message to message, so old readings are never mistaken for a slow clock. A
/// backlog sent at the pace of its measurement cannot be told from a slow clock, and is the newest knowledge of that
/// water either way.
///
/// A clock that is put back shows soon: the device has sent a later time before. Its lag is assumed from the second message on
/// that comes at live pace, and from the first after a rest, so that the water is told of while nothing is proven; the assumption
/// is given up when the next messages do not bear it out. A straggler beside live readings is no step.
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
    /// How far apart two messages have to be to tell live pace. What comes sooner may be one of many that waited.
    private static let livePace: Int64 = 5
    /// By how much two messages at live pace may differ, or by a fifth of what lies between them.
    private static let jitter: Int64 = 2
    /// After so long without a message one is live: a device that sends others in between is heard more often.
    private static let rest: Int64 = 300
    /// How long no step is assumed after one that was none.
    private static let cautiousFor: Int64 = 3_600
    /// How far ahead of the receipt a later time may lie that was rightly believed, a minute between our own clocks included.
    private static let mostAhead: Int64 = 360

    /// A finding about a clock.
    package enum Finding: Hashable, Sendable {
        /// The clock is right within the tolerance.
        case right
        /// The clock is behind by this much; ahead when negative.
        case off(Duration)
        /// The clock was put back and is behind by this much, as far as the first messages tell.
        case stepped(Duration)
        /// Readings come late, and it is not proven whether the clock is wrong or the readings are old.
        case unproven
    }

    // Whole seconds keep this small: there is one for each device whose clock may be wrong.
    private var proven: Int32?
    private var assumed: Int32?
    /// The first of some messages that go back in time.
    private var early: Message?
    /// The receipt of the message that refuted a step.
    private var refutedAt: Int64?
    private var lowest: Int32 = 0
    private var highest: Int32 = 0
    private var messages: UInt8 = 0
    /// The receipt of the first message with a level lag.
    private var levelSince: Int64 = 0
    private var lastReceipt: Int64 = 0
    /// The receipt of the first late message without a proof.
    private var lateSince: Int64?

    /// In seconds since 1970.
    private struct Message: Hashable, Sendable {
        var time: Int64
        var receipt: Int64
    }

    package init() {}

    /// A clock whose lag was proven before.
    package init(lag: Duration) { prove(lag) }

    /// The duration to subtract from the age of the device's readings; zero until it is proven, or assumed after a step.
    package var lag: Duration { .seconds(Int64(assumed ?? proven ?? 0)) }

    /// Whether a message received at this time fits a right clock and a prompt message.
    package static func isRight(at time: Timestamp, receivedAt: Timestamp) -> Bool {
        abs(Int64(lag(time, receivedAt))) <= tolerance
    }

    /// Learns from a message that carries a device time.
    /// - Parameters:
    ///   - newest: The latest time that the device has sent before; `nil` where nothing is to be made of it.
    ///   - heardAt: A receipt of one of its messages, where one is known that this clock may not remember.
    /// - Returns: Whether the clock was put back since then, as it seems.
    @discardableResult
    package mutating func observe(
        _ time: Timestamp, receivedAt: Timestamp, newest: Timestamp? = nil, heardAt: Timestamp? = nil
    ) -> Bool {
        let lag = Self.lag(time, receivedAt)
        let receipt = receivedAt.microseconds / 1_000_000
        let isStep = newest.map { goesBack(to: time, after: $0, heardAt, lag, receipt) } ?? false
        follow(lag)
        let (low, high) = (min(lowest, lag), max(highest, lag))
        if messages > 0, Int64(high) - Int64(low) <= Self.levelWithin, receipt >= lastReceipt {
            (lowest, highest) = (low, high)
            messages = min(messages + 1, Self.provenBy)
            if assumed != nil || isStep { assumed = lowest }
        } else {
            (lowest, highest, messages, levelSince) = (lag, lag, 1, receipt)
            if assumed != nil, !isStep { refutedAt = receipt }
            assumed = isStep ? lag : nil
        }
        lastReceipt = receipt
        let isLevelLong = receipt - levelSince >= Self.provenAfter
        if messages >= Self.provenBy, isLevelLong { (proven, assumed) = (lowest, nil) }
        noteLateness(lag, receipt)
        return isStep
    }

    /// Whether the clock was put back, rather than that the message has waited: it is the first for long, or comes as long after another
    /// as it was measured after it.
    private mutating func goesBack(
        to time: Timestamp, after newest: Timestamp, _ heardAt: Timestamp?, _ lag: Int32, _ receipt: Int64
    ) -> Bool {
        let (seconds, latest) = (time.microseconds / 1_000_000, newest.microseconds / 1_000_000)
        guard lag > Self.tolerance, latest > seconds, latest <= receipt + Self.mostAhead,
            abs(Int64(lag) - Int64(assumed ?? proven ?? 0)) > Self.levelWithin
        else {
            early = nil
            return false
        }
        if let refutedAt, receipt >= refutedAt, receipt - refutedAt < Self.cautiousFor { return false }
        // Where no message is remembered the clock was right, or off by what is proven.
        let remembered = messages > 0 ? lastReceipt : latest + Int64(proven ?? 0)
        let last = max(remembered, heardAt.map { $0.microseconds / 1_000_000 } ?? remembered)
        if receipt - last >= Self.rest { return true }
        let measured = seconds - (early?.time ?? seconds)
        let received = receipt - (early?.receipt ?? receipt)
        if early != nil, received < Self.livePace { return false }
        if early != nil, abs(measured - received) <= max(Self.jitter, received / 5) { return true }
        early = Message(time: seconds, receipt: receipt)
        return false
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
        if let assumed { return .stepped(.seconds(Int64(assumed))) }
        if let proven {
            return abs(Int64(proven)) <= Self.tolerance ? .right : .off(lag)
        }
        guard let lateSince, lastReceipt - lateSince >= Self.doubtfulAfter else { return nil }
        return .unproven
    }

    /// Takes over a lag that was proven elsewhere; `nil` revokes the proof.
    package mutating func prove(_ lag: Duration?) {
        proven = lag.map { Int32(clamping: $0.components.seconds) }
        assumed = nil
        if proven != nil { lateSince = nil }
    }

    private static func lag(_ time: Timestamp, _ receivedAt: Timestamp) -> Int32 {
        let microseconds = receivedAt.microseconds.subtractingReportingOverflow(time.microseconds)
        guard !microseconds.overflow else { return receivedAt < time ? Int32.min : Int32.max }
        return Int32(clamping: microseconds.partialValue / 1_000_000)
    }
}
