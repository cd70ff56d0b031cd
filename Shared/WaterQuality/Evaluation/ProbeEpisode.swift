package import Instants

/// A stretch of time in which a device, or one of its parameters, told a person nothing of the water: it was silent, or its
/// probe said that it is broken.
package struct ProbeEpisode: Hashable, Sendable {
    /// What a message calls "since": of a silence, the receipt of the last reading; of a fault, the first word of it.
    package var openedAt: Timestamp
    /// Whether an alert was made for it. The next one is then a reminder.
    package var isAlerted: Bool
    /// Whether the last attempt to notify found no usable endpoint.
    package var noRecipient: Bool

    package init(openedAt: Timestamp, isAlerted: Bool = false, noRecipient: Bool = false) {
        self.openedAt = openedAt
        self.isAlerted = isAlerted
        self.noRecipient = noRecipient
    }

    /// How often a person is reminded, and for how long: a device may have been put away for good.
    static let reminder = Duration.seconds(86_400)
    static let remindedFor = reminder * 15 / 2
}

/// The state of a person's device, or of a parameter of it, with regard to episodes of one such kind.
package struct ProbeState: Hashable, Sendable {
    /// The open episode, if any.
    package var episode: ProbeEpisode?
    /// The last charge, even when its interval is over; `nil` when there was none or it was refunded.
    package var throttle: Throttle?
    /// Whether the person has a usable endpoint.
    package var hasRecipient: Bool
    /// Since when the device's readings are the person's; `nil` for always.
    package var theirsFrom: Timestamp?
    /// The person's wish to hear nothing of it for a while.
    package var snooze: Snooze?

    package init(
        episode: ProbeEpisode? = nil, throttle: Throttle? = nil, hasRecipient: Bool, theirsFrom: Timestamp? = nil,
        snooze: Snooze? = nil
    ) {
        self.episode = episode
        self.throttle = throttle
        self.hasRecipient = hasRecipient
        self.theirsFrom = theirsFrom
        self.snooze = snooze
    }
}

/// The decision on a silence, or on a fault of a probe, for one person.
package struct ProbeDecision: Hashable, Sendable {
    /// The change to the episode.
    package enum Action: Hashable, Sendable {
        case nothing
        case open(ProbeEpisode)
        /// The open episode goes on.
        case stay(ProbeEpisode)
        /// The water is told again.
        /// - Parameters:
        ///   - at: When: the receipt of a reading that ends a silence, the event time of one that ends a fault.
        ///   - recoveryDueAt: When its recovery notice is decided.
        case close(at: Timestamp, recoveryDueAt: Timestamp)
    }

    package let action: Action
    package let notification: Decision.Notification

    static let nothing = ProbeDecision(action: .nothing, notification: .none)

    /// A decision on something that is wrong.
    /// - Parameters:
    ///   - wrong: The episode that is open or opens.
    ///   - time: When it is wrong, by the clock that throttles of this kind run by.
    ///   - latest: The latest time that a charge can rightly carry.
    ///   - age: How long ago that was.
    ///   - now: The database's clock, by which a person snoozes.
    init(
        _ wrong: ProbeEpisode, _ state: ProbeState, at time: Timestamp, latest: Timestamp, age: Duration = .zero,
        now: Timestamp, newAlert: Alert.Reference, policy: AlertPolicy
    ) {
        var episode = wrong
        notification = Self.notify(
            &episode, state, at: time, latest: latest, age: age, now: now, newAlert: newAlert, policy: policy)
        action = state.episode == nil ? .open(episode) : episode == state.episode ? .nothing : .stay(episode)
    }

    private init(action: Action, notification: Decision.Notification) {
        self.action = action
        self.notification = notification
    }

    static func close(at time: Timestamp, now: Timestamp, policy: AlertPolicy) -> ProbeDecision {
        let due = RecoveryNotice.due(closedAt: time, now: now, policy: policy)
        return ProbeDecision(action: .close(at: time, recoveryDueAt: due), notification: .none)
    }

    /// The order of the checks is that of `evaluate` for readings, but that reminders are rare.
    private static func notify(
        _ episode: inout ProbeEpisode, _ state: ProbeState, at time: Timestamp, latest: Timestamp, age: Duration,
        now: Timestamp, newAlert: Alert.Reference, policy: AlertPolicy
    ) -> Decision.Notification {
        if age > policy.staleAfter { return .withheld(.stale) }
        // A charge by a clock that was ahead does not wait until that time comes.
        let throttle = state.throttle.flatMap { $0.runsFrom > latest ? nil : $0 }
        // Without a charge, because it was refunded, nobody has heard of it.
        let isReminder = episode.isAlerted && throttle != nil
        if isReminder, let throttle {
            guard time - throttle.runsFrom >= ProbeEpisode.reminder, time - episode.openedAt < ProbeEpisode.remindedFor
            else { return .none }
        }
        guard state.hasRecipient else {
            episode.noRecipient = true
            return .withheld(.noRecipient)
        }
        if let throttle, throttle.pending != nil || !throttle.isFree(at: time, interval: policy.throttle) {
            return .withheld(.throttled)
        }
        if let snooze = state.snooze, snooze.holds(at: now) { return .withheld(snooze.reason) }
        episode.isAlerted = true
        episode.noRecipient = false
        return .alert(isReminder ? .reminder : .opened)
    }
}
