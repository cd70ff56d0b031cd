package import Instants

/// When a delivery is tried again: after 5 s, doubling to 5 minutes, each at random between nothing and all of it
/// ("full jitter"), so that many deliveries of one outage do not return together; until the alert is stale.
package struct RetrySchedule: Sendable {
    package var first: Duration
    package var longest: Duration

    package init(first: Duration = .seconds(5), longest: Duration = .seconds(300)) {
        self.first = first
        self.longest = longest
    }

    package enum Next: Hashable, Sendable {
        case at(Timestamp)
        /// The alert would be stale by then.
        case stale
    }

    /// - Parameters:
    ///   - attempt: How many attempts have failed, from 1; leases that were given back unsent are none.
    ///   - retryAfter: What the receiver asked for; the wait is at least that.
    ///   - random: From 0 to 1.
    package func next(
        after attempt: Int16, retryAfter: Duration?, now: Timestamp, expiresAt: Timestamp, random: Double
    ) -> Next {
        let delay = max(bound(attempt) * random, retryAfter ?? .zero)
        let time = now + delay
        return time < expiresAt ? .at(time) : .stale
    }

    /// The longest wait after so many attempts.
    package func bound(_ attempt: Int16) -> Duration {
        var bound = first
        for _ in 1..<max(attempt, 1) where bound < longest { bound *= 2 }
        return min(bound, longest)
    }
}
