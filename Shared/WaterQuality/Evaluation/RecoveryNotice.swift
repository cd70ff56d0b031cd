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

    /// How far the alarm of the episode got.
    package enum Alarm: Hashable, Sendable {
        /// No alert was made, or every delivery ended unaccepted.
        case untold
        /// Nothing is accepted yet, and a delivery may still be tried.
        case pending
        /// At least one delivery was accepted.
        case delivered
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
