import TestSupport

/// Walks along the readings out of range of one watch and says which alerts they should have led to.
///
/// An alert that is still on its way takes over the text of newer readings, so its event time may be that of any reading
/// of its episode within its interval.
struct ThrottleCheck {
    private(set) var expected = 0
    /// The times of readings that should have been alerted and were not.
    private(set) var missed: [Int] = []
    /// The alerts in order, each with the time of the reading that it was made for.
    private(set) var taken: [(time: Int, alert: StoredAlert)] = []
    /// The alerts that no reading accounts for.
    private(set) var left: [StoredAlert]
    private let throttle: Int

    /// An acceptance that comes later than this makes the interval run from it.
    private static let promptness = 60_000_000

    init(_ alerts: [StoredAlert], throttle: Int) {
        left = alerts.sorted { $0.id < $1.id }
        self.throttle = throttle
    }

    mutating func follow(_ episodes: [NaiveCalculation.Episode]) {
        var freeAt = Int.min
        // Whether a late acceptance was noted before the next decision nobody knows.
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

    /// Takes the alert that was made for a reading.
    private mutating func take(_ episode: NaiveCalculation.Episode, from time: Int) -> StoredAlert? {
        let index = left.firstIndex {
            $0.openedAt == episode.openedAt && $0.eventTime >= time && $0.eventTime < time + throttle
        }
        return index.map { left.remove(at: $0) }
    }
}
