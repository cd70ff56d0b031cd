package import Instants

/// The clock of an event time. The raw values are stored with each sample.
package enum TimeSource: Int16, Sendable {
    case device = 0
    case receipt = 1
}

/// The best known time of a reading, and the clock that it comes from.
///
/// Only judging makes event times, so that every stored time lies between the receipt less the retention and the
/// receipt plus `furthestAhead`.
package struct EventTime: Hashable, Sendable {
    package private(set) var time: Timestamp
    package let source: TimeSource
    /// Whether the message stated a time that was not believed.
    package let isDoubted: Bool

    /// How far a device's time may lie before the receipt. A device that was offline sends its memory.
    package static let furthestBack = Duration.seconds(7 * 86_400)
    /// How far a device's time may lie after the receipt.
    package static let furthestAhead = Duration.seconds(5 * 60)
    /// 2020-01-01T00:00:00Z. A clock that was ever set shows no earlier time, because all firmware here is younger. A
    /// clock that was never set starts at power-on from 1970, 2000 or the day of its build.
    package static let earliestSet = Timestamp(unixSeconds: Int64(1_577_836_800))
    /// `furthestAhead` plus a minute for differences between our own clocks.
    private static let marginMicroseconds: Int64 = 6 * 60 * 1_000_000

    /// The latest time that an earlier mark can rightly have: now by the device's clock, or the reading's own time if
    /// later, plus the margin by which a clock may be ahead. A later mark was made while our clock, or the device's,
    /// was wrong, and is ignored; otherwise a clock that was ahead once would suppress alerts for as long.
    ///
    /// The reading's own time is included so that a database whose clock is behind does not take all readings for
    /// future ones and ignore every throttle.
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

    /// Takes the device's time if it is plausible (both ends included), otherwise the time of receipt. Microcontrollers
    /// without a clock send 1970 or their uptime.
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

    /// Moves the time on by the least step, because another reading of the device has it already. Only a time of
    /// receipt may move.
    package mutating func yield() {
        precondition(source == .receipt, "a device's own time tells a repetition from a new reading")
        time = time + .microseconds(1)
    }

    /// Moves the time right behind an existing reading that is less than a second later, so that times of receipt keep
    /// their order.
    package mutating func follow(_ newest: Timestamp) {
        guard newest >= time, newest - time < .seconds(1) else { return }
        time = newest
        yield()
    }
}

/// The treatment of a reading, by the time that its message states.
package enum TimeJudgement: Hashable, Sendable {
    /// The reading is current, at this event time, and is evaluated.
    case current(EventTime)
    /// The reading was taken long ago and stored by the device. It belongs to the history and causes no alerts, because
    /// that water is gone.
    case history(EventTime)
    /// The reading is older than the samples' retention and is not stored.
    case tooOld(Timestamp)

    /// - Parameter history: The age up to which readings count as history, at least `EventTime.furthestBack`; older
    ///   ones are too old. `nil` if our own clock is in doubt: then no reading counts as old, and the receipt is used
    ///   instead.
    ///
    /// The receipt is also used for a clock that was never set: such a device does not send old readings, it has not
    /// got the time yet, and its readings must cause alerts all the same. The same goes for absurd ages: a device that
    /// takes a sample before it gets the time, and states the difference, claims an age of decades.
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
