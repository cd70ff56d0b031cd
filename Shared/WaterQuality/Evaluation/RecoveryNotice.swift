package import Instants

/// Whether the end of an episode is announced.
package enum RecoveryNotice: Hashable, Sendable {
    /// Announce it now.
    case due
    /// Decide again at this time.
    case notBefore(Timestamp)
    /// Decide again when the alarm's deliveries have ended: a recovery never precedes its alarm.
    case awaitsAlarm
    /// Announce nothing: nobody was told of the trouble, or the trouble is back.
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
        /// No delivery is accepted yet, and one may still be tried.
        case pending
        /// At least one delivery was accepted.
        case delivered

        /// Sums up all alarms and reminders of the watch since its last recovery notice. They may belong to an earlier
        /// episode whose end was not announced.
        package init(anyDelivered: Bool, anyPending: Bool) {
            self = anyDelivered ? .delivered : anyPending ? .pending : .untold
        }
    }

    /// The time of the first decision, by the database's clock. The delay runs from the later of the closing reading
    /// and the decision to close. A reading's time counts only as far ahead as a clock may be.
    /// - Parameter isUnstable: Whether the last alert said that the water is unstable: it is well again when it has been
    ///   calm for a while.
    package static func due(
        closedAt: Timestamp, isUnstable: Bool = false, now: Timestamp, policy: AlertPolicy
    ) -> Timestamp {
        let delay = isUnstable ? longestDelay(policy) : policy.recoveryDelay
        return max(now, min(closedAt, now + EventTime.furthestAhead)) + delay
    }

    /// The longest delay of a first decision.
    package static func longestDelay(_ policy: AlertPolicy) -> Duration { max(policy.recoveryDelay, Flutter.calm) }

    /// Decides for an episode that is closed. Recovery notices are outside the throttle.
    /// - Parameters:
    ///   - closedAt: The event time of the reading that closed it.
    ///   - isReopened: Whether an episode of the same watch has opened since.
    package static func decide(
        closedAt: Timestamp, alarm: Alarm, isReopened: Bool, now: Timestamp, policy: AlertPolicy
    ) -> RecoveryNotice {
        if isReopened || alarm == .untold { return .never }
        // An episode closed by a clock that was ahead does not wait until that time comes.
        let isTrusted = closedAt <= EventTime.latest(before: now, now: now)
        let due = isTrusted ? closedAt + policy.recoveryDelay : now
        if now < due { return .notBefore(due) }
        return alarm == .delivered ? .due : .awaitsAlarm
    }
}
