/// A rate: so many at once, and one more after each interval.
package struct BucketRate: Hashable, Sendable {
    package var burst: Int
    /// The time after which one more is allowed.
    package var interval: Duration

    package init(burst: Int, interval: Duration) {
        self.burst = burst
        self.interval = interval
    }
}

/// A token bucket as one number (the generic cell rate algorithm): the time at which it will be full again.
///
/// Times are those of a monotonic clock, since some start.
package struct TokenBucket: Hashable, Sendable {
    private var fullAt: Duration = .zero

    package init() {}

    /// - Returns: nil if a token is available, otherwise the time until one is.
    package func wait(_ rate: BucketRate, at now: Duration) -> Duration? {
        let excess = fullAt - now - rate.interval * (rate.burst - 1)
        return excess > .zero ? excess : nil
    }

    package mutating func take(_ rate: BucketRate, at now: Duration) {
        fullAt = max(fullAt, now) + rate.interval
    }

    package mutating func giveBack(_ rate: BucketRate) {
        fullAt -= rate.interval
    }

    /// Whether the bucket is as full as one that was never used.
    package func isFull(at now: Duration) -> Bool { fullAt <= now }
}

/// A bucket for each key, up to a bound.
///
/// Beyond the bound full buckets are dropped. If none is full, all new keys share one bucket: an attacker with many
/// addresses can neither fill the memory nor have emptied buckets forgotten.
package struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
    package let rate: BucketRate
    /// The rate of the bucket that new keys share while there is no room.
    private let sharedRate: BucketRate
    private let capacity: Int
    private var buckets: [Key: TokenBucket] = [:]
    private var shared = TokenBucket()
    private var sweptAt: Duration?

    package init(_ rate: BucketRate, capacity: Int) {
        self.rate = rate
        sharedRate = BucketRate(burst: rate.burst * 10, interval: rate.interval / 10)
        self.capacity = capacity
    }

    package var count: Int { buckets.count }

    package func wait(_ key: Key, at now: Duration) -> Duration? {
        if let bucket = buckets[key] { return bucket.wait(rate, at: now) }
        return buckets.count < capacity ? nil : shared.wait(sharedRate, at: now)
    }

    /// Makes room for a new key if there is none. Call it before `wait`.
    package mutating func makeRoom(at now: Duration) {
        guard buckets.count >= capacity else { return }
        // Sweeps at most once an interval, because a sweep looks at all buckets.
        if let sweptAt, now - sweptAt < rate.interval, now >= sweptAt { return }
        sweptAt = now
        buckets = buckets.filter { !$0.value.isFull(at: now) }
    }

    package mutating func take(_ key: Key, at now: Duration) {
        if buckets[key] != nil || buckets.count < capacity {
            buckets[key, default: TokenBucket()].take(rate, at: now)
        } else {
            shared.take(sharedRate, at: now)
        }
    }

    package mutating func giveBack(_ key: Key) {
        // A token of the shared bucket is not given back: its key is unknown.
        buckets[key]?.giveBack(rate)
    }

    package mutating func forget(_ key: Key) {
        buckets[key] = nil
    }
}
