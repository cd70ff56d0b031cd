package import Instants

/// A stretch of time in which nothing was heard of a device, or of one of its parameters, for one person.
package struct Silence: Hashable, Sendable {
    /// The receipt of the last reading before it: what a message calls "since".
    package var heardAt: Timestamp
    /// Whether an alert was made for it. The next one is then a reminder.
    package var isAlerted: Bool
    /// Whether the last attempt to notify found no usable endpoint.
    package var noRecipient: Bool

    package init(heardAt: Timestamp, isAlerted: Bool = false, noRecipient: Bool = false) {
        self.heardAt = heardAt
        self.isAlerted = isAlerted
        self.noRecipient = noRecipient
    }

    /// How often a person is reminded, and for how long: a device may have been put away for good.
    static let reminder = Duration.seconds(86_400)
    static let remindedFor = reminder * 15 / 2
}

/// The state of a person's device with regard to silence. Each time is the database's.
package struct SilenceState: Hashable, Sendable {
    /// The open silence, if any.
    package var silence: Silence?
    /// The last charge, even when its interval is over; `nil` when there was none or it was refunded.
    package var throttle: Throttle?
    /// Whether the person has a usable endpoint.
    package var hasRecipient: Bool
    /// Since when the device's readings are the person's; `nil` for always.
    package var theirsFrom: Timestamp?
    /// The person's wish to hear nothing of it for a while.
    package var snooze: Snooze?

    package init(
        silence: Silence? = nil, throttle: Throttle? = nil, hasRecipient: Bool, theirsFrom: Timestamp? = nil,
        snooze: Snooze? = nil
    ) {
        self.silence = silence
        self.throttle = throttle
        self.hasRecipient = hasRecipient
        self.theirsFrom = theirsFrom
        self.snooze = snooze
    }
}

/// The decision on one look at a person's device.
package struct SilenceDecision: Hashable, Sendable {
    /// The change to the silence.
    package enum Action: Hashable, Sendable {
        case nothing
        case open(Silence)
        /// The open silence goes on.
        case stay(Silence)
        /// The device is heard again.
        /// - Parameters:
        ///   - heardAt: The receipt of its last reading.
        ///   - recoveryDueAt: When its recovery notice is decided.
        case close(heardAt: Timestamp, recoveryDueAt: Timestamp)
    }

    package let action: Action
    package let notification: Decision.Notification
}

/// Decides what a look at a device means for a person (kind silence). Pure and total.
///
/// - Parameters:
///   - hearing: Whether the device is heard. It is never `silent` while we do not hear anybody.
///   - heardAt: The receipt of its last reading, if that is known.
///   - now: The database's clock.
///   - newAlert: The reference for an alert that this decision makes.
package func evaluate(
    _ hearing: Hearing, heardAt: Timestamp?, _ state: SilenceState, now: Timestamp, newAlert: Alert.Reference,
    policy: AlertPolicy
) -> SilenceDecision {
    if let open = state.silence, let heardAt, heardAt > open.heardAt {
        // Heard again; perhaps silent again since, which the next look finds.
        let due = RecoveryNotice.due(closedAt: heardAt, now: now, policy: policy)
        return SilenceDecision(action: .close(heardAt: heardAt, recoveryDueAt: due), notification: .none)
    }
    guard hearing == .silent, let heardAt = heardAt ?? state.silence?.heardAt else {
        return SilenceDecision(action: .nothing, notification: .none)
    }
    // What was heard last belongs to somebody else: this person has never heard the device.
    if state.silence == nil, let theirsFrom = state.theirsFrom, heardAt < theirsFrom {
        return SilenceDecision(action: .nothing, notification: .none)
    }
    var silence = state.silence ?? Silence(heardAt: heardAt)
    let notification = notify(&silence, state, now: now, newAlert: newAlert, policy: policy)
    if state.silence == nil { return SilenceDecision(action: .open(silence), notification: notification) }
    return SilenceDecision(
        action: silence == state.silence ? .nothing : .stay(silence), notification: notification)
}

/// The order of the checks is that of `evaluate` for readings.
private func notify(
    _ silence: inout Silence, _ state: SilenceState, now: Timestamp, newAlert: Alert.Reference, policy: AlertPolicy
) -> Decision.Notification {
    // A charge by a clock that was ahead does not wait until that time comes.
    let throttle = state.throttle.flatMap { $0.runsFrom > now ? nil : $0 }
    // Without a charge, because it was refunded, nobody has heard of it.
    let isReminder = silence.isAlerted && throttle != nil
    if isReminder, let throttle {
        guard now - throttle.runsFrom >= Silence.reminder, now - silence.heardAt < Silence.remindedFor else {
            return .none
        }
    }
    guard state.hasRecipient else {
        silence.noRecipient = true
        return .withheld(.noRecipient)
    }
    if let throttle, throttle.pending != nil || !throttle.isFree(at: now, interval: policy.throttle) {
        return .withheld(.throttled)
    }
    if let snooze = state.snooze, snooze.holds(at: now) { return .withheld(snooze.reason) }
    silence.isAlerted = true
    silence.noRecipient = false
    return .alert(isReminder ? .reminder : .opened)
}
