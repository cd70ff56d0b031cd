/// Delays between attempts: a bound that doubles up to a cap, shortened at random.
///
/// The random part spreads the attempts of many clients that lost the same server at the same moment.
package struct Backoff: Sendable {
    /// The random part of a delay; the raw value is the fraction of the bound that is always waited.
    package enum Jitter: Double, Sendable {
        /// Anywhere from zero to the bound, which spreads the attempts most.
        case full = 0
        /// Between half the bound and all of it: no attempt follows another at once.
        case half = 0.5
    }

    /// The bound of the first delay; it doubles with each failure.
    package let base: Duration
    /// The largest bound.
    package let cap: Duration
    package let jitter: Jitter
    /// The failures since the last success.
    package private(set) var failures = 0

    package init(base: Duration, cap: Duration, jitter: Jitter = .full) {
        precondition(base > .zero && cap >= base, "a backoff's base is positive and its cap no smaller")
        self.base = base
        self.cap = cap
        self.jitter = jitter
    }

    /// Delays for reconnecting to a server that restarts: up to 100 ms at first, up to 2 s in the end. A longer cap
    /// would delay a client that waits for another server to take over.
    package static let reconnecting = Backoff(base: .milliseconds(100), cap: .seconds(2))

    /// Counts a failure and says how long to wait after it.
    package mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        let bound = bound(afterFailures: failures)
        failures += 1
        return bound * Double.random(in: jitter.rawValue...1, using: &generator)
    }

    /// Counts a failure and says how long to wait after it, with the system's random numbers.
    package mutating func next() -> Duration {
        var generator = SystemRandomNumberGenerator()
        return next(using: &generator)
    }

    /// Starts again with short delays, after a success.
    package mutating func reset() {
        failures = 0
    }

    /// The longest delay after the failure of this number, counted from 0.
    package func bound(afterFailures failures: Int) -> Duration {
        var bound = base
        for _ in 0..<failures {
            if bound >= cap { break }
            bound *= 2
        }
        return min(bound, cap)
    }
}
