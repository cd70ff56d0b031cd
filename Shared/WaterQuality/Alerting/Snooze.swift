package import Instants

/// A person's wish to hear nothing more of one side of a watch, or of a silence or fault, for a while.
///
/// A snooze lasts until a time, whatever the water does on that side. An acknowledgement ("I know") lasts until the episode
/// is over for which it was given. An answer ("I'm on it") is an acknowledgement for everybody who shares the device and was
/// told, given by one of them. All times are the database's.
package struct Snooze: Hashable, Sendable {
    package var setAt: Timestamp
    package var until: Timestamp
    package var isAcknowledgement: Bool
    /// Whether somebody is on it, perhaps another person.
    package var isAnswer: Bool
    /// The worst value by the time of an answer; `nil` for kinds without values.
    package var worst: Steps?

    package init(
        setAt: Timestamp, until: Timestamp, isAcknowledgement: Bool = false, isAnswer: Bool = false,
        worst: Steps? = nil
    ) {
        self.setAt = setAt
        self.until = until
        self.isAcknowledgement = isAcknowledgement
        self.isAnswer = isAnswer
        self.worst = worst
    }

    /// Whether it still holds. One that was set by a clock that was ahead does not: nobody goes unwarned by it.
    package func holds(at now: Timestamp) -> Bool {
        now < until && setAt <= now + EventTime.furthestAhead
    }

    /// The reason of a notification that it withholds.
    package var reason: Decision.Reason { isAnswer ? .answered : isAcknowledgement ? .acknowledged : .snoozed }

    /// How long a snooze may last.
    package static let bounds: ClosedRange<Duration> = .seconds(60)...(.seconds(7 * 86_400))
}
