/// How long to wait before connecting again: doubling from a first delay to a longest, each shortened by up to half at
/// random, so that a thousand clients of a broker that restarts do not come back in one instant.
package struct MQTTBackoff: Sendable {
    package let first: Duration
    package let longest: Duration
    private var failures = 0

    package init(first: Duration = .milliseconds(100), longest: Duration = .seconds(10)) {
        self.first = first
        self.longest = longest
    }

    /// The delay after one more failure.
    package mutating func next() -> Duration {
        var generator = SystemRandomNumberGenerator()
        return next(using: &generator)
    }

    package mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        let whole = min(first * (1 << min(failures, 20)), longest)
        failures += 1
        return whole * Double.random(in: 0.5...1, using: &generator)
    }

    /// After a connection that worked.
    package mutating func reset() { failures = 0 }
}
