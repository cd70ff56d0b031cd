package import Instants

/// A person's wish to hear nothing more of one side of a watch, or of a silence or fault, for a while.
///
/// A snooze lasts until a time, whatever the water does on that side. An acknowledgement ("I know") lasts until the episode
/// is over for which it was given. Both times are the database's.
package struct Snooze: Hashable, Sendable {
    package var setAt: Timestamp
    package var until: Timestamp
    package var isAcknowledgement: Bool

    package init(setAt: Timestamp, until: Timestamp, isAcknowledgement: Bool = false) {
        self.setAt = setAt
        self.until = until
        self.isAcknowledgement = isAcknowledgement
    }

    /// Whether it still holds. One that was set by a clock that was ahead does not: nobody goes unwarned by it.
    package func holds(at now: Timestamp) -> Bool {
        now < until && setAt <= now + EventTime.furthestAhead
    }

    /// The reason of a notification that it withholds.
    package var reason: Decision.Reason { isAcknowledgement ? .acknowledged : .snoozed }

    /// How long a snooze may last.
    package static let bounds: ClosedRange<Duration> = .seconds(60)...(.seconds(7 * 86_400))

    /// How long an acknowledgement lasts at most. Water that has been bad, has changed fast, or has been on
    /// the way to a limit for a day is told again. A
    /// silence or a fault, of which people are reminded daily, is not told again before they would have been told last.
    package static func longestAcknowledgement(of kind: Alert.Kind) -> Duration {
        switch kind {
        case .range, .rate, .ahead: .seconds(86_400)
        case .silence, .fault, .test: ProbeEpisode.remindedFor
        }
    }
}

/// The snoozes of the two sides of a watch. They stand beside its state, which is copied with every decision.
package struct Snoozes: Hashable, Sendable {
    private var low: Snooze?
    private var high: Snooze?

    package static let none = Snoozes()

    package init(low: Snooze? = nil, high: Snooze? = nil) {
        self.low = low
        self.high = high
    }

    package subscript(side: Side) -> Snooze? {
        get { side == .low ? low : high }
        set { if side == .low { low = newValue } else { high = newValue } }
    }

    /// Goes along with a decision: an acknowledgement ends with its episode.
    /// - Parameter open: The episode that was open before it.
    package mutating func follow(_ action: Decision.Action, of open: Episode?) {
        switch action {
        case .close, .flip:
            if let side = open?.side, self[side]?.isAcknowledgement == true { self[side] = nil }
        case .nothing, .open, .stay: break
        }
    }
}
