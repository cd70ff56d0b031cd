package import Instants

/// What happened to a watch at a time, or over a stretch of readings that meant the same.
package struct ExplainedStep: Hashable, Sendable {
    /// The raw values are a promise to clients.
    package enum What: String, CaseIterable, Sendable {
        /// The limits that hold from here.
        case limits
        /// Nothing came.
        case gap
        /// In range, and before as well.
        case inRange
        /// The first reading out of range.
        case opened
        /// Out of range on the other side.
        case flipped
        /// Still out of range.
        case ongoing
        /// In range, but not yet by the dead band.
        case settling
        case recovered
        /// Somebody worked on the water, and nothing was decided of what it measured out of range, or back in it.
        case working
        /// Not newer than what was decided before: it came late.
        case superseded
        /// It is kept as history, on which nothing is decided.
        case history
        /// The person had set no limit, or had not joined the device yet.
        case unlimited
        /// It would have changed something, and no decision on it is stored.
        case undecided
        /// Nothing more was heard of the device, or of the parameter.
        case silent
        /// It was heard again.
        case heard
        /// The probe said that it is broken.
        case broken
        /// The probe gave values again.
        case works
        /// The value had stayed the same for so long that the probe counted as broken.
        case flat
        /// The value changed again.
        case moved
        /// The probe and a second one in the same water lay apart.
        case differing
        /// The two agreed again, or nobody compared them any more.
        case agreeing
        /// The value changed faster than the person wants.
        case changing
        /// It did so no more.
        case steady
        /// The value was on the way to a limit.
        case heading
        /// It was so no more.
        case turned
        /// Somebody measured by hand that it is out of range.
        case byHandOut
        /// It was so no more, by hand, or nobody had measured it again for a day.
        case byHandOver
        /// The person was told that it is over.
        case allClear
        /// Nobody had answered, and the next of the person's chain was called.
        case called
        /// The device was given up.
        case unlinked
    }

    /// What became of the wish to notify. The raw values are a promise to clients.
    package enum Notification: String, CaseIterable, Sendable {
        /// There was nothing to tell.
        case none
        case alerted
        case reminded
        /// Alerted at once, as the value was beyond the critical limit.
        case critical
        /// Alerted of water that keeps leaving its limits, in place of further alarms.
        case unstable
        case stale
        /// The value may have been a glitch of the sensor; the next reading was to tell.
        case held
        case noRecipient
        case throttled
        case delayed
        case acknowledged
        /// Somebody was on it.
        case answered
        case snoozed
        /// The person had been told that the water is unstable.
        case toldUnstable
        /// The person had been told that the value is out of range.
        case outOfRange
        /// The person had quiet hours.
        case quietHours
        /// The person had been told as much within an hour as one can read.
        case tooMany
        /// The person was off shift, and somebody on shift was told.
        case offShift
        /// Nothing is stored that was told, nor why not.
        case unknown
    }

    /// The readings that a step is about.
    package struct Values: Hashable, Sendable {
        package var count: Int
        package var least: Steps
        package var greatest: Steps
        /// The event time of the last.
        package var until: Timestamp

        package init(count: Int, least: Steps, greatest: Steps, until: Timestamp) {
            self.count = count
            self.least = least
            self.greatest = greatest
            self.until = until
        }
    }

    package var what: What
    package var notification: Notification
    /// The event time of the first reading, or the time at which it happened.
    package var time: Timestamp
    package var values: Values?
    package var side: Side?
    /// The limits that hold; `nil` where none are known.
    package var range: PersonalRange?
    /// Until when the reason of the notification holds, or until when nothing came.
    package var holdsUntil: Timestamp?
    /// Whether a value is beyond what the probe can measure.
    package var checkProbe = false
    /// The alert that was made.
    package var alert: PastAlert?

    package init(
        _ what: What, _ notification: Notification = .none, at time: Timestamp, values: Values? = nil,
        side: Side? = nil, range: PersonalRange? = nil, holdsUntil: Timestamp? = nil, checkProbe: Bool = false,
        alert: PastAlert? = nil
    ) {
        self.what = what
        self.notification = notification
        self.time = time
        self.values = values
        self.side = side
        self.range = range
        self.holdsUntil = holdsUntil
        self.checkProbe = checkProbe
        self.alert = alert
    }

    /// Takes over the readings of a step that means the same, if it does.
    mutating func absorb(_ next: ExplainedStep) -> Bool {
        var same = next
        same.time = time
        same.values = values
        guard same == self, alert == nil, isRun, let own = values, let more = next.values, next.time >= own.until
        else { return false }
        values = Values(
            count: own.count + more.count, least: min(own.least, more.least),
            greatest: max(own.greatest, more.greatest),
            until: more.until)
        return true
    }

    /// Whether readings that follow each other can mean it together.
    private var isRun: Bool {
        switch what {
        case .inRange, .ongoing, .settling, .working, .superseded, .history, .unlimited, .undecided: true
        case .limits, .gap, .opened, .flipped, .recovered, .silent, .heard, .broken, .works, .flat, .moved, .differing,
            .agreeing,
            .changing, .steady, .heading, .turned, .byHandOut, .byHandOver, .allClear, .called, .unlinked:
            false
        }
    }
}

extension ExplainedStep.What {
    /// What a decision made of a reading.
    init(_ reason: Decision.Reason) {
        self =
            switch reason {
            case .superseded: .superseded
            case .normal: .inRange
            case .opened: .opened
            case .flipped: .flipped
            // A jump that may be a glitch does not end an episode either.
            case .settling, .held: .settling
            case .recovered: .recovered
            case .working: .working
            // The others are reasons of notifications alone.
            case .ongoing, .reminder, .critical, .unstable, .stale, .noRecipient, .throttled, .delayed,
                .acknowledged, .answered, .snoozed, .toldUnstable, .outOfRange, .quietHours, .tooMany,
                .offShift:
                .ongoing
            }
    }
}

extension ExplainedStep.Notification {
    /// What a decision made of the wish to notify.
    init(_ notification: Decision.Notification) {
        self =
            switch notification.reason {
            case nil: .none
            case .opened, .flipped: .alerted
            case .reminder: .reminded
            case .critical: .critical
            case .unstable: .unstable
            case .stale: .stale
            case .held: .held
            case .noRecipient: .noRecipient
            case .throttled: .throttled
            case .delayed: .delayed
            case .acknowledged: .acknowledged
            case .answered: .answered
            case .snoozed: .snoozed
            case .toldUnstable: .toldUnstable
            case .outOfRange: .outOfRange
            case .quietHours: .quietHours
            case .tooMany: .tooMany
            case .offShift: .offShift
            // Reasons of readings alone.
            case .superseded, .normal, .ongoing, .settling, .recovered, .working: .unknown
            }
    }

    /// What is stored of it.
    init(_ outcome: Decision.Notification.Outcome) {
        self =
            switch outcome {
            case .none: .none
            case .alerted: .alerted
            case .stale: .stale
            case .held: .held
            case .noRecipient: .noRecipient
            case .throttled: .throttled
            case .delayed: .delayed
            case .acknowledged: .acknowledged
            case .answered: .answered
            case .snoozed: .snoozed
            case .toldUnstable: .toldUnstable
            case .outOfRange: .outOfRange
            case .quietHours: .quietHours
            case .tooMany: .tooMany
            case .offShift: .offShift
            }
    }

    /// What a stored alert was.
    init(_ alert: PastAlert) {
        self =
            switch alert.purpose {
            case .reminder: .reminded
            case .alarm: alert.isCritical ? .critical : alert.isUnstable ? .unstable : .alerted
            case .recovery, .ended, .past, .escalation, .calledOff, .test, .note: .alerted
            }
    }
}
