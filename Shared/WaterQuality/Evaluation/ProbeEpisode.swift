package import Instants

/// A stretch of time that one of the kinds beside range is about: a device, or one of its parameters, was silent; its probe
/// said that it is broken, or its value stayed the same for too long; its value changed faster than a person wants, or was on the
/// way to a limit.
package struct ProbeEpisode: Hashable, Sendable {
    /// What a message calls "since": of a silence, the receipt of the last reading; of a fault, the first word of it, or the first
    /// whole hour in which the value stayed the same; of a change, the reading from which it is measured; of a value on the way to
    /// a limit, the reading that showed it.
    package var openedAt: Timestamp
    /// Whether an alert was made for it. The next one is then a reminder.
    package var isAlerted: Bool
    /// Whether the last attempt to notify found no usable endpoint.
    package var noRecipient: Bool
    /// Of a flat line: its value; `nil` of other faults.
    package var flatAt: Float?

    package init(openedAt: Timestamp, isAlerted: Bool = false, noRecipient: Bool = false, flatAt: Float? = nil) {
        self.openedAt = openedAt
        self.isAlerted = isAlerted
        self.noRecipient = noRecipient
        self.flatAt = flatAt
    }

    /// How long a person may be reminded of a silence or a fault, which is daily: a device may have been put away for good.
    static let remindedFor = Reminders.ofProbe.longest

    /// How often a person is reminded, and for how long.
    struct Reminders {
        let interval: Duration
        let longest: Duration
        /// Whether an alert that is still on its way holds back the next one, however long it takes. Of what follows from
        /// readings it does not, so that the same readings give the same alerts.
        let awaitDelivery: Bool

        static let ofProbe = Reminders(
            interval: .seconds(86_400), longest: .seconds(86_400 * 15 / 2), awaitDelivery: true)
        /// What changed before the last alert is no longer in the window by then, so that a reminder tells of more.
        static let ofChange = Reminders(
            interval: RecentReadings.window, longest: .seconds(86_400), awaitDelivery: false)
        static let never = Reminders(interval: .zero, longest: .zero, awaitDelivery: false)
    }
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

    /// Goes along with a decision.
    /// - Parameters:
    ///   - time: When that was decided on which it decided.
    ///   - alert: The alert that it made, if it is still to be delivered.
    package mutating func follow(_ decision: ProbeDecision, at time: Timestamp, alert: Alert.Reference?) {
        switch decision.action {
        case .nothing: break
        case .open(let episode), .stay(let episode): self.episode = episode
        case .close: episode = nil
        }
        if case .alert = decision.notification { throttle = Throttle(runsFrom: time, pending: alert) }
    }
}

/// The decision on a silence, on a fault of a probe, or on the pace or the way of a value, for one person.
package struct ProbeDecision: Hashable, Sendable {
    /// The change to the episode.
    package enum Action: Hashable, Sendable {
        case nothing
        case open(ProbeEpisode)
        /// The open episode goes on.
        case stay(ProbeEpisode)
        /// It is over.
        /// - Parameters:
        ///   - at: When: the receipt of a reading that ends a silence, the event time of one that ends another kind.
        ///   - recoveryDueAt: When its recovery notice is decided; `nil` where none is owed.
        case close(at: Timestamp, recoveryDueAt: Timestamp?)
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
    ///   - withheld: The reason why it is not told now, if there is one in what else is wrong.
    ///   - now: The database's clock, by which a person snoozes.
    init(
        _ wrong: ProbeEpisode, _ state: ProbeState, at time: Timestamp, latest: Timestamp, age: Duration = .zero,
        unless withheld: Decision.Reason? = nil, reminding reminders: ProbeEpisode.Reminders = .ofProbe,
        now: Timestamp, newAlert: Alert.Reference, policy: AlertPolicy
    ) {
        var episode = wrong
        notification = Self.notify(
            &episode, state, at: time, latest: latest, age: age, unless: withheld, reminding: reminders, now: now,
            newAlert: newAlert, policy: policy)
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

    /// Ends an episode of which no more is said.
    static func end(at time: Timestamp) -> ProbeDecision {
        ProbeDecision(action: .close(at: time, recoveryDueAt: nil), notification: .none)
    }

    /// The order of the checks is that of `evaluate` for readings, but that reminders are rare.
    private static func notify(
        _ episode: inout ProbeEpisode, _ state: ProbeState, at time: Timestamp, latest: Timestamp, age: Duration,
        unless withheld: Decision.Reason?, reminding reminders: ProbeEpisode.Reminders, now: Timestamp,
        newAlert: Alert.Reference, policy: AlertPolicy
    ) -> Decision.Notification {
        if age > policy.staleAfter { return .withheld(.stale) }
        if let withheld { return .withheld(withheld) }
        // A charge by a clock that was ahead does not wait until that time comes.
        let throttle = state.throttle.flatMap { $0.runsFrom > latest ? nil : $0 }
        // Without a charge, because it was refunded, nobody has heard of it.
        let isReminder = episode.isAlerted && throttle != nil
        if isReminder, let throttle {
            guard time - throttle.runsFrom >= reminders.interval, time - episode.openedAt < reminders.longest
            else { return .none }
        }
        guard state.hasRecipient else {
            episode.noRecipient = true
            return .withheld(.noRecipient)
        }
        if let throttle {
            let isHeld = reminders.awaitDelivery && throttle.pending != nil
            if isHeld || !throttle.isFree(at: time, interval: policy.throttle) { return .withheld(.throttled) }
        }
        if let snooze = state.snooze, snooze.holds(at: now) { return .withheld(snooze.reason) }
        episode.isAlerted = true
        episode.noRecipient = false
        return .alert(isReminder ? .reminder : .opened)
    }
}
