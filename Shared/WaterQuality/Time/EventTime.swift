package import Instants

/// The clock that an event time comes from. The raw values are stored with each sample.
package enum TimeSource: Int16, Sendable {
    case device = 0
    case receipt = 1
}

/// The best known time at which a reading was taken, and the clock that it comes from.
///
/// Made by judging alone, so that no other time can be stored: from the receipt less the retention to the receipt plus
/// `furthestAhead`.
package struct EventTime: Hashable, Sendable {
    package private(set) var time: Timestamp
    package let source: TimeSource
    /// Whether the message stated another time, which was not believed.
    package let isDoubted: Bool

    /// How far a device's time may lie before the receipt. A device that was offline sends its memory.
    package static let furthestBack = Duration.seconds(7 * 86_400)
    /// How far a device's time may lie after the receipt.
    package static let furthestAhead = Duration.seconds(5 * 60)
    /// 2020-01-01T00:00:00Z. No clock that was ever set says an earlier time, because all firmware here is younger. A
    /// clock that was never set starts at power-on from 1970, 2000 or the day of its build.
    package static let earliestSet = Timestamp(unixSeconds: Int64(1_577_836_800))
    /// `furthestAhead` plus a minute for differences between our own clocks.
    private static let marginMicroseconds: Int64 = 6 * 60 * 1_000_000

    /// The latest time that any earlier mark can rightly carry: now by the device's clock, or the reading's own time
    /// where that is later, plus as much as a clock may be ahead. A later mark was made while our clock, or the
    /// device's, was wrong. It counts for nothing; otherwise a clock that was ahead once would silence people for as
    /// long.
    ///
    /// The reading's own time counts so that a database whose clock is behind does not take everything that devices
    /// send for the future, and forget every throttle.
    /// - Parameter lag: The constant lag of the device's clock.
    package static func latest(before time: Timestamp, now: Timestamp, lag: Duration = .zero) -> Timestamp {
        let present = lag == .zero ? now : now - lag
        let (latest, overflow) = max(present.microseconds, time.microseconds)
            .addingReportingOverflow(marginMicroseconds)
        return Timestamp(microseconds: overflow ? .max : latest)
    }

    fileprivate init(_ time: Timestamp, _ source: TimeSource, isDoubted: Bool = false) {
        self.time = time
        self.source = source
        self.isDoubted = isDoubted
    }

    /// The device's time when it is plausible (both ends included), else the time of receipt. Microcontrollers without
    /// a clock send 1970 or their uptime.
    package init(device: Timestamp?, receipt: Timestamp) {
        if let device, Self.isPlausible(device, receipt: receipt) {
            self.init(device, .device)
        } else {
            self.init(receipt, .receipt, isDoubted: device != nil)
        }
    }

    fileprivate static func isPlausible(_ time: Timestamp, receipt: Timestamp) -> Bool {
        time >= receipt - furthestBack && time <= receipt + furthestAhead
    }

    /// Moves on by the least step, where another reading of the device has this time already. Only a time of receipt may.
    package mutating func yield() {
        precondition(source == .receipt, "a device's own time tells a repetition from a new reading")
        time = time + .microseconds(1)
    }

    /// Moves right behind a reading of the device that came less than a second later, so that times of receipt keep their order.
    package mutating func follow(_ newest: Timestamp) {
        guard newest >= time, newest - time < .seconds(1) else { return }
        time = newest
        yield()
    }
}

/// The treatment of a reading according to the time that its message states.
package enum TimeJudgement: Hashable, Sendable {
    /// The reading is current, at this event time, and is decided.
    case current(EventTime)
    /// The reading was taken long ago by a device that kept it. It belongs to the history and alerts nobody, because
    /// that water is gone.
    case history(EventTime)
    /// The reading is older than the retention of samples, and is not stored.
    case tooOld(Timestamp)

    /// - Parameter history: How far back readings are history, at least `EventTime.furthestBack`; older ones are too
    ///   old. `nil` when our own clock is in doubt: then nothing counts as old on its word, and the receipt stands in.
    ///
    /// The receipt also stands in for a clock that was never set. Such a probe does not send old readings; it has not
    /// heard the time yet, and must alarm all the same. An age is no other: who takes a sample before the time is known
    /// and states it as the sample's time less the present one says that it is decades old.
    package init(_ stated: StatedTime, receipt: Timestamp, history: Duration?) {
        let (time, source): (Timestamp, TimeSource)
        switch stated {
        case .receipt:
            self = .current(EventTime(receipt, .receipt))
            return
        case .at(let device): (time, source) = (device, .device)
        case .ago(let age): (time, source) = (receipt - max(age, .zero), .receipt)
        case .unreadable: (time, source) = (.distantPast, .receipt)
        }
        if EventTime.isPlausible(time, receipt: receipt) {
            self = .current(EventTime(time, source))
        } else if let history, time < receipt, time >= EventTime.earliestSet {
            self =
                time >= receipt - max(history, EventTime.furthestBack)
                ? .history(EventTime(time, source)) : .tooOld(time)
        } else {
            self = .current(EventTime(receipt, .receipt, isDoubted: true))
        }
    }
}
