package import Instants

/// When something was found by a device's message, and when that is decided.
package struct FoundAt: Hashable, Sendable {
    /// The event time of the message.
    package var time: Timestamp
    /// The database's clock. It only separates news from history.
    package var now: Timestamp
    /// The constant lag of the device's clock (`DeviceClock`), which is subtracted from the message's age.
    package var lag: Duration

    package init(_ time: Timestamp, now: Timestamp, lag: Duration = .zero) {
        self.time = time
        self.now = now
        self.lag = lag
    }

    /// A time of ours by the device's clock.
    func byDevice(_ time: Timestamp?) -> Timestamp? { time.map { $0 - lag } }

    /// The evidence of something that the message shows.
    func evidence(
        _ trouble: Episode.Trouble, since: Timestamp, withheld: Decision.Reason? = nil
    ) -> Finding.Evidence {
        Finding.Evidence(
            trouble, since: since, at: time, latest: EventTime.latest(before: time, now: now, lag: lag),
            age: now - lag - time, withheld: withheld)
    }
}
