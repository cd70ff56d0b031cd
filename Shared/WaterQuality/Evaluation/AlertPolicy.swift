/// The intervals and the band that decisions are made with: the operator's defaults and a person's overrides.
package struct AlertPolicy: Hashable, Sendable {
    /// At most one alert of a watch in this time.
    package var throttle: Duration
    /// An episode must have stayed closed this long before its recovery is told.
    package var recoveryDelay: Duration
    /// A reading older than this when it is decided on is history, not news.
    package var staleAfter: Duration
    /// By how many sensor steps a value must be back inside to end an episode.
    package var deadBand: Int32

    package init(
        throttle: Duration = .seconds(30 * 60), recoveryDelay: Duration = .seconds(5 * 60),
        staleAfter: Duration = .seconds(15 * 60), deadBand: Int32 = 1
    ) {
        self.throttle = throttle
        self.recoveryDelay = recoveryDelay
        self.staleAfter = staleAfter
        self.deadBand = max(0, min(deadBand, Steps.largest))
    }
}
