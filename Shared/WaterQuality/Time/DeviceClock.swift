package import Instants

/// The state of a device's clock, as far as the times of receipt of its messages prove it.
///
/// Firmware that sends its local time as UTC is hours behind and otherwise works, yet all its readings look old. Such a
/// clock shows as a constant lag (receipt less event time) of messages that come at live pace. A backlog sent at once
/// has a lag that falls from message to message, so old readings are never mistaken for a slow clock. A backlog sent at
/// the pace of its measurement cannot be told from a slow clock; it is the newest knowledge of that water in either
/// case.
///
/// A clock that is set back shows soon, because the device has sent a later time before. Its lag is assumed from the
/// second message at live pace, or from the first after a rest, so that the water is watched while nothing is proven
/// yet. The assumption is dropped if the next messages contradict it. A straggler among live readings is no step.
package struct DeviceClock: Hashable, Sendable {
    /// The deviation up to which a clock counts as right; in seconds like the constants below, because every message is
    /// compared with it.
    private static let tolerance: Int64 = 120
    /// The spread within which a lag counts as level.
    private static let levelWithin: Int64 = 60
    /// The time for which a lag must be level to be proven.
    private static let provenAfter: Int64 = 300
    /// The number of messages over which a lag must be level to be proven.
    private static let provenBy: UInt8 = 3
    /// The time for which messages must come late, without a proof, to put the clock in doubt.
    private static let doubtfulAfter: Int64 = 60
    /// The least distance of two messages that show live pace; closer ones may be a backlog.
    private static let livePace: Int64 = 5
    /// The tolerance for two messages at live pace; a fifth of the time between them is allowed as well.
    private static let jitter: Int64 = 2
    /// The time without a message after which a message counts as live: a device with a backlog would be heard more
    /// often.
    private static let rest: Int64 = 300
    /// The time for which no step is assumed after a refuted one.
    private static let cautiousFor: Int64 = 3_600
    /// The greatest lead of the newest accepted device time over the receipt, including a minute between server clocks.
    private static let mostAhead: Int64 = 360

    /// A finding about a clock.
    package enum Finding: Hashable, Sendable {
        /// The clock is right within the tolerance.
        case right
        /// The clock is behind by this much; ahead if negative.
        case off(Duration)
        /// The clock was set back and is behind by this much, judged by the first messages.
        case stepped(Duration)
        /// Readings come late, and it is not proven whether the clock is wrong or the readings are old.
        case unproven
    }

    // Whole seconds keep this small: one value exists for each device whose clock may be wrong.
    private var proven: Int32?
    private var assumed: Int32?
    /// The first message of a sequence that goes back in time.
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

    /// The times in seconds since 1970.
    private struct Message: Hashable, Sendable {
        var time: Int64
        var receipt: Int64
    }

    package init() {}

    /// A clock whose lag was proven before.
    package init(lag: Duration) { prove(lag) }

    /// The duration to subtract from the age of the device's readings: the assumed lag after a step, otherwise the
    /// proven one, otherwise zero.
    package var lag: Duration { .seconds(Int64(assumed ?? proven ?? 0)) }

    /// Whether the times fit a right clock and a prompt message.
    package static func isRight(at time: Timestamp, receivedAt: Timestamp) -> Bool {
        abs(Int64(lag(time, receivedAt))) <= tolerance
    }

    /// Learns from a message with a device time.
    /// - Parameters:
    ///   - newest: The latest time that the device has sent before; `nil` to detect no step.
    ///   - heardAt: The receipt of an earlier message, if one is known that this clock may not remember.
    /// - Returns: Whether the clock seems to have been set back since then.
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

    /// Whether the clock was set back, rather than the message delayed: the message is the first for a long time, or
    /// its distance from the previous one is the same in measured and in received time.
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
        // Without a remembered message the clock counts as right, or off by the proven lag.
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

    /// Follows a falling lag. A message is received after it was measured, so a lag below the proven one proves that
    /// the clock has changed.
    private mutating func follow(_ lag: Int32) {
        guard let proven, lag < proven else { return }
        // A small step is drift. A large one means that the clock was set forward, and nothing is known until a new
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

    /// Takes a lag that was proven elsewhere; `nil` revokes the proof.
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
