import TestSupport

/// Follows the out-of-range readings of one watch, and determines the alerts that they should cause. Each side has a
/// throttle of its own.
///
/// Newer readings replace the text of a pending alert. So its event time may be that of any reading of that side within
/// the interval, and its episode is that reading's.
struct ThrottleCheck {
    private(set) var expected = 0
    /// The times of readings that lack an alert.
    private(set) var missed: [Int] = []
    /// The alerts in order, each with the time of the reading that caused it.
    private(set) var taken: [(time: Int, alert: StoredAlert)] = []
    /// The alerts that no reading explains.
    private(set) var left: [StoredAlert]
    private let allClears: [StoredAlert]
    private let throttle: Int

    /// The delay beyond which the interval starts with the acceptance.
    private static let promptness = 60_000_000

    /// - Parameter allClears: The all-clears that arrived. Each gives earlier charges back.
    init(_ alerts: [StoredAlert], allClears: [StoredAlert], throttle: Int) {
        left = alerts.sorted { $0.id < $1.id }
        self.allClears = allClears
        self.throttle = throttle
    }

    mutating func follow(_ episodes: [NaiveCalculation.Episode]) {
        for side in Set(episodes.map(\.side)).sorted() { followSide(episodes.filter { $0.side == side }) }
        taken.sort { $0.alert.id < $1.alert.id }
    }

    private mutating func followSide(_ episodes: [NaiveCalculation.Episode]) {
        var freeAt = Int.min
        // The later bound: a late acceptance, a refund or an all-clear may or may not be recorded before the next
        // decision.
        var surelyFreeAt = Int.min
        for episode in episodes {
            for time in episode.outside where time >= freeAt {
                if let alert = take(episode, from: time) {
                    expected += 1
                    taken.append((time, alert))
                    // If the alert came early, any reading down to the one in its text may have caused it.
                    surelyFreeAt = (time < surelyFreeAt ? alert.eventTime : time) + throttle
                    freeAt = min(time + throttle, givenBackAt(alert, chargedFor: time))
                    if let acceptedAt = alert.acceptedAt, acceptedAt - alert.decidedAt > Self.promptness {
                        surelyFreeAt = max(surelyFreeAt, acceptedAt + throttle)
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

    /// The time of the first reading at which an alert's charge may have ended: at once if nobody got it, otherwise
    /// with an all-clear.
    private func givenBackAt(_ alert: StoredAlert, chargedFor time: Int) -> Int {
        if alert.acceptedAt == nil { return time + 1 }
        return allClears.filter { $0.id > alert.id }.map { $0.eventTime + 1 }.min() ?? .max
    }

    /// Removes and returns the alert that a reading caused.
    private mutating func take(_ episode: NaiveCalculation.Episode, from time: Int) -> StoredAlert? {
        let index = left.firstIndex {
            $0.side == episode.side && $0.openedAt >= episode.openedAt && $0.eventTime >= time
                && $0.eventTime < time + throttle
        }
        return index.map { left.remove(at: $0) }
    }
}
