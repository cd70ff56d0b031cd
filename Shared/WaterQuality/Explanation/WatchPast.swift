package import Instants

/// A stored reading with its receipt: engines decide in the order of receipts.
package struct PastReading: Hashable, Sendable {
    package var reading: Reading
    package var receivedAt: Timestamp
    /// Whether engines never decide on it: it came again without a time of its own, or was taken long ago.
    package var isHistory: Bool

    package init(reading: Reading, receivedAt: Timestamp, isHistory: Bool = false) {
        self.reading = reading
        self.receivedAt = receivedAt
        self.isHistory = isHistory
    }
}

/// What is stored of the decisions on a watch in a stretch of time, and what they were made by.
package struct WatchPast: Sendable {
    /// The versions of the person's setting, which do not overlap.
    package var settings: [SettingVersion]
    /// Those that were open in the stretch, of each kind.
    package var episodes: [PastEpisode]
    /// What happened to them.
    package var changes: [EpisodeChange]
    /// Those of the stretch and of the week before it, of each kind, in the order in which they were decided.
    package var alerts: [PastAlert]
    package var snoozes: [PastSnooze]
    /// The person's intervals between alerts before the one that holds now.
    package var throttles: [FormerThrottle] = []
    /// When what was measured was decided on for the person, by a right clock: a watcher may see earlier readings.
    package var told = [Timestamp.distantPast ..< .distantFuture]
    /// When alerts to the person were gathered.
    package var gatherings: [PastGathering] = []
    /// When the person was off shift while somebody was on, as far as shifts stand as they stood.
    package var offShift: [Range<Timestamp>] = []
    /// Work on the water.
    package var work: [Work] = []
    /// Who the decisions were for.
    package var person: Account.ID?
    /// When somebody was called because the person had not answered.
    package var calls: [Timestamp] = []

    package init(
        settings: [SettingVersion] = [], episodes: [PastEpisode] = [], changes: [EpisodeChange] = [],
        alerts: [PastAlert] = [], snoozes: [PastSnooze] = []
    ) {
        self.settings = settings
        self.episodes = episodes
        self.changes = changes
        self.alerts = alerts
        self.snoozes = snoozes
    }
}

/// A gathering as it is stored, by the database's clock.
package struct PastGathering: Hashable, Sendable {
    package var reason: Gathering.Reason
    package var since: Timestamp
    /// Until when it was to last.
    package var until: Timestamp
    /// When it ended; `nil` for one that goes on.
    package var endedAt: Timestamp?

    package init(_ reason: Gathering.Reason, since: Timestamp, until: Timestamp, endedAt: Timestamp?) {
        self.reason = reason
        self.since = since
        self.until = until
        self.endedAt = endedAt
    }
}

/// An interval between alerts that a person had until a time.
package struct FormerThrottle: Hashable, Sendable {
    /// By the database's clock.
    package var until: Timestamp
    package var interval: Duration

    package init(until: Timestamp, interval: Duration) {
        self.until = until
        self.interval = interval
    }
}

/// The limits of a stretch of time, and what was asked beside them.
package struct SettingVersion: Hashable, Sendable {
    /// By the database's clock.
    package var period: Range<Timestamp>
    package var range: PersonalRange
    /// When which of the range's periods held.
    package var turns: LimitTurns

    package init(period: Range<Timestamp>, range: PersonalRange, turns: LimitTurns = .none) {
        self.period = period
        self.range = range
        self.turns = turns
    }

    /// The limits for what was measured at a time, by a correct clock.
    func range(for measured: Timestamp) -> PersonalRange { range.held(at: turns.place(at: measured)) }
}

/// An episode as it is stored, of any kind.
package struct PastEpisode: Hashable, Sendable {
    package var id: Episode.ID
    package var kind: Alert.Kind
    /// Of kind range.
    package var side: Side?
    package var openedAt: Timestamp
    package var closedAt: Timestamp?
    /// Whether the last attempt to notify found no usable endpoint.
    package var noRecipient: Bool
    /// Of a fault: its cause.
    package var fault: Fault

    package enum Fault: String, Sendable {
        /// The probe said itself that it is broken.
        case broken
        /// The value stayed the same.
        case flat
        /// The probe and a second one lay apart.
        case differs
    }

    package init(
        id: Episode.ID, kind: Alert.Kind = .range, side: Side?, openedAt: Timestamp, closedAt: Timestamp? = nil,
        noRecipient: Bool = false, fault: Fault = .broken
    ) {
        self.id = id
        self.kind = kind
        self.side = side
        self.openedAt = openedAt
        self.closedAt = closedAt
        self.noRecipient = noRecipient
        self.fault = fault
    }
}

/// A change of an episode as it is stored.
package struct EpisodeChange: Hashable, Sendable {
    /// The raw values are stored.
    package enum Reason: String, CaseIterable, Sendable {
        case opened
        /// The other side began.
        case flipped
        case recovered
        case unlinked
        /// It began in work on the water, which was entered afterwards.
        case working
    }

    package var episode: Episode.ID
    /// The event time of the reading that caused it, if one did.
    package var time: Timestamp
    package var decidedAt: Timestamp
    package var reason: Reason
    package var outcome: Decision.Notification.Outcome

    package init(
        episode: Episode.ID, time: Timestamp, decidedAt: Timestamp, reason: Reason,
        outcome: Decision.Notification.Outcome
    ) {
        self.episode = episode
        self.time = time
        self.decidedAt = decidedAt
        self.reason = reason
        self.outcome = outcome
    }
}

/// An alert as it is stored, with what became of it.
package struct PastAlert: Hashable, Sendable {
    package var id: Alert.ID
    /// By which it is known outside of the database.
    package var name: String
    package var episode: Episode.ID
    package var kind: Alert.Kind
    package var purpose: Alert.Purpose
    /// The endpoints that it was for; `nil` for all.
    package var audience: Alert.Audience?
    /// Of kind range.
    package var side: Side?
    /// The event time of the reading in its text. While it was on its way, newer readings replaced the one that caused it.
    package var eventTime: Timestamp
    package var decidedAt: Timestamp
    package var isCritical: Bool
    /// Whether it said that the water is unstable.
    package var isUnstable: Bool
    package var state: Alert.State
    package var firstAcceptance: Timestamp?
    /// When its last delivery ended.
    package var endedAt: Timestamp?

    package init(
        id: Alert.ID, name: String, episode: Episode.ID, kind: Alert.Kind = .range, purpose: Alert.Purpose,
        side: Side? = nil, eventTime: Timestamp, decidedAt: Timestamp, isCritical: Bool = false,
        isUnstable: Bool = false,
        state: Alert.State = .delivered, firstAcceptance: Timestamp? = nil, endedAt: Timestamp? = nil
    ) {
        self.id = id
        self.name = name
        self.episode = episode
        self.kind = kind
        self.purpose = purpose
        self.side = side
        self.eventTime = eventTime
        self.decidedAt = decidedAt
        self.isCritical = isCritical
        self.isUnstable = isUnstable
        self.state = state
        self.firstAcceptance = firstAcceptance
        self.endedAt = endedAt
    }

    /// Whether somebody had got it at a time of the database's clock.
    func hasArrived(at now: Timestamp) -> Bool { firstAcceptance.map { $0 <= now } ?? false }

    /// Whether it told of trouble of the water.
    var tellsOfWater: Bool { kind == .range && (purpose == .alarm || purpose == .reminder) }

    /// The throttle that it charged, as it stood at a time of the database's clock.
    /// - Parameter charged: The event time of the reading that caused it.
    func throttle(charged: Timestamp, at now: Timestamp) -> Throttle? {
        let throttle = Throttle(
            runsFrom: charged, pending: .stored(id), isCritical: isCritical, isUnstable: isUnstable)
        let acceptance = firstAcceptance.flatMap { $0 <= now ? $0 : nil }
        let hasFailed = (state == .undelivered || state == .cancelled) && (endedAt ?? decidedAt) <= now
        var settled = throttle.settled(
            alert: .stored(id), event: charged, decidedAt: decidedAt, firstAcceptance: acceptance,
            anyPending: acceptance == nil && !hasFailed)
        settled?.pending = nil
        return settled
    }
}

/// A snooze or an acknowledgement of one side as it is stored.
package struct PastSnooze: Hashable, Sendable {
    package var side: Side
    package var snooze: Snooze
    /// When the person cancelled or replaced it.
    package var endedAt: Timestamp?
    /// Of an acknowledgement.
    package var episode: Episode.ID?

    package init(side: Side, snooze: Snooze, endedAt: Timestamp? = nil, episode: Episode.ID? = nil) {
        self.side = side
        self.snooze = snooze
        self.endedAt = endedAt
        self.episode = episode
    }

    /// Whether it held at a time of the database's clock, while an episode was open.
    func held(at now: Timestamp, open: Episode.ID?) -> Bool {
        guard snooze.setAt <= now, now < endedAt ?? .distantFuture else { return false }
        return episode == nil || episode == open
    }
}
