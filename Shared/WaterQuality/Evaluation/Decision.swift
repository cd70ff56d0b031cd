/// What a reading means for a watch, with the state in which it leaves it.
package struct Decision: Hashable, Sendable {
    /// What becomes of the episode.
    package var action: Action
    /// Why, as stored on the transition.
    package var reason: Reason
    /// Who is told what.
    package var notification: Notification
    /// The value is beyond what the sensor measures: a message about it says so. It never replaces an alarm, nor makes
    /// one where the person has set no limit.
    package var checkProbe: Bool
    package var next: WatchState

    /// The change to the episode. The raw values are stored.
    package enum Action: String, CaseIterable, Sendable {
        /// No episode was open and none is.
        case nothing
        case open
        /// The open episode goes on.
        case stay
        /// The open episode is closed, one on the other side opened.
        case flip
        case close
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
        /// A new alert row, under the id that was handed to `evaluate`; `opened`, `reminder` or `flipped`.
        case alert(Reason)
        /// Throttled, but the charging alert has not reached everybody yet: those who still wait for it get the text of
        /// this reading instead.
        case replacesText(Alert.ID)

        /// Why, as stored; `nil` when there is nothing to tell.
        package var reason: Reason? {
            switch self {
            case .none: nil
            case .withheld(let reason), .alert(let reason): reason
            case .replacesText: .throttled
            }
        }
    }
}
