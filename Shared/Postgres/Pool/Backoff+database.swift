import Backoff

extension Backoff {
    /// For a database that restarts: 50 to 100 ms at first, 2.5 to 5 s in the end.
    static let toDatabase = Backoff(base: .milliseconds(100), cap: .seconds(5), jitter: .half)
}
