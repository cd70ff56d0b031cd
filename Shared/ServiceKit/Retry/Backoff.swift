/// Delays between attempts: a random part of a bound that doubles up to a cap ("full jitter").
///
/// The random part spreads the attempts of many clients that lost the same server at the same moment.
package struct Backoff: Sendable {
    /// The bound of the first delay.
    package let base: Duration
    /// The bound never grows beyond it.
    package let cap: Duration
    /// The failures since the last success.
    package private(set) var failures = 0

    package init(base: Duration, cap: Duration) {
        precondition(base > .zero && cap >= base, "a backoff's base is positive and its cap no smaller")
        self.base = base
        self.cap = cap
    }

    /// For a server of ours that restarts: up to 100 ms at first, up to 10 s in the end.
    package static let reconnecting = Backoff(base: .milliseconds(100), cap: .seconds(10))

    /// Counts a failure and says how long to wait after it, in whole microseconds.
    package mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        let bound = bound(afterFailures: failures)
        failures += 1
        return .microseconds(Int64.random(in: 0...bound.wholeMicroseconds, using: &generator))
    }

    /// Counts a failure, with the system's generator.
    package mutating func next() -> Duration {
        var generator = SystemRandomNumberGenerator()
        return next(using: &generator)
    }

    /// After a success: the next delay is a short one again.
    package mutating func reset() {
        failures = 0
    }

    /// The longest delay that may follow the failure of this number, counted from 0.
    package func bound(afterFailures failures: Int) -> Duration {
        var bound = base
        for _ in 0..<failures {
            if bound >= cap { break }
            bound *= 2
        }
        return min(bound, cap)
    }
}

extension Duration {
    var wholeMicroseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
