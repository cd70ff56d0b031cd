import Instants
import Store
import WaterQuality

/// The changes that the decisions of one transaction make, gathered in memory and written by one statement for each kind of
/// row (`Ledger.write`).
struct Ledger: Sendable {
    /// All that is known of one watch while the transaction decides.
    private struct Watch {
        var episode: Episode?
        var throttles = Throttles.none
        var doubtedAt: Timestamp?
        var snoozes = Snoozes.none
        var flutter = Flutter.none
        /// The position of the record of the open episode, or else of the last one that was open.
        var record: Int?
        /// The last episode that recovered in this transaction. It gives no recovery notice if the trouble begins again.
        var recovered: Int?
    }

    /// One side of a watch, which has a throttle of its own.
    private struct SideKey: Hashable {
        var subject: Subject
        var side: Side?
    }

    /// When something was found, and the times that its consequences carry.
    struct Moment {
        var time: Timestamp
        var receivedAt: Timestamp?
        /// The database's clock.
        var now: Timestamp
        /// The latest time that a stored mark can rightly carry (`EventTime.latest`).
        var latest: Timestamp
        /// The value that was decided on, in the parameter's canonical unit; `nil` where none was.
        var value: Float?
        /// Until when others may follow that are told with it; `nil` where nothing waits for them.
        var settlesAt: Timestamp?
    }

    private var watches: [Subject: Watch] = [:]
    /// The people who have a usable endpoint, of those that were looked up.
    private var recipients: [Account.ID: Recipient] = [:]
    /// People for whom alerts are gathered from now on.
    private(set) var gatherings: [Account.ID: Gathering] = [:]
    /// The first alert to a person of what is told together.
    private var groups: [GroupKey: Alert.UID] = [:]
    private var records: [EpisodeRecord] = []
    private var changed: Set<Int> = []
    /// The episodes of which no new alert tells, since just now: their person could not be told, or an alert that is on its way takes their text.
    private var untold: Set<Int> = []
    private(set) var newEpisodes = 0
    private(set) var alerts: [AlertRecord] = []
    private(set) var transitions: [AddTransitions.Transition] = []
    private(set) var reopened: [Subject] = []
    private var replacements: [Alert.ID: ReplaceAlertTexts.Replacement] = [:]
    private var charges: [SideKey: (at: Timestamp, alert: Alert.Reference)] = [:]
    private(set) var counts = DecisionCounts()
    private let makeUID: @Sendable (Timestamp) -> Alert.UID

    /// - Parameter makeUID: Makes the id of an alert from the time of its decision.
    init(makeUID: @escaping @Sendable (Timestamp) -> Alert.UID = Alert.UID.random) {
        self.makeUID = makeUID
    }

    // MARK: What is stored

    /// Takes over what is stored about some watches.
    mutating func load(_ stored: StoredWatches) {
        // A recipient that this ledger holds already was told of something since: the stored row is older.
        for recipient in stored.recipients {
            recipients[recipient.account, default: recipient].duties.merge(recipient.duties) { $1 }
        }
        for row in stored.episodes {
            records.append(
                EpisodeRecord(
                    subject: row.subject, reference: .stored(row.id), episode: row.episode, lastAt: row.lastAt,
                    value: row.value,
                    alert: row.alert.map { .stored($0) }, doubtedAt: row.doubtedAt))
            watches[row.subject, default: Watch()].episode = row.episode
            watches[row.subject]!.record = records.count - 1
            doubt(row.subject, at: row.doubtedAt)
        }
        for row in stored.throttles {
            // A side may have been charged by engines of both versions.
            if let other = watches[row.subject]?.throttles[row.side], other.runsFrom >= row.throttle.runsFrom {
                continue
            }
            watches[row.subject, default: Watch()].throttles[row.side] = row.throttle
        }
        for row in stored.snoozes {
            // An acknowledgement holds for its own episode.
            let open = watches[row.subject]?.record.map { records[$0].reference }
            if let episode = row.episode, open != .stored(episode) { continue }
            watches[row.subject, default: Watch()].snoozes[row.side] = row.snooze
        }
        for row in stored.recent {
            let subject = Subject(
                device: row.key.device, parameter: row.key.parameter, account: row.key.account, kind: .range)
            watches[subject, default: Watch()].flutter = Flutter(openings: row.openings)
            doubt(subject, at: row.doubtedAt)
        }
    }

    private mutating func doubt(_ subject: Subject, at time: Timestamp?) {
        guard let time else { return }
        watches[subject]!.doubtedAt = max(watches[subject]!.doubtedAt ?? time, time)
    }

    /// The state of a watch, with the decisions so far applied.
    func state(of subject: Subject, lastEvaluated: Timestamp? = nil, lastValue: Steps? = nil) -> WatchState {
        let watch = watches[subject]
        let recipient = recipients[subject.account]
        var state = WatchState(
            lastEvaluated: lastEvaluated, lastValue: lastValue, episode: watch?.episode,
            throttles: watch?.throttles ?? .none, doubtedAt: watch?.doubtedAt, hasRecipient: recipient != nil)
        state.isOffShift = recipient?.isOffShift(subject) ?? false
        if let recipient, let gathering = recipient.gathering(of: subject.device) {
            state.gathered = gathering.holds(subject.kind, of: subject.parameter)
            state.hearsAtOnce = recipient.hearsAtOnce
        }
        return state
    }

    /// The snoozes of a watch, with the decisions so far applied.
    func snoozes(of subject: Subject) -> Snoozes { watches[subject]?.snoozes ?? .none }

    /// The last episodes of a watch, likewise; none unless its person asks to be told of unstable water.
    func flutter(of subject: Subject) -> Flutter { watches[subject]?.flutter ?? .none }

    /// Whether a watch has an open episode of which its person has been told.
    func isTold(_ subject: Subject) -> Bool {
        guard watches[subject]?.episode != nil else { return false }
        return state(of: subject).isTold
    }

    /// The reference that the next alert will have.
    var nextAlert: Alert.Reference { .new(alerts.count) }

    // MARK: Decisions

    /// Decides what was found of a watch, and records all consequences.
    /// - Parameters:
    ///   - policy: With the person's own throttle.
    ///   - find: Is given the open episode.
    ///   - content: What an alert of the episode says.
    mutating func decide(
        _ subject: Subject, at moment: Moment, checkProbe: Bool = false, policy: AlertPolicy,
        find: (Episode?) -> Finding, content: (Episode) -> Alert.Content
    ) {
        let decision = decision(on: subject, checkProbe: checkProbe, now: moment.now, policy: policy, find: find)
        record(decision, of: subject, at: moment) { episode, _ in content(episode) }
    }

    /// Whether a decision on what was found of a watch would make an alert. Without any consequence.
    func tells(_ subject: Subject, now: Timestamp, policy: AlertPolicy, find: (Episode?) -> Finding) -> Bool {
        let decision = decision(on: subject, checkProbe: false, now: now, policy: policy, find: find)
        if case .alert = decision.notification { return true }
        return false
    }

    private func decision(
        on subject: Subject, checkProbe: Bool, now: Timestamp, policy: AlertPolicy, find: (Episode?) -> Finding
    ) -> Decision {
        let state = state(of: subject)
        return WaterQuality.decide(
            find(state.episode), state, by: subject.kind.rules, snoozes: snoozes(of: subject), checkProbe: checkProbe,
            now: now, newAlert: nextAlert, policy: policy)
    }

    /// Records all consequences of a decision on one watch.
    /// - Parameters:
    ///   - tellsUnstable: Whether its person asks to be told of unstable water.
    ///   - content: What an alert of an episode says, made for a reason.
    mutating func record(
        _ decision: Decision, of subject: Subject, at moment: Moment, tellsUnstable: Bool = false,
        content: (Episode, Decision.Reason) -> Alert.Content
    ) {
        var watch = watches[subject] ?? Watch()
        let couldBeTold = watch.episode?.noRecipient != true
        watch.snoozes.follow(decision.action, of: watch.episode)
        if tellsUnstable { watch.flutter.follow(decision.action) }
        watch.episode = decision.next.episode
        watch.throttles = decision.next.throttles
        watch.doubtedAt = decision.next.doubtedAt
        counts.add(decision, of: subject.kind)
        switch decision.action {
        case .nothing: break
        case .open(let episode): open(episode, subject, &watch, decision, moment)
        case .stay(let episode): update(episode, watch, moment)
        case .flip(_, let episode):
            close(watch, because: .flipped, at: moment.time, moment, recoveryDueAt: nil)
            open(episode, subject, &watch, decision, moment)
        case .close(let time, let recoveryDueAt):
            // The recovery sweep finds out whether the person was alerted to this episode, or to an earlier one whose
            // end was not announced.
            watch.recovered = watch.record
            close(watch, because: .recovered, at: time, moment, recoveryDueAt: recoveryDueAt)
        }
        switch decision.notification {
        case .none, .withheld: break
        case .alert(let reason): alert(subject, watch, reason, moment, content)
        case .replacesText(let alert): replaceText(of: alert, watch, decision, moment, content)
        }
        watches[subject] = watch
        if couldBeTold, watch.episode?.noRecipient == true, let record = watch.record { untold.insert(record) }
        if decision.notification != .none, watch.episode?.isGathered == true { gather(subject.account) }
    }

    /// Begins to gather for a person, unless that has begun.
    private mutating func gather(_ account: Account.ID) {
        guard let recipient = recipients[account], !recipient.isGathering else { return }
        gatherings[account] = recipient.gathering
    }

    /// Adds the notice that what was wrong is right again.
    /// - Parameters:
    ///   - site: The devices with which one fell silent.
    ///   - settlesAt: Until when others may follow that are told with it.
    /// - Returns: When to decide again, for those who hear of it later; `nil` where all have heard.
    mutating func announce(
        _ row: TakeDueRecoveries.Row, of site: SilentSite? = nil, settlesAt: Timestamp? = nil, now: Timestamp
    ) -> Timestamp? {
        let recipient = recipients[row.subject.account]
        let announcement = row.announcement(to: recipient)
        if announcement.now {
            let (uid, audience) = (makeUID(now), announcement.audience)
            let content = row.content.of(site)
            let key = GroupKey(
                account: row.subject.account, place: Place(row.subject.device, content), audience: audience,
                isOver: true)
            alerts.append(
                AlertRecord(
                    subject: row.subject, alert: nextAlert, uid: uid, episode: .stored(row.episode),
                    purpose: .recovery, content: content, openedAt: row.openedAt, eventTime: row.closedAt,
                    receivedAt: nil, audience: audience, group: join(key, uid), settlesAt: settlesAt))
        }
        guard announcement.isHeldBack, let until = recipient?.gathering(of: row.subject.device)?.until else {
            return nil
        }
        return min(max(until, now + .seconds(1)), now + Self.heldBack)
    }

    /// How soon it is looked again whether an end that is held back can be told: the night may be another by then.
    private static let heldBack = Duration.seconds(5 * 60)

    /// - Returns: The first alert of the group, which may be this one.
    private mutating func join(_ key: GroupKey, _ alert: Alert.UID) -> Alert.UID {
        if let first = groups[key] { return first }
        groups[key] = alert
        return alert
    }

    private mutating func open(
        _ episode: Episode, _ subject: Subject, _ watch: inout Watch, _ decision: Decision, _ moment: Moment
    ) {
        if let recovered = watch.recovered { records[recovered].recoveryDueAt = nil }
        reopened.append(subject)
        let reference = Episode.Reference.new(newEpisodes)
        newEpisodes += 1
        records.append(
            EpisodeRecord(
                subject: subject, reference: reference, episode: episode, lastAt: max(moment.time, episode.openedAt),
                value: moment.value,
                doubtedAt: watch.doubtedAt))
        watch.record = records.count - 1
        changed.insert(records.count - 1)
        transitions.append(
            AddTransitions.Transition(
                slot: subject.device.slot, episode: reference, at: episode.openedAt, reason: .opened,
                notification: decision.notification.outcome, value: moment.value))
    }

    private mutating func update(_ episode: Episode, _ watch: Watch, _ moment: Moment) {
        let index = index(of: watch)
        let lastAt = records[index].lastAt
        records[index].lastAt = lastAt > moment.latest ? moment.time : max(lastAt, moment.time)
        records[index].episode = episode
        records[index].value = moment.value
        records[index].doubtedAt = watch.doubtedAt
        changed.insert(index)
    }

    private mutating func close(
        _ watch: Watch, because reason: Decision.Reason, at time: Timestamp, _ moment: Moment,
        recoveryDueAt: Timestamp?
    ) {
        let index = index(of: watch)
        records[index].closedAt = time
        records[index].closedBecause = reason
        records[index].value = moment.value
        records[index].recoveryDueAt = recoveryDueAt
        // Findings that the trouble goes on were not recorded each time.
        if !records[index].subject.kind.rules.recordsEach { records[index].lastAt = max(records[index].lastAt, time) }
        changed.insert(index)
        transitions.append(
            AddTransitions.Transition(
                slot: records[index].subject.device.slot, episode: records[index].reference, at: time,
                reason: reason, notification: .none, value: moment.value))
    }

    private mutating func alert(
        _ subject: Subject, _ watch: Watch, _ reason: Decision.Reason, _ moment: Moment,
        _ content: (Episode, Decision.Reason) -> Alert.Content
    ) {
        let (index, alert) = (index(of: watch), nextAlert)
        let record = records[index]
        let audience: Alert.Audience? = record.episode.isGathered ? .atOnce : nil
        let uid = makeUID(moment.now)
        let content = content(record.episode, reason)
        let group = join(
            GroupKey(
                account: subject.account, place: Place(subject.device, content), audience: audience, isOver: false),
            uid)
        // Of what is one message nothing is gathered because the rest was told.
        if audience == nil, group == uid, content.site == nil { recipients[subject.account]?.tell(now: moment.now) }
        let isReminder = reason == .reminder
        alerts.append(
            AlertRecord(
                subject: subject, alert: alert, uid: uid, episode: record.reference,
                purpose: isReminder ? .reminder : .alarm, content: content,
                openedAt: record.episode.openedAt, eventTime: moment.time, receivedAt: moment.receivedAt,
                audience: audience, group: group,
                settlesAt: isReminder && moment.settlesAt != nil
                    ? SharedSilence.remindersSettle(after: moment.now) : moment.settlesAt))
        records[index].alert = alert
        records[index].lastAt = max(record.lastAt, moment.time)
        changed.insert(index)
        charges[SideKey(subject: subject, side: record.episode.side)] = (at: moment.time, alert: alert)
    }

    private mutating func replaceText(
        of alert: Alert.Reference, _ watch: Watch, _ decision: Decision, _ moment: Moment,
        _ content: (Episode, Decision.Reason) -> Alert.Content
    ) {
        let index = index(of: watch)
        // It may have been made for an episode that has closed since; from here on it is of this one.
        if records[index].alert != alert { untold.insert(index) }
        records[index].alert = alert
        changed.insert(index)
        let record = records[index]
        let text = content(record.episode, decision.reason)
        switch alert {
        case .new(let position):
            let isSame = alerts[position].episode == record.reference
            if !isSame { alerts[position].purpose = .alarm }
            alerts[position].episode = record.reference
            alerts[position].openedAt = record.episode.openedAt
            alerts[position].content.replaceText(by: text, ofSameEpisode: isSame)
            alerts[position].eventTime = moment.time
            alerts[position].receivedAt = moment.receivedAt
        case .stored(let id):
            replacements[id] = ReplaceAlertTexts.Replacement(
                slot: record.subject.device.slot, alert: id, content: text, isCritical: decision.isCritical,
                eventTime: moment.time, receivedAt: moment.receivedAt, episode: record.reference,
                openedAt: record.episode.openedAt)
        }
    }

    private func index(of watch: Watch) -> Int {
        guard let index = watch.record else {
            preconditionFailure("an episode goes on or ends, or is told of, only after it was opened or loaded")
        }
        return index
    }

    // MARK: What is to be written

    /// Whether anything but watermarks changed.
    var isEmpty: Bool { changed.isEmpty && alerts.isEmpty && replacements.isEmpty }

    /// The episodes to write. An older episode of a watch stands before a newer one.
    var episodes: [EpisodeRecord] { changed.sorted().map { records[$0] } }

    /// The episodes of which no new alert tells, since just now, as far as they are open.
    var untoldEpisodes: [EpisodeRecord] { untold.sorted().map { records[$0] }.filter { $0.closedAt == nil } }

    var textReplacements: [ReplaceAlertTexts.Replacement] { Array(replacements.values) }

    /// The charges to write, each of one side of a watch.
    var throttleCharges: [(subject: Subject, side: Side?, at: Timestamp, alert: Alert.Reference)] {
        charges.map { (subject: $0.key.subject, side: $0.key.side, at: $0.value.at, alert: $0.value.alert) }
    }
}

/// The number of decisions that were made, for the metrics.
struct DecisionCounts: Sendable {
    /// Of readings (kind range).
    private(set) var byReason: [Decision.Reason: Int] = [:]
    /// Of every kind.
    private(set) var notifications: [Decision.Reason: Int] = [:]

    mutating func add(_ decision: Decision, of kind: Alert.Kind) {
        if kind == .range { byReason[decision.reason, default: 0] += 1 }
        if let reason = decision.notification.reason { notifications[reason, default: 0] += 1 }
    }
}
