import Instants
import Postgres
import Store
import WaterQuality

/// What decisions on silences, on faults of probes, or on the courses of values, change, gathered until it is written.
struct ProbeLedger {
    let kind: Alert.Kind
    private(set) var newEpisodes = 0
    private(set) var records: [ProbeEpisodeRecord] = []
    private(set) var transitions: [AddTransitions.Transition] = []
    private(set) var alerts: [ProbeAlert] = []

    /// - Parameter kind: `silence`, `fault`, `rate` or `ahead`.
    init(kind: Alert.Kind) { self.kind = kind }

    /// The reference that the next alert will have.
    var nextAlert: Alert.Reference { .new(alerts.count) }

    /// A person's episodes of one device, or of one parameter, with what was decided so far.
    struct Watch: Sendable {
        let key: ProbeKey
        let account: Account.ID
        /// The person's throttle interval, if they set one.
        let throttle: Duration?
        fileprivate(set) var state: ProbeState
        /// The open episode, its latest alert, and the position of its record once it has one.
        fileprivate var reference: Episode.Reference?
        fileprivate var alert: Alert.Reference?
        fileprivate var record: Int?

        init(_ row: LoadProbeEpisodes.Row) {
            key = row.key
            account = row.account
            throttle = row.throttleSeconds.map { .seconds(Int64($0)) }
            state = row.state
            reference = row.episode.map { .stored($0) }
            alert = row.alert.map { .stored($0) }
        }
    }

    /// Records all consequences of a decision on something that was found at a time.
    /// - Parameters:
    ///   - now: The database's clock.
    ///   - checkProbe: Whether it is the probe that should be looked at.
    ///   - course: How the value changes that an alert is about.
    ///   - outlook: The limit that an alert tells ahead, with the true time at which it is reached.
    mutating func record(
        _ decision: ProbeDecision, of watch: inout Watch, at time: Timestamp, now: Timestamp, checkProbe: Bool,
        course: ProbeAlert.Course? = nil, outlook: Outlook? = nil
    ) {
        switch decision.action {
        case .nothing where decision.notification.isAlert: break
        case .nothing: return
        case .open(let episode):
            watch.state.episode = episode
            watch.reference = .new(newEpisodes)
            newEpisodes += 1
            add(.opened, of: watch, at: episode.openedAt, decision.notification.outcome)
        case .stay(let episode): watch.state.episode = episode
        case .close(let end, let recoveryDueAt):
            guard let index = note(&watch, at: end) else { return }
            records[index].closedAt = end
            records[index].recoveryDueAt = recoveryDueAt
            add(.recovered, of: watch, at: end, .none)
            watch.state.episode = nil
            watch.reference = nil
            watch.alert = nil
            watch.record = nil
            return
        }
        guard let index = note(&watch, at: time) else { return }
        guard case .alert(let reason) = decision.notification else { return }
        alerts.append(
            ProbeAlert(
                key: watch.key, account: watch.account, kind: kind, alert: nextAlert, uid: .random(at: now),
                episode: records[index].reference, purpose: reason == .reminder ? .reminder : .alarm,
                checkProbe: checkProbe, openedAt: records[index].episode.openedAt, eventTime: time,
                course: course, outlook: outlook, flatAt: records[index].episode.flatAt))
        watch.alert = alerts[alerts.count - 1].alert
        watch.state.throttle = Throttle(runsFrom: time, pending: watch.alert)
        records[index].alert = watch.alert
    }

    /// Adds the notice that what was wrong is right again.
    mutating func announce(_ row: TakeDueProbeRecoveries.Row, now: Timestamp) {
        alerts.append(
            ProbeAlert(
                key: row.key, account: row.account, kind: row.kind, alert: nextAlert, uid: .random(at: now),
                episode: .stored(row.episode), purpose: .recovery, checkProbe: false, openedAt: row.openedAt,
                eventTime: row.closedAt, flatAt: row.flatAt))
    }

    /// Enters the open episode in its record.
    private mutating func note(_ watch: inout Watch, at time: Timestamp) -> Int? {
        guard let episode = watch.state.episode, let reference = watch.reference else { return nil }
        if let index = watch.record {
            records[index].episode = episode
            records[index].lastAt = max(records[index].lastAt, time)
            return index
        }
        records.append(
            ProbeEpisodeRecord(
                key: watch.key, account: watch.account, kind: kind, reference: reference, episode: episode,
                lastAt: time, alert: watch.alert))
        watch.record = records.count - 1
        return watch.record
    }

    private mutating func add(
        _ reason: Decision.Reason, of watch: Watch, at time: Timestamp, _ outcome: Decision.Notification.Outcome
    ) {
        guard let reference = watch.reference else { return }
        transitions.append(
            AddTransitions.Transition(
                slot: watch.key.device.slot, episode: reference, at: time, reason: reason, notification: outcome,
                value: nil))
    }

    /// The charges of alerts about parameters, to be written together with those about ranges (`ChargeThrottles`).
    func charges(_ numbers: ReservedNumbers) -> [ChargeThrottles.Charge] {
        var charges: [WatchKey: ChargeThrottles.Charge] = [:]
        for alert in alerts {
            guard let parameter = alert.key.parameter else { continue }
            let key = WatchKey(device: alert.key.device, parameter: parameter, account: alert.account)
            charges[key] = ChargeThrottles.Charge(
                key: key, kind: kind, at: alert.eventTime, alert: numbers[alert.alert])
        }
        return Array(charges.values)
    }

    /// Whether there is anything to write.
    var isEmpty: Bool { records.isEmpty && alerts.isEmpty }

    /// Draws the numbers of what is new, and writes the episodes.
    func writeEpisodes(_ transaction: PostgresTransaction) throws -> ReservedNumbers {
        var numbers = ReservedNumbers.none
        if newEpisodes > 0 || !alerts.isEmpty {
            numbers = ReservedNumbers(
                try transaction.execute(ReserveNumbers(episodes: newEpisodes, alerts: alerts.count)))
        }
        if !records.isEmpty { try transaction.perform(WriteProbeEpisodes(records, numbers)) }
        if !transitions.isEmpty { try transaction.perform(AddTransitions(transitions, numbers)) }
        return numbers
    }
}

extension Decision.Notification {
    fileprivate var isAlert: Bool { if case .alert = self { true } else { false } }
}
