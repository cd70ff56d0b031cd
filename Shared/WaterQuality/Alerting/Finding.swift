package import Instants

/// The finding of a kind's detector on one watch at one moment: all that a kind says. The consequences are decided alike for
/// every kind (`decide`).
package enum Finding: Hashable, Sendable {
    /// Nothing begins, goes on or ends.
    case nothing(Decision.Reason)
    /// An open episode goes on, though nothing shows the trouble now.
    /// - Parameter withheld: Why the person is not told of what was found, where there is something to tell.
    case lingers(Decision.Reason, withheld: Decision.Reason? = nil)
    /// Something is wrong.
    case holds(Evidence)
    /// An open episode is over, which is announced once it has stayed so.
    /// - Parameter at: Of a silence, the receipt of the reading that ends it; of other kinds, its event time.
    case over(at: Timestamp)
    /// An open episode ends without a word: nobody asks any more, or nobody can tell.
    case moot(at: Timestamp)

    package static let nothing = Finding.nothing(.normal)

    /// The evidence that something is wrong.
    package struct Evidence: Hashable, Sendable {
        package var trouble: Episode.Trouble
        /// The beginning, if an episode opens by it.
        package var since: Timestamp
        /// When it is wrong, by the clock that throttles of this kind run by.
        package var at: Timestamp
        /// The latest time that a stored mark can rightly carry (`EventTime.latest`).
        package var latest: Timestamp
        /// How long ago that was.
        package var age: Duration
        /// Whether the value is beyond the critical limit.
        package var isCritical: Bool
        /// The side that an alert names, which has a throttle of its own; `nil` for a kind without sides. Of a test by hand the episode has none.
        package var side: Side?
        /// The kind's own reason to withhold an alert now.
        package var withheld: Decision.Reason?

        package init(
            _ trouble: Episode.Trouble, since: Timestamp, at time: Timestamp, latest: Timestamp, age: Duration = .zero,
            isCritical: Bool = false, side: Side? = nil, withheld: Decision.Reason? = nil
        ) {
            self.trouble = trouble
            self.since = since
            at = time
            self.latest = latest
            self.age = age
            self.isCritical = isCritical
            if case .range(let excursion) = trouble { self.side = excursion.side } else { self.side = side }
            self.withheld = withheld
        }
    }
}
