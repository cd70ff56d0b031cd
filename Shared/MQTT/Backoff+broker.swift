package import Backoff

extension Backoff {
    /// The pace at which the many clients of a broker reconnect: after 50 to 100 ms at first, 5 to 10 s in the end.
    package static let toBroker = Backoff(base: .milliseconds(100), cap: .seconds(10), jitter: .half)
}
