package import Instants

/// Whether the end of an episode is announced.
package enum RecoveryNotice: Hashable, Sendable {
    /// Announce it now.
    case due
    /// Decide again at this time.
    case notBefore(Timestamp)
    /// Decide again when the alarm's deliveries have ended: a recovery never precedes its alarm.
    case awaitsAlarm
    /// Decide again when a reading has shown that the calm lasts, and nothing waits that might show otherwise.
    case awaitsReading
    /// Announce nothing: nobody was told of the trouble, or the trouble is back, or no reading has come for too long.
    case never

    /// When to decide again; `nil` for never.
    /// - Parameter due: Since when the notice might have been announced.
    package func nextLook(after now: Timestamp, due: Timestamp, policy: AlertPolicy) -> Timestamp? {
        let soonest = max(.seconds(1), min(.seconds(10), policy.recoveryDelay))
        return switch self {
        case .due, .never: nil
        case .notBefore, .awaitsAlarm: now + soonest
        // Ever more seldom: thousands may wait for devices that have fallen silent.
        case .awaitsReading: now + min(max(now - due, soonest), Self.seldom)
        }
    }

    private static let seldom = Duration.seconds(600)
    /// How long a reading is waited for: for as long as one that is decided may be under way.
    private static let patience = EventTime.furthestBack

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
        max(now, min(closedAt, now + EventTime.furthestAhead)) + calm(isUnstable: isUnstable, policy: policy)
    }

    /// The longest delay of a first decision.
    package static func longestDelay(_ policy: AlertPolicy) -> Duration { max(policy.recoveryDelay, Flutter.calm) }

    /// How long the calm has to have lasted by a reading, after the one that closed the episode.
    /// - Parameter isUnstable: As for `due`.
    package static func calm(isUnstable: Bool, policy: AlertPolicy) -> Duration {
        isUnstable ? longestDelay(policy) : policy.recoveryDelay
    }

    /// What is known of the water since an episode was closed.
    package enum Calm: Hashable, Sendable {
        /// Readings wait for their decision, or at the broker: any of them might show that the trouble is back.
        case unknown
        /// All that came is decided, the newest reading being of this event time; `nil`: none has come since.
        case until(Timestamp?)
        /// Nothing is read of what has ended, so that no reading can show that it has.
        case unread
    }

    /// Decides for an episode that is closed. Recovery notices are outside the throttle.
    ///
    /// The clock alone never says that all is well: a reading does, from after the delay.
    /// - Parameters:
    ///   - closedAt: The event time of the reading that closed it.
    ///   - closedByOurClock: When that was by ours: a device's may lag by hours, or have been put back since.
    ///   - isUnstable: Whether the last alert said that the water is unstable.
    ///   - isReopened: Whether an episode of the same watch has opened since.
    ///   - isMoot: Whether what the alarm said does not hold for what is asked now: the person has changed the limits.
    package static func decide(
        closedAt: Timestamp, closedByOurClock: Timestamp, alarm: Alarm, isUnstable: Bool = false, isReopened: Bool,
        isMoot: Bool = false, calm: Calm, now: Timestamp, policy: AlertPolicy
    ) -> RecoveryNotice {
        if isReopened || isMoot || alarm == .untold { return .never }
        // An episode closed by a clock that was ahead does not wait until that time comes.
        let latest = EventTime.latest(before: now, now: now)
        let isTrusted = closedAt <= latest && closedByOurClock <= latest
        let due = isTrusted ? closedByOurClock + policy.recoveryDelay : now
        if now < due { return .notBefore(due) }
        guard alarm == .delivered else { return .awaitsAlarm }
        switch calm {
        case .unread: return .due
        case .unknown: break
        case .until(let time):
            let shown = closedAt + Self.calm(isUnstable: isUnstable, policy: policy)
            if !isTrusted || time.map({ $0 >= shown }) ?? false { return .due }
        }
        return now - due > patience ? .never : .awaitsReading
    }
}
