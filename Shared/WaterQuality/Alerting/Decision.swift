package import Instants

/// The decision on one finding of a watch.
package struct Decision: Hashable, Sendable {
    /// The change to the episode.
    package let action: Action
    /// The reason, as stored on the transition.
    package let reason: Reason
    /// The message to the person, if any.
    package let notification: Notification
    /// Whether the value is beyond what the sensor can measure, so that a message about it says to check the probe. It
    /// never replaces an alarm, nor makes one where the person has set no limit.
    package let checkProbe: Bool
    /// Whether the value is beyond the person's critical limit, so that a message about it says so.
    package let isCritical: Bool
    /// Whether a message about it says that the water is still out of range after the work.
    package let isAfterWork: Bool
    /// The watch after the reading.
    package private(set) var next: WatchState

    /// - Parameter state: The watch after the reading, but for its episode, which follows from the action.
    @inline(__always)
    init(
        _ action: Action, because reason: Reason, _ notification: Notification = .none, checkProbe: Bool,
        isCritical: Bool = false, isAfterWork: Bool = false, _ state: WatchState
    ) {
        self.action = action
        self.reason = reason
        self.notification = notification
        self.checkProbe = checkProbe
        self.isCritical = isCritical
        self.isAfterWork = isAfterWork
        next = state
        switch action {
        case .nothing: break
        case .open(let episode), .stay(let episode), .flip(_, let episode): next.episode = episode
        case .close: next.episode = nil
        }
    }

    /// The change to the episode.
    package enum Action: Hashable, Sendable {
        /// Nothing changes: no episode was open and none opens, the reading is superseded, or what goes on is the same as before.
        case nothing
        case open(Episode)
        /// The open episode goes on.
        case stay(Episode)
        /// The open episode ends as one on the other side begins.
        case flip(from: Side?, to: Episode)
        /// The open episode ends.
        /// - Parameters:
        ///   - at: Of a silence, the receipt of the reading that ends it; of other kinds, its event time.
        ///   - recoveryDueAt: The time, by the database's clock, at which its recovery notice is decided; `nil` where none is owed.
        case close(at: Timestamp, recoveryDueAt: Timestamp?)
    }

    /// Why something happened or did not. The raw values are stored.
    package enum Reason: String, CaseIterable, Sendable {
        /// The reading is not newer than the last one evaluated.
        case superseded
        /// The value is in range and was before.
        case normal
        /// The first reading out of range. On an alert: the first of its episode.
        case opened
        /// The value is still out of range on the same side.
        case ongoing
        /// On an alert: a later one of its episode.
        case reminder
        /// The value is out of range on the other side.
        case flipped
        /// On an alert: the first value beyond the critical limit, which nothing but age and want of an endpoint withholds.
        case critical
        /// On an alert: in place of alarms of water that keeps leaving its range (`Flutter`).
        case unstable
        /// The value is in range, but not yet by the dead band.
        case settling
        case recovered
        /// No alert: the reading was too old when it was decided.
        case stale
        /// The value has jumped out of the open episode, back into range or to the other side, and may be a glitch of the sensor,
        /// which the next reading will tell (`SuspectedSpike`). On a notification: no alert yet, for the same reason.
        case held
        /// No alert: the person has no usable endpoint.
        case noRecipient
        /// No alert: the last one was too recent, or is still on its way.
        case throttled
        /// No alert: the value has not been out of range for as long as the person wants to wait.
        case delayed
        /// No alert: the person knows of this episode.
        case acknowledged
        /// No alert: somebody is on it.
        case answered
        /// No alert: the person wants none of this side for a while.
        case snoozed
        /// No alert: the person was told that the water is unstable, and it still is.
        case toldUnstable
        /// No alert, or one to endpoints that hear at all hours alone: the person has quiet hours.
        case quietHours
        /// Likewise: the person was told as much within an hour as one can read.
        case tooMany
        /// No alert, not of a critical value either: the person is off shift, and somebody on shift can be told.
        case offShift
        /// Somebody works on the water: no episode opens, and an open one waits.
        case working
        /// No alert that the value changes fast, or is on the way to a limit: the person was told that it is out of range, and it still is.
        case outOfRange
    }

    /// The consequence for the person.
    package enum Notification: Hashable, Sendable {
        /// Nothing to tell.
        case none
        /// Something to tell, but not now, for this reason.
        case withheld(Reason)
        /// A new alert, under the reference given to `evaluate`. The reason is `opened`, `reminder`, `flipped`,
        /// `critical` or `unstable`.
        case alert(Reason)
        /// The throttle is charged, but its alert has not reached every endpoint yet. Pending deliveries get the text
        /// of this reading instead.
        case replacesText(Alert.Reference)

        /// The reason; `nil` when there is nothing to tell.
        package var reason: Reason? {
            switch self {
            case .none: nil
            case .withheld(let reason), .alert(let reason): reason
            case .replacesText: .throttled
            }
        }

        /// The notification's outcome on a transition. The raw values are stored.
        package enum Outcome: String, CaseIterable, Sendable {
            case none, alerted, stale, held, noRecipient, throttled, delayed, acknowledged, answered, snoozed
            case toldUnstable
            case outOfRange
            case quietHours, tooMany
            case offShift
        }

        package var outcome: Outcome {
            switch self {
            case .none: .none
            case .alert: .alerted
            case .withheld(.stale): .stale
            case .withheld(.held): .held
            case .withheld(.noRecipient): .noRecipient
            case .withheld(.delayed): .delayed
            case .withheld(.acknowledged): .acknowledged
            case .withheld(.answered): .answered
            case .withheld(.snoozed): .snoozed
            case .withheld(.toldUnstable): .toldUnstable
            case .withheld(.outOfRange): .outOfRange
            case .withheld(.quietHours): .quietHours
            case .withheld(.tooMany): .tooMany
            case .withheld(.offShift): .offShift
            case .withheld, .replacesText: .throttled
            }
        }
    }
}
