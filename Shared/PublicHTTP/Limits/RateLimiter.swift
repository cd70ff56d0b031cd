import Backoff
import Synchronization

/// A limit on requests per time: the bucket holds `quota` and refills evenly within the window.
package struct RatePolicy: Hashable, Sendable {
    /// The name in `RateLimit-Policy`.
    package let name: String
    package var quota: Int
    package var window: Duration

    package init(_ name: String, quota: Int, window: Duration = .seconds(60)) {
        precondition(quota > 0, "a limit admits something")
        self.name = name
        self.quota = quota
        self.window = window
    }
}

/// Token buckets by key, in bounded memory.
///
/// Each bucket is stored as the instant at which it will be full again (the generic cell rate algorithm). The buckets
/// used longest ago are forgotten: a sender with more addresses than there are buckets thus gets fresh ones, as each
/// new address would give it anyway.
package final class RateLimiter<Key: Hashable & Sendable>: Sendable {
    package struct Verdict: Equatable {
        package let isAllowed: Bool
        /// The requests that are still allowed at once.
        package let remaining: Int
        /// The time until the bucket is full; for a refusal, until the next request is allowed.
        package let wait: Duration
    }

    package let policy: RatePolicy
    private let full: Mutex<RecentMemory<Key, ContinuousClock.Instant>>

    /// - Parameter most: The most keys in memory.
    package init(_ policy: RatePolicy, most: Int = 100_000) {
        self.policy = policy
        full = Mutex(RecentMemory(most: most))
    }

    /// Takes a token from the key's bucket, if there is one.
    package func take(_ key: Key, at now: ContinuousClock.Instant) -> Verdict {
        let interval = policy.window / policy.quota
        return full.withLock { full in
            let lacking = now.duration(to: max(full[key] ?? now, now))
            guard lacking + interval <= policy.window else {
                return Verdict(isAllowed: false, remaining: 0, wait: lacking + interval - policy.window)
            }
            let after = lacking + interval
            full[key] = now.advanced(by: after)
            // Adds a little before rounding down: the quotient is a whole number but for rounding errors.
            let remaining = Int((policy.window - after) / interval + 0.001)
            return Verdict(isAllowed: true, remaining: remaining, wait: after)
        }
    }

    var keyCount: Int { full.withLock { $0.count } }
}
