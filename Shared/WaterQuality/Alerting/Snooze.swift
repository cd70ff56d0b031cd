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
}
