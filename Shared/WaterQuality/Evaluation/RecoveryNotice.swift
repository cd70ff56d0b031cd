package import Instants

/// Whether the end of an episode is told.
package enum RecoveryNotice: Hashable, Sendable {
    /// Now.
    case due
    /// Ask again at this time.
    case notBefore(Timestamp)
    /// Ask again when the deliveries of the alarm have ended: a recovery never precedes its alarm.
    case awaitsAlarm
    /// Not at all: nobody was told of the trouble, or it is back.
    case never

    package var isAskedAgain: Bool {
        switch self {
        case .notBefore, .awaitsAlarm: true
        case .due, .never: false
        }
    }

    /// How far the alarm of the episode got.
    package enum Alarm: Hashable, Sendable {
        /// No alert was made, or every delivery ended unaccepted.
        case untold
        /// Nothing is accepted yet, and a delivery may still be tried.
        case pending
        /// At least one delivery was accepted.
        case delivered

        /// Of all alarms and reminders of the watch since its last all-clear: perhaps of an episode before the one that ended, whose
        /// end nobody was told of.
        package init(anyDelivered: Bool, anyPending: Bool) {
            self = anyDelivered ? .delivered : anyPending ? .pending : .untold
        }
    }

    /// When the question is asked first, by the database's clock: after the delay, from the reading or, where that is older, from
    /// the decision. A reading from further ahead than a clock may be delays nothing more.
    package static func due(closedAt: Timestamp, now: Timestamp, policy: AlertPolicy) -> Timestamp {
        max(now, min(closedAt, now + EventTime.furthestAhead)) + policy.recoveryDelay
    }

    /// Decides for an episode that is closed. Recovery notices are outside the throttle.
    /// - Parameters:
    ///   - closedAt: The event time of the reading that closed it.
    ///   - isReopened: Whether an episode of the same watch has opened since.
    package static func decide(
        closedAt: Timestamp, alarm: Alarm, isReopened: Bool, now: Timestamp, policy: AlertPolicy
    ) -> RecoveryNotice {
        if isReopened || alarm == .untold { return .never }
        // Closed by a clock that was ahead: nobody waits until it is right.
        let isTrusted = closedAt <= EventTime.latest(before: now, now: now)
        let due = isTrusted ? closedAt + policy.recoveryDelay : now
        if now < due { return .notBefore(due) }
        return alarm == .delivered ? .due : .awaitsAlarm
    }
}
