package import Instants

/// Whose clock an event time comes from. The raw values are stored with each sample.
package enum TimeSource: Int16, Sendable {
    case device = 0
    case receipt = 1
}

/// When a reading was taken, as far as it can be known, and whose clock says so.
package struct EventTime: Hashable, Sendable {
    package let time: Timestamp
    package let source: TimeSource

    /// A device's clock may run this far behind the receipt: a device that was offline sends its memory.
    package static let furthestBack = Duration.seconds(7 * 86_400)
    /// ... and this far ahead.
    package static let furthestAhead = Duration.seconds(5 * 60)
    /// 2020-01-01T00:00:00Z. No clock that was ever set says an earlier time: firmware here is younger. What does begins to count
    /// at 1970, 2000 or the day of its build when the power comes, until it has heard the time.
    package static let earliestSet = Timestamp(unixSeconds: Int64(1_577_836_800))
    /// The same with a minute for clocks of ours that differ.
    private static let marginMicroseconds: Int64 = 6 * 60 * 1_000_000

    /// The latest time that anything decided before a reading can rightly bear: now by the device's clock, or the reading's
    /// own time where that is later, and as much as a clock may be ahead. Later marks were made while our clock, or the
    /// device's, was wrong: they count for nothing, or a clock that was ahead once would silence people for as long.
    ///
    /// The reading's own time counts so that a database whose clock is behind does not take all that devices send for the
    /// future, and forget every throttle.
    /// - Parameter lag: The device's own constant lag.
    package static func latest(before time: Timestamp, now: Timestamp, lag: Duration = .zero) -> Timestamp {
        let present = max(lag == .zero ? now : now - lag, time).microseconds
        let (latest, overflow) = present.addingReportingOverflow(marginMicroseconds)
        return Timestamp(microseconds: overflow ? .max : latest)
    }

    /// The device's time when it is plausible (both ends included), else the time of receipt: microcontrollers
    /// without a clock send 1970 or their uptime.
    package init(device: Timestamp?, receipt: Timestamp) {
        if let device, device >= receipt - Self.furthestBack, device <= receipt + Self.furthestAhead {
            time = device
            source = .device
        } else {
            time = receipt
            source = .receipt
        }
    }
}

/// What becomes of a reading by the time that its device says.
package enum TimeJudgement: Hashable, Sendable {
    /// Taken then, or, as far as can be known, on receipt: it is decided.
    case current(EventTime)
    /// Taken long ago by a device that kept it: it belongs to the history, and alerts nobody of water that is gone.
    case history(Timestamp)
    /// Taken before anything that is kept: storing it would be for nothing.
    case tooOld(Timestamp)

    /// - Parameter history: How far back readings are history, not less than `EventTime.furthestBack`; older ones are too old. nil: our
    ///   own clock is in doubt. Then nothing is called old on its word, and the receipt stands in.
    ///
    /// A device whose clock was never set is no messenger from the past: a probe that has not heard the time yet must
    /// alarm all the same, so that the receipt stands in.
    package init(device: Timestamp?, receipt: Timestamp, history: Duration?) {
        let event = EventTime(device: device, receipt: receipt)
        guard let device, let history, event.source == .receipt, device < receipt, device >= EventTime.earliestSet
        else {
            self = .current(event)
            return
        }
        self = device >= receipt - max(history, EventTime.furthestBack) ? .history(device) : .tooOld(device)
    }
}
