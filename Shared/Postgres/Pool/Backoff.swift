/// How long to wait before the next attempt: doubling from 100 ms to 5 s, each shortened by up to half at random so that
/// many clients of one restarted server do not return together.
struct Backoff {
    private var ceiling = Self.first

    static let first = Duration.milliseconds(100)
    static let last = Duration.seconds(5)

    mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        defer { ceiling = min(ceiling * 2, Self.last) }
        return ceiling * Double.random(in: 0.5...1, using: &generator)
    }

    mutating func next() -> Duration {
        var generator = SystemRandomNumberGenerator()
        return next(using: &generator)
    }
}
