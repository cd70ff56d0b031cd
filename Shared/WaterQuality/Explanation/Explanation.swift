package import Instants

/// What came of each reading of a watch in a stretch of time, and why.
///
/// Two sources are joined. What is stored (changes of episodes, alerts, deliveries) says what happened. Of the readings in
/// between nothing is stored, so they are decided once more (`WatchReplay`) by the settings of their time. Where the two
/// differ, the stored truth holds, and the replay goes on from there.
package struct Explanation: Sendable {
    /// The longest stretch that is explained at once.
    package static let longest = Duration.seconds(7 * 86_400)
    /// The most readings of it: a week of a device that sends every 30 seconds has 20,160. Of more, the newest count.
    package static let mostReadings = 25_000
    /// The most steps: the newest.
    package static let mostSteps = 200

    /// Oldest first.
    package let steps: [ExplainedStep]
    /// Whether there were more steps before these.
    package let isCut: Bool
    /// By how much the device's clock was behind then: the known lag, unless the readings prove another.
    package let lag: Duration

    /// - Parameters:
    ///   - readings: Of the stretch, in any order.
    ///   - policy: The operator's, with the person's own throttle.
    ///   - period: The stretch, by event time.
    ///   - now: The database's clock: beyond it nothing can have come.
    ///   - lag: The known lag of the device's clock. All times are told as they were by a right one.
    package init(
        of readings: [PastReading], _ past: WatchPast, policy: AlertPolicy, in period: Range<Timestamp>, now: Timestamp,
        lag: Duration = .zero
    ) {
        var builder = ExplanationBuilder(readings, past, policy: policy, in: period, lag: lag)
        self.lag = builder.lag
        let all = builder.steps(until: min(period.upperBound, now - builder.lag))
        steps = all.suffix(Self.mostSteps)
        isCut = all.count > Self.mostSteps
    }
}
