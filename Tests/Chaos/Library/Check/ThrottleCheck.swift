import TestSupport

/// Follows the out-of-range readings of one watch, and determines the alerts that they should have caused.
///
/// The text of a pending alert is replaced by newer readings, so its event time may be that of any reading of its
/// episode within the interval.
struct ThrottleCheck {
    private(set) var expected = 0
    /// The times of readings that lack an alert.
    private(set) var missed: [Int] = []
    /// The alerts in order, each with the time of the reading that caused it.
    private(set) var taken: [(time: Int, alert: StoredAlert)] = []
    /// The alerts that no reading explains.
    private(set) var left: [StoredAlert]
    private let throttle: Int

    /// The delay after which the interval runs from the acceptance.
    private static let promptness = 60_000_000

    init(_ alerts: [StoredAlert], throttle: Int) {
        left = alerts.sorted { $0.id < $1.id }
        self.throttle = throttle
    }

    mutating func follow(_ episodes: [NaiveCalculation.Episode]) {
        var freeAt = Int.min
        // It is unknown whether a late acceptance was recorded before the next decision.
        var surelyFreeAt = Int.min
        for episode in episodes {
            for time in episode.outside where time >= freeAt {
                if let alert = take(episode, from: time) {
                    expected += 1
                    taken.append((time, alert))
                    freeAt = time + throttle
                    surelyFreeAt = freeAt
                    if let acceptedAt = alert.acceptedAt, acceptedAt - alert.decidedAt > Self.promptness {
                        surelyFreeAt = max(freeAt, acceptedAt + throttle)
                    }
                } else if time >= surelyFreeAt {
                    expected += 1
                    missed.append(time)
                    freeAt = time + throttle
                    surelyFreeAt = freeAt
                }
            }
        }
    }

    /// Removes and returns the alert that a reading caused.
    private mutating func take(_ episode: NaiveCalculation.Episode, from time: Int) -> StoredAlert? {
        let index = left.firstIndex {
            $0.openedAt == episode.openedAt && $0.eventTime >= time && $0.eventTime < time + throttle
        }
        return index.map { left.remove(at: $0) }
    }
}
