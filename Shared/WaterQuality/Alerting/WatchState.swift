package import Instants

/// The state of one watch: one kind of trouble of a device, or of one of its parameters, for one person.
package struct WatchState: Hashable, Sendable {
    /// The event time of the newest reading that was evaluated (kind range).
    package var lastEvaluated: Timestamp?
    /// Its value; `nil` where that is not known.
    package var lastValue: Steps?
    /// Whether the person has a usable endpoint.
    package var hasRecipient: Bool
    /// Whether alerts of the watch are left to those who are on shift.
    package var isOffShift = false
    /// Why alerts of the watch are gathered for a digest; `nil` where they are told at once.
    package var gathered: Gathering.Reason?
    /// Whether an endpoint of the person hears at all hours, so that it is told at once.
    package var hearsAtOnce = false
    /// The open episode, if any; there is never more than one.
    package var episode: Episode?
    /// The last charge of each side, even when its interval is over; `nil` when there was none, it was refunded, or an
    /// all-clear has given it back since.
    package var throttles: Throttles
    /// The event time of the last reading that was held as a suspected spike, or was critical (kind range). For a while after it a
    /// jump out of range is believed (`SuspectedSpike`).
    package var doubtedAt: Timestamp?

    package init(
        lastEvaluated: Timestamp? = nil, lastValue: Steps? = nil, episode: Episode? = nil,
        throttles: Throttles = .none, doubtedAt: Timestamp? = nil, hasRecipient: Bool
    ) {
        self.lastEvaluated = lastEvaluated
        self.lastValue = lastValue
        self.hasRecipient = hasRecipient
        self.episode = episode
        self.throttles = throttles
        self.doubtedAt = doubtedAt
    }

    /// Whether the person has been told of the open episode: an alert was made for it, and its charge was not refunded.
    package var isTold: Bool {
        guard let episode else { return false }
        return episode.isAlerted && (episode.side.map { throttles[$0] } ?? throttles.latest) != nil
    }
}
