import WaterQuality

extension Verdict {
    /// The least wait after a refusal that only the operator can end.
    static let patienceWithRefusals = Duration.seconds(300)
    /// The wait after too many messages to the push service of an app, where it does not say for how long.
    static let patienceWithLimits = Duration.seconds(60)

    /// The endpoint is gone for good.
    mutating func retire(_ detail: String) {
        outcome = .gone
        isRetriable = false
        retryAfter = nil
        self.detail = detail
    }

    /// The message is tried again, after this time at the earliest.
    mutating func wait(_ least: Duration, _ detail: String) {
        outcome = .retry
        isRetriable = true
        retryAfter = max(retryAfter ?? .zero, least)
        self.detail = detail
    }

    /// The message is tried again when the receiver has asked for it; where it has not said when, after this time.
    mutating func yield(_ standard: Duration, _ detail: String) {
        wait(retryAfter ?? standard, detail)
    }
}
