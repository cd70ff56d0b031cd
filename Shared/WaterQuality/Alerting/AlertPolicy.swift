/// The intervals and the dead band that decisions use: the operator's defaults with a person's overrides.
package struct AlertPolicy: Hashable, Sendable {
    /// The interval in which a watch gives at most one alert.
    package var throttle: Duration
    /// How long an episode must have stayed closed before a recovery notice.
    package var recoveryDelay: Duration
    /// The age at the time of deciding beyond which a reading is history, not news.
    package var staleAfter: Duration
    /// The number of sensor steps that a value must be back inside the range to end an episode.
    package var deadBand: Int32
    /// How long a device must have sent nothing before it counts as silent, at least.
    package var silenceAfter: Duration
    /// Its bounds. Below a minute an outage of ours could be over before it is noticed.
    package static let silenceBounds: ClosedRange<Duration> = .seconds(60)...(.seconds(86_400))
    /// The longest pause between two readings after which the second is held when it is a suspected spike
    /// (`SuspectedSpike`). Zero holds nothing.
    package var holdWithin: Duration
    /// The longest pause unless the operator says otherwise. A device that sends more seldom would make its people wait
    /// for longer than a silence is waited for.
    package static let usualHold = Duration.seconds(5 * 60)
    package static let holdBounds: ClosedRange<Duration> = .zero...(.seconds(3_600))

    /// How many messages a person is told within an hour; what is beyond is gathered for a digest (`Gathering`). `nil`: as many as
    /// there are.
    package var mostAnHour: Int?
    /// The bound unless the operator says otherwise.
    package static let usualMost = 10

    /// The policy for a site, whose readings come from elsewhere with their source's own delay: stations on rivers hand on by satellite what they
    /// measured an hour ago.
    package var ofSite: AlertPolicy {
        var policy = self
        policy.staleAfter = max(staleAfter, Self.siteDelay)
        return policy
    }
    /// The age up to which a site's reading is news.
    package static let siteDelay = Duration.seconds(3 * 3_600)

    package init(
        throttle: Duration = .seconds(30 * 60), recoveryDelay: Duration = .seconds(5 * 60),
        staleAfter: Duration = .seconds(15 * 60), deadBand: Int32 = 1, silenceAfter: Duration = .seconds(5 * 60),
        holdWithin: Duration = .zero, mostAnHour: Int? = nil
    ) {
        self.throttle = throttle
        self.recoveryDelay = recoveryDelay
        self.staleAfter = staleAfter
        self.deadBand = max(0, min(deadBand, Steps.largest))
        self.silenceAfter = silenceAfter
        self.holdWithin = holdWithin
        self.mostAnHour = mostAnHour
    }
}
