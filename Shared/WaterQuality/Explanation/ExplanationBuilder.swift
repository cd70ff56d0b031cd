import Instants

/// Makes an explanation of readings and of what is stored.
struct ExplanationBuilder {
    private let period: Range<Timestamp>
    private let policy: AlertPolicy
    private let past: WatchPast
    /// In the order in which engines decided.
    private let readings: [PastReading]
    private var stored: StoredEvents

    /// By how much the device's clock is behind. Steps tell times as they were by a right clock: what was decided is stored with
    /// those already.
    let lag: Duration

    private var replay = WatchReplay()
    private var clock: DeviceClock
    /// The open episode.
    private var open: PastEpisode?
    private var charges: [Side: Charge] = [:]
    /// The newest stored decision so far: what came after it was decided no earlier.
    private var decidedAt = Timestamp.distantPast
    private var lastTime: Timestamp?
    private var rhythm: RecentRhythm
    private var toldLimits: PersonalRange?
    private var steps: [ExplainedStep] = []
    /// The step that the next reading may belong to.
    private var run: Int?

    init(
        _ readings: [PastReading], _ past: WatchPast, policy: AlertPolicy, in period: Range<Timestamp>, lag: Duration
    ) {
        self.period = period
        self.policy = policy
        self.past = past
        self.readings = readings.sorted { ($0.receivedAt, $0.reading.time) < ($1.receivedAt, $1.reading.time) }
        rhythm = RecentRhythm(readings.map(\.reading.time))
        clock = DeviceClock(of: self.readings, now: lag)
        self.lag = clock.lag
        stored = StoredEvents(past, readings: self.readings, in: period, lag: clock.lag)
    }

    // MARK: The walk

    mutating func steps(until end: Timestamp) -> [ExplainedStep] {
        if let first = readings.first {
            begin(first)
            tellLimits(at: first.receivedAt, from: first.reading.time)
            tellGap(from: period.lowerBound, to: first.reading.time)
        } else {
            tellLimits(at: end, from: period.lowerBound)
            let until = max(end, period.lowerBound) + lag
            steps.append(ExplainedStep(.gap, at: period.lowerBound + lag, holdsUntil: until))
        }
        for (reading, company) in zip(readings, Company.all(of: readings)) {
            tellOthers(before: reading.receivedAt)
            take(reading, company)
        }
        tellOthers(before: .distantFuture)
        for alert in stored.leftAlerts {
            steps.append(ExplainedStep(.ongoing, past.told(by: alert), at: alert.eventTime + lag, alert: alert))
        }
        if let lastTime { tellGap(from: lastTime, to: end) }
        let order = steps.indices.sorted { (steps[$0].time, $0) < (steps[$1].time, $1) }
        return order.map { steps[$0] }
    }

    /// Takes up the state of the watch before the first reading.
    private mutating func begin(_ first: PastReading) {
        let earlier = stored.alerts(before: first)
        for alert in earlier {
            guard let side = stored.side(of: alert) else { continue }
            charges[side] = Charge(alert: alert, time: stored.cause(of: alert, before: first))
        }
        open = stored.open(before: first.reading)
        guard let open, let side = open.side else { return }
        let told = earlier.filter { $0.episode == open.id }
        replay.state.episode = Episode(
            side: side, openedAt: open.openedAt, worst: first.reading.value, isAlerted: !told.isEmpty,
            isCritical: told.contains(where: \.isCritical))
    }

    private mutating func take(_ received: PastReading, _ company: Company) {
        let reading = received.reading
        if let lastTime {
            tellGap(from: lastTime, to: reading.time)
            rhythm.add(reading.time - lastTime)
        }
        let newest = lastTime
        lastTime = max(lastTime ?? reading.time, reading.time)
        if received.isHistory { return tell(.history, of: reading) }
        let changes = stored.takeChanges(at: reading.time)
        decidedAt = changes.map(\.decidedAt).reduce(decidedAt, max)
        let now = max(received.receivedAt, decidedAt)
        if clock.observe(reading.time, receivedAt: received.receivedAt, newest: newest) {
            (replay.state.lastEvaluated, replay.state.lastValue) = (nil, nil)
        }
        tellLimits(at: now, from: reading.time)
        guard past.told.contains(where: { $0.contains(reading.time + lag) }),
            let setting = past.setting(at: now)?.range(for: reading.time + lag),
            let rules = setting.rules(past.policy(policy, at: now)), !setting.isUnlimited || open != nil
        else {
            (replay.state.lastEvaluated, replay.state.lastValue) = (reading.time, reading.value)
            return tell(.unlimited, of: reading)
        }
        let near =
            changes.isEmpty ? open.flatMap { stored.alert(mayBeOf: received, in: $0.id, next: company.next) } : nil
        replay.state.throttles = throttles(at: now)
        if near != nil { (replay.state.hasRecipient, replay.state.isOffShift) = (true, false) }
        replay.state.gathered = past.gathering(at: now)?.reason
        replay.state.hearsAtOnce = near != nil
        if setting.tellsUnstable { replay.flutter = stored.flutter(until: reading.time) }
        let before = replay.state
        let decision = replay.decide(
            reading, by: rules, snoozes: past.held(at: now, open: open?.id),
            work: past.work.working(
                at: reading.time + clock.lag, after: before.lastEvaluated.map { $0 + clock.lag }, for: past.person),
            now: now, lag: clock.lag)
        if changes.isEmpty {
            // Of several readings that came together the one that alerts when it is decided once more, else the one in the text.
            let isIts = decision.isAlert || near?.eventTime == reading.time || company.isLast
            let alert = isIts && decision.reason != .superseded ? near : nil
            if let alert { stored.take(alert) }
            settle(decision, of: reading, before, setting, alert, at: now)
        } else {
            // A jump that the replay holds and the engine did not was not doubted.
            if decision.reason == .held { replay.state.doubtedAt = before.doubtedAt }
            follow(changes, reading, decision, setting, at: now)
        }
    }

    /// Tells of a reading of which no change is stored.
    private mutating func settle(
        _ decision: Decision, of reading: Reading, _ before: WatchState, _ setting: PersonalRange, _ alert: PastAlert?,
        at now: Timestamp
    ) {
        var notification = ExplainedStep.Notification(decision.notification)
        let mayBeHeld = SuspectedSpike.mayBeHeld(reading, after: before, of: setting.parameter, policy: policy)
        switch decision.action {
        case .flip where mayBeHeld, .close where mayBeHeld:
            // What came before the stretch is not known here, and the engine knew it: it has held the reading.
            replay.state = before
            (replay.state.lastEvaluated, replay.state.lastValue) = (reading.time, reading.value)
            replay.state.doubtedAt = reading.time
            return tell(.settling, .held, of: reading, side: open?.side, setting, checkProbe: decision.checkProbe)
        case .open, .flip, .close:
            replay.state = before
            return tell(.undecided, of: reading)
        case .nothing, .stay:
            if let alert {
                note(alert, at: reading.time)
                notification = past.told(by: alert)
            } else if case .alert = decision.notification {
                replay.state.episode = before.episode
                notification = untold(at: now)
            }
        }
        tell(
            .init(decision.reason), notification, of: reading, side: open?.side, setting,
            holdsUntil: end(of: notification, at: now, setting), checkProbe: decision.checkProbe, alert: alert)
    }

    /// Why nothing is stored of an alert that the replay made.
    private mutating func untold(at now: Timestamp) -> ExplainedStep.Notification {
        if past.isOffShift(at: now) { return .offShift }
        guard let open, open.noRecipient, !stored.hasAlerts(of: open.id) else { return .unknown }
        replay.state.hasRecipient = false
        return .noRecipient
    }

    /// Goes on from what is stored of a reading, whatever the replay made of it.
    private mutating func follow(
        _ changes: [EpisodeChange], _ reading: Reading, _ decision: Decision, _ setting: PersonalRange,
        at now: Timestamp
    ) {
        guard let opened = changes.first(where: { $0.reason == .opened }),
            let episode = stored.episodes[opened.episode],
            let side = episode.side
        else {
            (open, replay.state.episode) = (nil, nil)
            let what: ExplainedStep.What =
                changes.contains { $0.reason == .recovered }
                ? .recovered : changes.contains { $0.reason == .working } ? .working : .unlinked
            return tell(what, of: reading, setting, checkProbe: decision.checkProbe)
        }
        let alert = stored.alert(of: opened)
        begin(episode, at: reading, opened, alert)
        let notification = alert.map { past.told(by: $0) } ?? .init(opened.outcome)
        tell(
            changes.contains { $0.reason == .flipped } ? .flipped : .opened, notification, of: reading, side: side,
            setting, holdsUntil: end(of: notification, at: now, setting), checkProbe: decision.checkProbe, alert: alert)
    }

    private mutating func begin(
        _ episode: PastEpisode, at reading: Reading, _ opened: EpisodeChange, _ alert: PastAlert?
    ) {
        open = episode
        replay.state.episode = episode.side.map { Episode(side: $0, openedAt: reading.time, worst: reading.value) }
        if opened.outcome == .alerted { note(alert, at: reading.time) }
        if opened.outcome == .noRecipient { replay.state.hasRecipient = false }
        // The outcome that is stored of an opening holds until something was told.
        replay.state.isOffShift = opened.outcome == .offShift
    }

    private mutating func note(_ alert: PastAlert?, at time: Timestamp) {
        if let side = open?.side { charges[side] = Charge(alert: alert, time: time) }
        replay.state.hasRecipient = true
        replay.state.isOffShift = false
        replay.state.episode?.isAlerted = true
        if alert?.isCritical == true { replay.state.episode?.noteCritical() }
    }

    // MARK: Telling

    private mutating func tell(
        _ what: ExplainedStep.What, _ notification: ExplainedStep.Notification = .none, of reading: Reading,
        side: Side? = nil, _ setting: PersonalRange? = nil, holdsUntil: Timestamp? = nil, checkProbe: Bool = false,
        alert: PastAlert? = nil
    ) {
        let time = reading.time + lag
        let step = ExplainedStep(
            what, notification, at: time,
            values: .init(count: 1, least: reading.value, greatest: reading.value, until: time), side: side,
            range: setting, holdsUntil: holdsUntil, checkProbe: checkProbe, alert: alert)
        if let run, steps[run].absorb(step) { return }
        run = steps.count
        steps.append(step)
    }

    /// Tells something between two readings, which are two steps then.
    private mutating func interrupt(with step: ExplainedStep) {
        run = nil
        steps.append(step)
    }

    private mutating func tellGap(from start: Timestamp, to end: Timestamp) {
        guard end - start > policy.silenceAfter, end - start > Hearing.allowance(usual: rhythm.usual, policy: policy)
        else { return }
        interrupt(with: ExplainedStep(.gap, at: start + lag, holdsUntil: end + lag))
    }

    /// Says which limits hold, unless that was said.
    private mutating func tellLimits(at now: Timestamp, from time: Timestamp) {
        guard let version = past.setting(at: now) else { return }
        let range = version.range(for: time + lag)
        guard toldLimits.map({ !$0.asksTheSame(as: range) }) ?? true else { return }
        let turned = version.turns.last(until: time + lag) ?? .distantPast
        let begins = max(version.period.lowerBound, turned, period.lowerBound + lag)
        let start = toldLimits == nil ? time + lag : min(begins, time + lag)
        toldLimits = range
        interrupt(with: ExplainedStep(.limits, at: start, range: range))
    }

    /// Tells what was stored before a time and no reading stands for.
    private mutating func tellOthers(before time: Timestamp) {
        while let event = stored.takeOther(before: time) {
            decidedAt = max(decidedAt, event.decidedAt)
            switch event {
            case .alert(let alert):
                let what = alert.what(fault: stored.episodes[alert.episode]?.fault ?? .broken)
                steps.append(ExplainedStep(what, past.told(by: alert), at: alert.decidedAt, alert: alert))
            case .change(let change): tell(change)
            case .call(let time): steps.append(ExplainedStep(.called, .none, at: time))
            }
        }
    }

    private mutating func tell(_ change: EpisodeChange) {
        guard let episode = stored.episodes[change.episode] else { return }
        let alert = stored.alert(of: change)
        let notification = alert.map { past.told(by: $0) } ?? .init(change.outcome)
        func step(_ what: ExplainedStep.What, at time: Timestamp) -> ExplainedStep {
            ExplainedStep(what, notification, at: time, side: episode.side, alert: alert)
        }
        switch (episode.kind, change.reason) {
        case (.range, .opened):
            begin(episode, at: Reading(time: change.time, value: Steps(0)), change, alert)
            interrupt(with: step(.opened, at: change.time + lag))
        case (.range, let reason):
            if open?.id == episode.id { (open, replay.state.episode) = (nil, nil) }
            // The other side tells of itself.
            if reason != .flipped {
                interrupt(
                    with: step(
                        reason == .recovered ? .recovered : reason == .working ? .working : .unlinked,
                        at: change.time + lag))
            }
        case (let kind, let reason):
            guard let what = ExplainedStep.What(kind, reason, fault: episode.fault) else { return }
            steps.append(step(what, at: what.isAtReading ? change.time + lag : change.decidedAt))
        }
    }

    // MARK: Ends of reasons

    private func throttles(at now: Timestamp) -> Throttles {
        let allClear = stored.allClear(until: now)
        return Throttles(
            low: charges[.low]?.throttle(at: now, after: allClear),
            high: charges[.high]?.throttle(at: now, after: allClear))
    }

    /// Until when the reason holds that something was not told.
    private func end(
        of notification: ExplainedStep.Notification, at now: Timestamp, _ setting: PersonalRange
    ) -> Timestamp? {
        switch notification {
        case .throttled:
            open?.side.flatMap { throttles(at: now)[$0] }.map {
                $0.runsFrom + past.policy(policy, at: now).throttle + lag
            }
        case .delayed: replay.state.episode.map { $0.openedAt + setting.delay + lag }
        case .snoozed: open?.side.flatMap { past.held(at: now, $0, open: open?.id)?.snooze.until }
        case .quietHours, .tooMany: past.gathering(at: now)?.until
        case .none, .alerted, .reminded, .critical, .unstable, .stale, .held, .noRecipient, .acknowledged,
            .answered, .toldUnstable, .outOfRange, .offShift,
            .unknown:
            nil
        }
    }
}

extension PastAlert {
    /// What it told of, where neither a reading nor a change stands beside it.
    /// - Parameter fault: The cause of its episode, of a fault.
    fileprivate func what(fault: PastEpisode.Fault) -> ExplainedStep.What {
        if purpose == .recovery || purpose == .past { return .allClear }
        return switch kind {
        case .range, .test, .way, .signIn, .summary, .proof, .care: .ongoing
        case .silence: .silent
        case .fault: fault.begun
        case .rate: .changing
        case .ahead: .heading
        case .byHand: .byHandOut
        }
    }
}

extension Decision {
    fileprivate var isAlert: Bool {
        if case .alert = notification { true } else { false }
    }
}
