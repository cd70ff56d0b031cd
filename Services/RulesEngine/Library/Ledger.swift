import Instants
import Store
import WaterQuality

/// What the decisions of one claim change, gathered in memory and written by one statement for each kind of row.
///
/// Numbers of episodes and alerts that are not reserved yet are negative: -1 stands for the first of `newEpisodes` or
/// `alerts`. `number(episodes:alerts:)` puts the real ones in.
struct Ledger: Sendable {
    /// All that is known of one watch while its claim is decided.
    private struct Watch {
        var state: WatchState
        /// Where the open episode stands in `episodes`.
        var open: Int?
        /// The last episode that recovered in this claim: silent again if the watch goes out of range again.
        var recovered: Int?
    }

    private var watches: [AlertKey: Watch] = [:]
    private var changed: Set<Int> = []
    private var allEpisodes: [EpisodeRecord] = []
    private(set) var newEpisodes = 0
    private(set) var alerts: [AlertRecord] = []
    private(set) var transitions: [AddTransitions.Transition] = []
    private(set) var reopened: [AlertKey] = []
    private var replacements: [Alert.ID: ReplaceAlertTexts.Replacement] = [:]
    private var charges: [AlertKey: (at: Timestamp, alert: Int64)] = [:]
    private(set) var counts = DecisionCounts()
    private let makeUID: @Sendable (Timestamp) -> Alert.UID

    /// - Parameter makeUID: Makes the id of an alert that is decided at a time.
    init(makeUID: @escaping @Sendable (Timestamp) -> Alert.UID = Alert.UID.random) {
        self.makeUID = makeUID
    }

    /// Takes over what is stored about the watches of one claim.
    mutating func load(
        episodes: [LoadOpenEpisodes.Row], throttles: [LoadThrottles.Row]
    ) {
        for row in episodes {
            allEpisodes.append(
                EpisodeRecord(
                    key: row.key, episode: row.episode, side: row.side, openedAt: row.openedAt, lastAt: row.lastAt,
                    worst: row.worst, alert: row.alert, noRecipient: row.noRecipient))
            watches[row.key, default: Watch(state: WatchState(hasRecipient: false))].state.episode = Episode(
                side: row.side, openedAt: row.openedAt, worst: row.key.parameter.steps(of: row.worst),
                isAlerted: row.alert != nil, noRecipient: row.noRecipient)
            watches[row.key]!.open = allEpisodes.count - 1
        }
        for row in throttles {
            watches[row.key, default: Watch(state: WatchState(hasRecipient: false))].state.throttle = Throttle(
                runsFrom: row.chargedAt, pending: row.isPending ? Alert.ID(rawValue: row.alert) : nil)
        }
    }

    /// Decides one reading of one watch and notes all that follows from it.
    /// - Returns: Whether an episode is open now.
    mutating func decide(
        _ key: AlertKey, _ range: SafeRange, value: Float, at time: Timestamp, lastEvaluated: Timestamp?,
        hasRecipient: Bool, receivedAt: Timestamp, now: Timestamp, lag: Duration = .zero, policy: AlertPolicy
    ) -> Bool {
        var watch = watches[key] ?? Watch(state: WatchState(hasRecipient: hasRecipient))
        watch.state.hasRecipient = hasRecipient
        watch.state.lastEvaluated = lastEvaluated
        let decision = evaluate(
            range, watch.state, Reading(time: time, value: key.parameter.steps(of: value)), now: now, lag: lag,
            newAlert: Alert.ID(rawValue: Int64(-1 - alerts.count)), policy: policy)
        watch.state = decision.next
        counts.add(decision)

        switch decision.action {
        case .nothing: break
        case .open: open(key, &watch, decision, value: value, at: time)
        case .stay: stay(&watch, decision, at: time, latest: EventTime.latest(before: time, now: now, lag: lag))
        case .flip:
            close(key, &watch, because: .flipped, at: time, value: value, recoveryDueAt: nil)
            open(key, &watch, decision, value: value, at: time)
        case .close:
            // Whether anybody was told of this episode, or of one before it and not of its end, is seen when it is due.
            watch.recovered = watch.open
            close(
                key, &watch, because: .recovered, at: time, value: value,
                recoveryDueAt: max(now, min(time, now + EventTime.furthestAhead)) + policy.recoveryDelay)
        }
        notify(
            key, watch, decision, value: value, at: time,
            limit: decision.next.episode.flatMap { range.limit(on: $0.side) },
            receivedAt: receivedAt, now: now)
        watches[key] = watch
        return watch.open != nil
    }

    private mutating func open(
        _ key: AlertKey, _ watch: inout Watch, _ decision: Decision, value: Float, at time: Timestamp
    ) {
        guard let episode = decision.next.episode else { return }
        newEpisodes += 1
        if let recovered = watch.recovered { allEpisodes[recovered].recoveryDueAt = nil }
        reopened.append(key)
        allEpisodes.append(
            EpisodeRecord(
                key: key, episode: Int64(-newEpisodes), side: episode.side, openedAt: time, lastAt: time,
                worst: key.parameter.value(of: episode.worst), noRecipient: episode.noRecipient))
        watch.open = allEpisodes.count - 1
        changed.insert(allEpisodes.count - 1)
        transitions.append(
            AddTransitions.Transition(
                slot: key.device.slot, episode: Int64(-newEpisodes), at: time,
                reason: Decision.Reason.opened.rawValue, notification: decision.notification.stored, value: value))
    }

    private mutating func stay(
        _ watch: inout Watch, _ decision: Decision, at time: Timestamp, latest: Timestamp
    ) {
        guard let index = watch.open, let episode = decision.next.episode else { return }
        let lastAt = allEpisodes[index].lastAt
        allEpisodes[index].lastAt = lastAt > latest ? time : max(lastAt, time)
        allEpisodes[index].openedAt = episode.openedAt
        allEpisodes[index].worst = allEpisodes[index].key.parameter.value(of: episode.worst)
        allEpisodes[index].noRecipient = episode.noRecipient
        changed.insert(index)
    }

    private mutating func close(
        _ key: AlertKey, _ watch: inout Watch, because reason: Decision.Reason, at time: Timestamp, value: Float,
        recoveryDueAt: Timestamp?
    ) {
        guard let index = watch.open else { return }
        allEpisodes[index].closedAt = time
        allEpisodes[index].closedBecause = reason.rawValue
        allEpisodes[index].closedValue = value
        allEpisodes[index].recoveryDueAt = recoveryDueAt
        watch.open = nil
        changed.insert(index)
        transitions.append(
            AddTransitions.Transition(
                slot: key.device.slot, episode: allEpisodes[index].episode, at: time, reason: reason.rawValue,
                notification: "none", value: value))
    }

    private mutating func notify(
        _ key: AlertKey, _ watch: Watch, _ decision: Decision, value: Float, at time: Timestamp, limit: Steps?,
        receivedAt: Timestamp, now: Timestamp
    ) {
        guard let index = watch.open else { return }
        switch decision.notification {
        case .none, .withheld: break
        case .alert(let reason):
            let number = Int64(-1 - alerts.count)
            let episode = allEpisodes[index]
            alerts.append(
                AlertRecord(
                    key: key, alert: number, uid: makeUID(now), episode: episode.episode,
                    purpose: reason == .reminder ? .reminder : .alarm, side: episode.side, value: value,
                    worst: episode.worst, limit: limit.map(key.parameter.value(of:)), checkProbe: decision.checkProbe,
                    openedAt: episode.openedAt, eventTime: time, receivedAt: receivedAt))
            allEpisodes[index].alert = number
            allEpisodes[index].noRecipient = false
            changed.insert(index)
            charges[key] = (at: time, alert: number)
        case .replacesText(let alert):
            // A pending alert of an episode before this one says something else: its text stays.
            guard allEpisodes[index].alert == alert.rawValue else { return }
            if alert.rawValue < 0 {
                let position = Int(-1 - alert.rawValue)
                alerts[position].value = value
                alerts[position].worst = allEpisodes[index].worst
                alerts[position].checkProbe = decision.checkProbe
                alerts[position].eventTime = time
                alerts[position].receivedAt = receivedAt
            } else {
                replacements[alert] = ReplaceAlertTexts.Replacement(
                    slot: key.device.slot, alert: alert.rawValue, value: value, worst: allEpisodes[index].worst,
                    checkProbe: decision.checkProbe, eventTime: time, receivedAt: receivedAt)
            }
        }
    }

    /// Whether anything but watermarks changed.
    var isEmpty: Bool { changed.isEmpty && alerts.isEmpty && replacements.isEmpty }

    /// The episodes to write: an older one of a watch stands before a newer one.
    var episodes: [EpisodeRecord] { changed.sorted().map { allEpisodes[$0] } }

    var textReplacements: [ReplaceAlertTexts.Replacement] { Array(replacements.values) }

    /// In the order in which everybody locks them.
    var throttleCharges: [(key: AlertKey, at: Timestamp, alert: Int64)] {
        charges.map { (key: $0.key, at: $0.value.at, alert: $0.value.alert) }.sorted { $0.key < $1.key }
    }

    /// Puts reserved numbers in the place of negative ones.
    /// - Parameters: As many numbers as there are new episodes and alerts.
    mutating func number(episodes: [Int64], alerts numbers: [Int64]) {
        func episode(_ number: Int64) -> Int64 { number < 0 ? episodes[Int(-1 - number)] : number }
        func alert(_ number: Int64) -> Int64 { number < 0 ? numbers[Int(-1 - number)] : number }
        for index in allEpisodes.indices {
            allEpisodes[index].episode = episode(allEpisodes[index].episode)
            allEpisodes[index].alert = allEpisodes[index].alert.map(alert)
        }
        for index in transitions.indices { transitions[index].episode = episode(transitions[index].episode) }
        for index in alerts.indices {
            alerts[index].alert = alert(alerts[index].alert)
            alerts[index].episode = episode(alerts[index].episode)
        }
        for key in charges.keys { charges[key]!.alert = alert(charges[key]!.alert) }
    }
}

/// How many decisions of each kind a claim made: for the metrics.
struct DecisionCounts: Sendable {
    private(set) var byReason: [Decision.Reason: Int] = [:]
    private(set) var notifications: [Decision.Reason: Int] = [:]

    mutating func add(_ decision: Decision) {
        byReason[decision.reason, default: 0] += 1
        if let reason = decision.notification.reason { notifications[reason, default: 0] += 1 }
    }
}

extension Decision.Notification {
    /// The word for it in `transition.notification`.
    var stored: String {
        switch self {
        case .none: "none"
        case .alert: "alerted"
        case .withheld(let reason): reason.rawValue
        case .replacesText: Decision.Reason.throttled.rawValue
        }
    }
}
