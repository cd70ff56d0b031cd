import Backoff
import Synchronization

/// How many requests there may be in a time: the bucket holds `quota`, and fills up evenly within the window.
package struct RatePolicy: Hashable, Sendable {
    /// As `RateLimit-Policy` calls it.
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
/// Of each bucket only the instant is kept at which it is full again (the generic cell rate algorithm). The buckets that were
/// used longest ago are forgotten. A sender with more addresses than there are buckets thus has fresh ones, which its
/// addresses gave it anyway.
package final class RateLimiter<Key: Hashable & Sendable>: Sendable {
    package struct Verdict: Equatable {
        package let isAllowed: Bool
        /// What may still be asked for at once.
        package let remaining: Int
        /// Until the bucket is full, or for a refusal until the next request is allowed.
        package let wait: Duration
    }

    package let policy: RatePolicy
    private let full: Mutex<RecentMemory<Key, ContinuousClock.Instant>>

    /// - Parameter most: The greatest number of keys.
    package init(_ policy: RatePolicy, most: Int = 100_000) {
        self.policy = policy
        full = Mutex(RecentMemory(most: most))
    }

    /// Takes one from the key's bucket if it holds one.
    package func take(_ key: Key, at now: ContinuousClock.Instant) -> Verdict {
        let interval = policy.window / policy.quota
        return full.withLock { full in
            let lacking = now.duration(to: max(full[key] ?? now, now))
            guard lacking + interval <= policy.window else {
                return Verdict(isAllowed: false, remaining: 0, wait: lacking + interval - policy.window)
            }
            let after = lacking + interval
            full[key] = now.advanced(by: after)
            // A little more than the quotient, which is a whole number but for rounding.
            let remaining = Int((policy.window - after) / interval + 0.001)
            return Verdict(isAllowed: true, remaining: remaining, wait: after)
        }
    }

    var keyCount: Int { full.withLock { $0.count } }
}
