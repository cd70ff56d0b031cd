package import Instants

/// The limit that a value reaches if it goes on as it has lately, and when.
package struct Outlook: Hashable, Sendable {
    /// The side of the limit.
    package var side: Side
    package var limit: Steps
    /// By the device's clock.
    package var at: Timestamp
    /// The newest reading.
    package var value: Steps

    package init(side: Side, limit: Steps, at: Timestamp, value: Steps) {
        self.side = side
        self.limit = limit
        self.at = at
        self.value = value
    }

    /// Where a value goes, for a person who wants to be told so long ahead.
    package enum Heading: Hashable, Sendable {
        /// There is nothing to tell ahead: nobody asks, too little is known, or the value is outside already.
        case moot
        /// It does not reach a limit any more, by the dead band.
        case away
        /// It may reach one, but nothing begins or ends by that.
        case near
        /// It reaches a limit within that time.
        case toward(Outlook)
    }
}

extension Trend.Line {
    /// So large a share of all pairs has to go the same way before it is told: what trembles goes nowhere. Below the second it is
    /// over.
    private static let agreed = 0.8
    private static let disagreed = 0.6
    /// Nobody knows further ahead than three times what is judged by.
    private static let horizon = 3

    /// Where the value goes, for a person with these limits.
    ///
    /// It is seen from the newest reading; one that is too old is no news (`AlertPolicy.staleAfter`). The dead band is half the time
    /// once more, and fewer pairs that agree. A single reading outside the limits neither begins nor ends anything, since it may be
    /// a glitch; the next one tells.
    package func heading(in range: SafeRange, within ahead: Duration) -> Outlook.Heading {
        if range.side(of: settled) != nil { return .moot }
        guard slope != 0, agreement >= Self.disagreed else { return .away }
        let side: Side = slope < 0 ? .low : .high
        guard let limit = range.limit(on: side) else { return .away }
        let seconds = (Double(limit.count) - value) / slope
        guard seconds <= Self.seconds(ahead) * 1.5 else { return .away }
        guard agreement >= Self.agreed, range.contains(newest), seconds > 0,
            seconds <= min(Self.seconds(ahead), Self.seconds(span * Self.horizon))
        else { return .near }
        return .toward(
            Outlook(side: side, limit: limit, at: time + .milliseconds(Int64(seconds * 1_000)), value: newest))
    }

    private static func seconds(_ duration: Duration) -> Double { Double(duration.wholeMicroseconds) / 1_000_000 }
}

extension Finding {
    /// The detector of kind ahead: the meaning of a value's way for a person. Pure and total. It stands beside the decision on the
    /// value itself, which it never changes.
    ///
    /// The outlook is told once. A value that leaves the limits is told by the alarm about that, and no end of this is announced; nor where
    /// nobody asks any more, or after a pause.
    ///
    /// - Parameters:
    ///   - moment: When the newest reading was taken, and is decided.
    ///   - isToldOutOfRange: Whether the person was alerted that the value is out of range, and it still is.
    package static func ahead(
        _ heading: Outlook.Heading, at moment: FoundAt, isToldOutOfRange: Bool = false
    ) -> Finding {
        switch heading {
        case .near: return .nothing
        case .moot: return .moot(at: moment.time)
        case .away: return .over(at: moment.time)
        case .toward(let outlook):
            // An outlook that is past by the time of its decision is not told.
            let isPast = outlook.at + moment.lag <= moment.now
            return .holds(
                moment.evidence(
                    .ahead, since: moment.time, withheld: isToldOutOfRange ? .outOfRange : isPast ? .stale : nil))
        }
    }
}
