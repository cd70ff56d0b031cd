/// How many at once, and how many in the long run.
package struct BucketRate: Hashable, Sendable {
    package var burst: Int
    /// After which one more is allowed.
    package var interval: Duration

    package init(burst: Int, interval: Duration) {
        self.burst = burst
        self.interval = interval
    }
}

/// A token bucket as one number (the generic cell rate algorithm): the time at which it is full again.
///
/// Times are of a clock that is never put back, since some beginning.
package struct TokenBucket: Hashable, Sendable {
    private var fullAt: Duration = .zero

    package init() {}

    /// - Returns: nil if a token is there, else the time until there is one.
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

    /// Whether it says no more than a bucket that was never used.
    package func isFull(at now: Duration) -> Bool { fullAt <= now }
}

/// A bucket for each key, for so many keys at most.
///
/// When there are too many, full buckets go. If none is full, all that come new share one bucket: an attacker with many
/// addresses neither fills the memory nor gets emptied buckets forgotten.
package struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
    package let rate: BucketRate
    /// Of the bucket that newcomers share while there is no room.
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

    /// Makes room for a newcomer if there is none. Call it before `wait`.
    package mutating func makeRoom(at now: Duration) {
        guard buckets.count >= capacity else { return }
        // A sweep looks at all of them, so it is done once an interval at most.
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
        // What the shared bucket gave is not given back: nobody knows to whom it belonged.
        buckets[key]?.giveBack(rate)
    }

    package mutating func forget(_ key: Key) {
        buckets[key] = nil
    }
}
