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
/// Of each bucket only the instant is kept at which it is full again (the generic cell rate algorithm). The keys are in
/// two generations: when the younger one is full it becomes the older one, and what was the older one is forgotten. A
/// sender with more addresses than a generation holds thus has fresh buckets, which its addresses gave it anyway.
package final class RateLimiter<Key: Hashable & Sendable>: Sendable {
    package struct Verdict: Equatable {
        package let isAllowed: Bool
        /// What may still be asked for at once.
        package let remaining: Int
        /// Until the bucket is full, or for a refusal until the next request is allowed.
        package let wait: Duration
    }

    private struct State {
        var young: [Key: ContinuousClock.Instant] = [:]
        var old: [Key: ContinuousClock.Instant] = [:]
    }

    package let policy: RatePolicy
    private let generation: Int
    private let state = Mutex(State())

    /// - Parameter generation: The most keys of one generation.
    package init(_ policy: RatePolicy, generation: Int = 50_000) {
        self.policy = policy
        self.generation = generation
    }

    /// Takes one from the key's bucket if it holds one.
    package func take(_ key: Key, at now: ContinuousClock.Instant) -> Verdict {
        let interval = policy.window / policy.quota
        return state.withLock { state in
            let known = state.young[key] ?? state.old[key]
            let full = max(known ?? now, now)
            let lacking = now.duration(to: full)
            guard lacking + interval <= policy.window else {
                return Verdict(isAllowed: false, remaining: 0, wait: lacking + interval - policy.window)
            }
            let after = lacking + interval
            if state.young.count >= generation, state.young[key] == nil {
                state.old = state.young
                state.young = [:]
            }
            state.young[key] = now.advanced(by: after)
            // A little more than the quotient, which is a whole number but for rounding.
            let remaining = Int((policy.window - after) / interval + 0.001)
            return Verdict(isAllowed: true, remaining: remaining, wait: after)
        }
    }

    var keyCount: Int { state.withLock { $0.young.count + $0.old.count } }
}
