import Instants
import Store
import WaterQuality

/// The changes that the decisions of one claim make, gathered in memory and written by one statement for each kind of
/// row.
struct Ledger: Sendable {
    /// All that is known of one watch while the claim is decided.
    private struct Watch {
        var episode: Episode?
        var throttles = Throttles.none
        var doubtedAt: Timestamp?
        var snoozes = Snoozes.none
        var flutter = Flutter.none
        /// The position of the record of the open episode, or else of the last one that was open.
        var record: Int?
        /// The last episode that recovered in this claim. It gives no recovery notice if the watch goes out of range
        /// again.
        var recovered: Int?
    }

    /// One side of a watch, which has a throttle of its own.
    private struct SideKey: Hashable {
        var watch: WatchKey
        var side: Side
    }

    /// A value that was decided on, and the times that its consequences carry.
    struct Evidence {
        /// The value in the parameter's canonical unit.
        var value: Float
        var time: Timestamp
        var receivedAt: Timestamp
        /// The database's clock.
        var now: Timestamp
        /// The latest time that a stored mark can rightly carry (`EventTime.latest`).
        var latest: Timestamp
        /// The person's range and rules, for the limit that was crossed.
        var range: SafeRange
        var rules = WatchRules.none
    }

    private var watches: [WatchKey: Watch] = [:]
    private var records: [EpisodeRecord] = []
    private var changed: Set<Int> = []
    private(set) var newEpisodes = 0
    private(set) var alerts: [AlertRecord] = []
    private(set) var transitions: [AddTransitions.Transition] = []
    private(set) var reopened: [WatchKey] = []
    private var replacements: [Alert.ID: ReplaceAlertTexts.Replacement] = [:]
    private var charges: [SideKey: (at: Timestamp, alert: Alert.Reference)] = [:]
    private(set) var counts = DecisionCounts()
    private let makeUID: @Sendable (Timestamp) -> Alert.UID

    /// - Parameter makeUID: Makes the id of an alert from the time of its decision.
    init(makeUID: @escaping @Sendable (Timestamp) -> Alert.UID = Alert.UID.random) {
        self.makeUID = makeUID
    }

    /// Takes over what is stored about the watches of one claim.
    mutating func load(
        episodes: [LoadOpenEpisodes.Row], throttles: [LoadThrottles.Row], snoozes: [LoadSnoozes.Row] = [],
        recent: [LoadRecentEpisodes.Row] = []
    ) {
        for row in episodes {
            records.append(
                EpisodeRecord(
                    key: row.key, episode: .stored(row.episode), side: row.side, openedAt: row.openedAt,
                    lastAt: row.lastAt, worst: row.worst, alert: row.alert.map { .stored($0) },
                    noRecipient: row.noRecipient, isCritical: row.isCritical, doubtedAt: row.doubtedAt))
            watches[row.key, default: Watch()].episode = Episode(
                side: row.side, openedAt: row.openedAt, worst: row.key.parameter.steps(of: row.worst),
                isAlerted: row.alert != nil, noRecipient: row.noRecipient, isCritical: row.isCritical)
            watches[row.key]!.record = records.count - 1
            if let doubtedAt = row.doubtedAt {
                watches[row.key]!.doubtedAt = max(watches[row.key]!.doubtedAt ?? doubtedAt, doubtedAt)
            }
        }
        for row in throttles {
            // A side may have been charged by engines of both versions.
            if let other = watches[row.key]?.throttles[row.side], other.runsFrom >= row.chargedAt { continue }
            watches[row.key, default: Watch()].throttles[row.side] = Throttle(
                runsFrom: row.chargedAt, pending: row.isPending ? .stored(row.alert) : nil, isCritical: row.isCritical,
                isUnstable: row.isUnstable)
        }
        for row in snoozes {
            // An acknowledgement holds for its own episode.
            let open = watches[row.key]?.record.map { records[$0].episode }
            if let episode = row.episode, open != .stored(episode) { continue }
            watches[row.key, default: Watch()].snoozes[row.side] = row.snooze
        }
        for row in recent {
            watches[row.key, default: Watch()].flutter = Flutter(openings: row.openings)
            if let doubtedAt = row.doubtedAt {
                watches[row.key]!.doubtedAt = max(watches[row.key]!.doubtedAt ?? doubtedAt, doubtedAt)
            }
        }
    }

    /// The state of a watch, with the decisions of this claim applied.
    func state(
        of key: WatchKey, lastEvaluated: Timestamp?, lastValue: Steps? = nil, hasRecipient: Bool
    ) -> WatchState {
        let watch = watches[key]
        return WatchState(
            lastEvaluated: lastEvaluated, lastValue: lastValue, episode: watch?.episode,
            throttles: watch?.throttles ?? .none, doubtedAt: watch?.doubtedAt, hasRecipient: hasRecipient)
    }

    /// What its person wants to hear nothing of for a while, with the decisions of this claim applied.
    func snoozes(of key: WatchKey) -> Snoozes { watches[key]?.snoozes ?? .none }

    /// Its last episodes, likewise; none unless its person asks to be told of unstable water.
    func flutter(of key: WatchKey) -> Flutter { watches[key]?.flutter ?? .none }

    /// Whether a watch is out of range, and its person has been told of it.
    func isTold(_ key: WatchKey) -> Bool {
        guard watches[key]?.episode != nil else { return false }
        return state(of: key, lastEvaluated: nil, hasRecipient: true).isTold
    }

    /// The reference that the next alert will have.
    var nextAlert: Alert.Reference { .new(alerts.count) }

    /// Records all consequences of a decision on one reading of one watch.
    mutating func record(_ decision: Decision, of key: WatchKey, on evidence: Evidence) {
        var watch = watches[key] ?? Watch()
        watch.snoozes.follow(decision.action, of: watch.episode)
        if evidence.rules.tellsUnstable { watch.flutter.follow(decision.action) }
        watch.episode = decision.next.episode
        watch.throttles = decision.next.throttles
        watch.doubtedAt = decision.next.doubtedAt
        counts.add(decision)
        switch decision.action {
        case .nothing: break
        case .open(let episode): open(episode, key, &watch, decision, evidence)
        case .stay(let episode): update(episode, watch, evidence)
        case .flip(_, let episode):
            close(watch, because: .flipped, evidence, recoveryDueAt: nil)
            open(episode, key, &watch, decision, evidence)
        case .close(let recoveryDueAt):
            // The recovery sweep finds out whether the person was alerted to this episode, or to an earlier one whose
            // end was not announced.
            watch.recovered = watch.record
            close(watch, because: .recovered, evidence, recoveryDueAt: recoveryDueAt)
        }
        switch decision.notification {
        case .none, .withheld: break
        case .alert(let reason): alert(key, watch, reason, decision, evidence)
        case .replacesText(let alert): replaceText(of: alert, key, watch, decision, evidence)
        }
        watches[key] = watch
    }

    private mutating func open(
        _ episode: Episode, _ key: WatchKey, _ watch: inout Watch, _ decision: Decision, _ evidence: Evidence
    ) {
        if let recovered = watch.recovered { records[recovered].recoveryDueAt = nil }
        reopened.append(key)
        let reference = Episode.Reference.new(newEpisodes)
        newEpisodes += 1
        records.append(
            EpisodeRecord(
                key: key, episode: reference, side: episode.side, openedAt: evidence.time, lastAt: evidence.time,
                worst: key.parameter.value(of: episode.worst), noRecipient: episode.noRecipient,
                isCritical: episode.isCritical, doubtedAt: watch.doubtedAt))
        watch.record = records.count - 1
        changed.insert(records.count - 1)
        transitions.append(
            AddTransitions.Transition(
                slot: key.device.slot, episode: reference, at: evidence.time, reason: .opened,
                notification: decision.notification.outcome, value: evidence.value))
    }

    private mutating func update(_ episode: Episode, _ watch: Watch, _ evidence: Evidence) {
        let index = index(of: watch)
        let lastAt = records[index].lastAt
        records[index].lastAt = lastAt > evidence.latest ? evidence.time : max(lastAt, evidence.time)
        records[index].openedAt = episode.openedAt
        records[index].worst = records[index].key.parameter.value(of: episode.worst)
        records[index].noRecipient = episode.noRecipient
        records[index].isCritical = episode.isCritical
        records[index].doubtedAt = watch.doubtedAt
        changed.insert(index)
    }

    private mutating func close(
        _ watch: Watch, because reason: Decision.Reason, _ evidence: Evidence, recoveryDueAt: Timestamp?
    ) {
        let index = index(of: watch)
        records[index].closedAt = evidence.time
        records[index].closedBecause = reason
        records[index].closedValue = evidence.value
        records[index].recoveryDueAt = recoveryDueAt
        changed.insert(index)
        transitions.append(
            AddTransitions.Transition(
                slot: records[index].key.device.slot, episode: records[index].episode, at: evidence.time,
                reason: reason, notification: .none, value: evidence.value))
    }

    private mutating func alert(
        _ key: WatchKey, _ watch: Watch, _ reason: Decision.Reason, _ decision: Decision, _ evidence: Evidence
    ) {
        let (index, alert) = (index(of: watch), nextAlert)
        let episode = records[index]
        let limit =
            decision.isCritical
            ? evidence.rules.critical.limit(on: episode.side) : evidence.range.limit(on: episode.side)
        alerts.append(
            AlertRecord(
                key: key, alert: alert, uid: makeUID(evidence.now), episode: episode.episode,
                purpose: reason == .reminder ? .reminder : .alarm, side: episode.side, value: evidence.value,
                worst: episode.worst, limit: limit.map(key.parameter.value(of:)), checkProbe: decision.checkProbe,
                isCritical: decision.isCritical, isUnstable: reason == .unstable, openedAt: episode.openedAt,
                eventTime: evidence.time, receivedAt: evidence.receivedAt))
        records[index].alert = alert
        records[index].noRecipient = false
        changed.insert(index)
        charges[SideKey(watch: key, side: episode.side)] = (at: evidence.time, alert: alert)
    }

    private mutating func replaceText(
        of alert: Alert.Reference, _ key: WatchKey, _ watch: Watch, _ decision: Decision, _ evidence: Evidence
    ) {
        let index = index(of: watch)
        // It may have been made for an episode that has closed since; from here on it is of this one.
        records[index].alert = alert
        changed.insert(index)
        let episode = records[index]
        switch alert {
        case .new(let position):
            if alerts[position].episode != episode.episode { alerts[position].purpose = .alarm }
            alerts[position].episode = episode.episode
            alerts[position].openedAt = episode.openedAt
            alerts[position].value = evidence.value
            alerts[position].worst = episode.worst
            alerts[position].checkProbe = decision.checkProbe
            alerts[position].eventTime = evidence.time
            alerts[position].receivedAt = evidence.receivedAt
        case .stored(let id):
            replacements[id] = ReplaceAlertTexts.Replacement(
                slot: key.device.slot, alert: id, value: evidence.value, worst: episode.worst,
                checkProbe: decision.checkProbe, isCritical: decision.isCritical, eventTime: evidence.time,
                receivedAt: evidence.receivedAt, episode: episode.episode, openedAt: episode.openedAt)
        }
    }

    private func index(of watch: Watch) -> Int {
        guard let index = watch.record else {
            preconditionFailure("an episode goes on or ends, or is told of, only after it was opened or loaded")
        }
        return index
    }

    /// Whether anything but watermarks changed.
    var isEmpty: Bool { changed.isEmpty && alerts.isEmpty && replacements.isEmpty }

    /// The episodes to write. An older episode of a watch stands before a newer one.
    var episodes: [EpisodeRecord] { changed.sorted().map { records[$0] } }

    var textReplacements: [ReplaceAlertTexts.Replacement] { Array(replacements.values) }

    /// The charges to write, each of one side of a watch.
    var throttleCharges: [(key: WatchKey, side: Side, at: Timestamp, alert: Alert.Reference)] {
        charges.map { (key: $0.key.watch, side: $0.key.side, at: $0.value.at, alert: $0.value.alert) }
            .sorted { ($0.key, $0.side.rawValue) < ($1.key, $1.side.rawValue) }
    }
}

/// The number of decisions of each kind that a claim made, for the metrics.
struct DecisionCounts: Sendable {
    private(set) var byReason: [Decision.Reason: Int] = [:]
    private(set) var notifications: [Decision.Reason: Int] = [:]

    mutating func add(_ decision: Decision) {
        byReason[decision.reason, default: 0] += 1
        if let reason = decision.notification.reason { notifications[reason, default: 0] += 1 }
    }
}
