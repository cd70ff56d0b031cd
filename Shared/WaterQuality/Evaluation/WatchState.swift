package import Instants

/// The state of one watch: a person's range for one parameter of one device.
package struct WatchState: Hashable, Sendable {
    /// The event time of the newest reading that was evaluated.
    package var lastEvaluated: Timestamp?
    /// Its value; `nil` where that is not known.
    package var lastValue: Steps?
    /// The open episode, if any; there is never more than one.
    package var episode: Episode?
    /// The last charge, even when its interval is over; `nil` when there was none or it was refunded.
    package var throttle: Throttle?
    /// Whether the person has a usable endpoint.
    package var hasRecipient: Bool

    package init(
        lastEvaluated: Timestamp? = nil, lastValue: Steps? = nil, episode: Episode? = nil,
        throttle: Throttle? = nil, hasRecipient: Bool
    ) {
        self.lastEvaluated = lastEvaluated
        self.lastValue = lastValue
        self.episode = episode
        self.throttle = throttle
        self.hasRecipient = hasRecipient
    }
}
