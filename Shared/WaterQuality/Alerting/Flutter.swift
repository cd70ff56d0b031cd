package import Instants

/// The last episodes of a watch, by which water is unstable that keeps leaving its range and returning.
///
/// Each return ends an episode, so that every half hour there would be another alarm. A person who asks for it
/// (`WatchRules.tellsUnstable`) is told once that the water is unstable, and of no other alarm until it is calm: until fewer episodes
/// begin in an hour, or one lasts. It stands beside the state of the watch, which is copied with every decision.
package struct Flutter: Hashable, Sendable {
    /// So many episodes that begin within an hour are unstable water.
    package static let enough = 4
    package static let window = Duration.seconds(3_600)
    /// An episode that has lasted for so long is told like any other, and water that has been in range for so long is
    /// well again.
    package static let calm = Duration.seconds(30 * 60)
    /// Water that is still unstable is told again after so long.
    package static let reminder = Duration.seconds(6 * 3_600)

    package static let none = Flutter()

    /// The beginnings of the last episodes, oldest first.
    private var openings: [Timestamp]

    /// - Parameter openings: The beginnings of episodes by event time, oldest first; only the last `enough` count.
    package init(openings: [Timestamp] = []) { self.openings = openings.suffix(Self.enough) }

    /// Goes along with a decision.
    package mutating func follow(_ action: Decision.Action) {
        switch action {
        case .open(let episode), .flip(_, let episode):
            if openings.count == Self.enough { openings.removeFirst() }
            openings.append(episode.openedAt)
        case .nothing, .stay, .close: break
        }
    }

    /// Whether the water is unstable.
    /// - Parameter episode: The open episode, or the one that opens.
    func isUnstable(with episode: Episode, at time: Timestamp) -> Bool {
        guard time - episode.openedAt < Self.calm else { return false }
        // A mark of a clock that was ahead is no episode of this hour.
        let others = openings.count { $0 != episode.openedAt && $0 <= time && time - $0 < Self.window }
        return others + 1 >= Self.enough
    }

    /// Whether the person was lately told that the water is unstable, and nothing else since.
    static func isTold(_ throttle: Throttle?, at time: Timestamp) -> Bool {
        guard let throttle else { return false }
        return throttle.isUnstable && time - throttle.runsFrom < reminder
    }
}
