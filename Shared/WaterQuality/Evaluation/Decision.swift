package import Instants

/// What a reading means for a watch.
package struct Decision: Hashable, Sendable {
    /// What becomes of the episode.
    package let action: Action
    /// Why, as stored on the transition.
    package let reason: Reason
    /// Who is told what.
    package let notification: Notification
    /// The value is beyond what the sensor measures: a message about it says so. It never replaces an alarm, nor makes
    /// one where the person has set no limit.
    package let checkProbe: Bool
    /// The watch after the reading, but for its episode.
    private let rest: WatchState

    /// - Parameter state: The watch after the reading; its episode follows from the action.
    init(
        _ action: Action, because reason: Reason, _ notification: Notification = .none, checkProbe: Bool,
        _ state: WatchState
    ) {
        self.action = action
        self.reason = reason
        self.notification = notification
        self.checkProbe = checkProbe
        rest = state
    }

    /// The watch after the reading.
    package var next: WatchState {
        var next = rest
        switch action {
        case .nothing: break
        case .open(let episode), .stay(let episode), .flip(_, let episode): next.episode = episode
        case .close: next.episode = nil
        }
        return next
    }

    /// The change to the episode.
    package enum Action: Hashable, Sendable {
        /// Nothing changes: no episode was open and none is, or the reading is superseded.
        case nothing
        case open(Episode)
        /// The open episode goes on.
        case stay(Episode)
        /// The open episode ends as one on the other side begins.
        case flip(from: Episode, to: Episode)
        /// The open episode ends.
        /// - Parameter recoveryDueAt: By the database's clock: when its all-clear is decided.
        case close(recoveryDueAt: Timestamp)
    }

    /// Why something happened or did not. The raw values are stored.
    package enum Reason: String, CaseIterable, Sendable {
        /// Not newer than the last reading evaluated.
        case superseded
        /// In range, and was so before.
        case normal
        /// The first reading out of range; of an alert: the first of its episode.
        case opened
        /// Still out of range on the same side.
        case ongoing
        /// Of an alert: not the first of its episode.
        case reminder
        /// Out of range on the other side.
        case flipped
        /// In range, but not yet by the dead band.
        case settling
        case recovered
        /// No alert: the reading was too old when decided on.
        case stale
        /// No alert: the person has no usable endpoint.
        case noRecipient
        /// No alert: the last one was too short a time ago, or is still on its way.
        case throttled
    }

    /// What the reading means for the person.
    package enum Notification: Hashable, Sendable {
        /// Nothing to tell.
        case none
        /// Something to tell, but not now, for this reason.
        case withheld(Reason)
        /// A new alert, the one that `evaluate` was told of; `opened`, `reminder` or `flipped`.
        case alert(Reason)
        /// Throttled, but the charging alert has not reached everybody yet: those who still wait for it get the text of
        /// this reading instead.
        case replacesText(Alert.Reference)

        /// Why; `nil` when there is nothing to tell.
        package var reason: Reason? {
            switch self {
            case .none: nil
            case .withheld(let reason), .alert(let reason): reason
            case .replacesText: .throttled
            }
        }

        /// What a transition says of the notification. The raw values are stored.
        package enum Outcome: String, Sendable {
            case none, alerted, stale, noRecipient, throttled
        }

        package var outcome: Outcome {
            switch self {
            case .none: .none
            case .alert: .alerted
            case .withheld(.stale): .stale
            case .withheld(.noRecipient): .noRecipient
            case .withheld, .replacesText: .throttled
            }
        }
    }
}
