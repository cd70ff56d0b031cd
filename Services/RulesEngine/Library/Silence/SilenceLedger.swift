import Instants
import Store
import WaterQuality

/// What a look for silence has decided, until it is written.
struct SilenceLedger {
    let now: Timestamp
    private(set) var newEpisodes = 0
    private(set) var records: [SilenceRecord] = []
    private(set) var transitions: [AddTransitions.Transition] = []
    private(set) var alerts: [SilenceAlert] = []
    /// Recoveries that were decided.
    var settled: [(episode: EpisodeKey, again: Bool)] = []
    /// When devices are looked at again.
    var checks: [SilenceCheck] = []

    init(now: Timestamp) { self.now = now }

    var nextAlert: Alert.Reference { .new(alerts.count) }

    mutating func record(_ decision: SilenceDecision, of row: LoadSilences.Row, checkProbe: Bool) {
        var record: SilenceRecord
        switch decision.action {
        case .nothing where decision.notification.isAlert:
            guard let episode = row.episode, let silence = row.state.silence else { return }
            record = SilenceRecord(
                key: row.key, account: row.account, episode: .stored(episode), silence: silence)
        case .nothing: return
        case .open(let silence):
            record = SilenceRecord(
                key: row.key, account: row.account, episode: .new(newEpisodes), silence: silence)
            newEpisodes += 1
            transitions.append(
                AddTransitions.Transition(
                    slot: row.key.device.slot, episode: record.episode, at: silence.heardAt, reason: .opened,
                    notification: decision.notification.outcome, value: nil))
        case .stay(let silence):
            guard let episode = row.episode else { return }
            record = SilenceRecord(
                key: row.key, account: row.account, episode: .stored(episode), silence: silence)
        case .close(let heardAt, let dueAt):
            guard let episode = row.episode, let silence = row.state.silence else { return }
            record = SilenceRecord(
                key: row.key, account: row.account, episode: .stored(episode), silence: silence,
                closedAt: heardAt, recoveryDueAt: dueAt)
            transitions.append(
                AddTransitions.Transition(
                    slot: row.key.device.slot, episode: record.episode, at: heardAt, reason: .recovered,
                    notification: .none, value: nil))
        }
        record.alert = row.alert.map { .stored($0) }
        if case .alert(let reason) = decision.notification {
            record.alert = nextAlert
            alerts.append(
                SilenceAlert(
                    key: row.key, account: row.account, alert: nextAlert, uid: .random(at: now),
                    episode: record.episode, purpose: reason == .reminder ? .reminder : .alarm,
                    checkProbe: checkProbe, heardAt: record.silence.heardAt, eventTime: now))
        }
        records.append(record)
    }

    /// Adds the notice that what was silent is heard again.
    mutating func announce(_ row: TakeDueSilenceRecoveries.Row) {
        alerts.append(
            SilenceAlert(
                key: row.key, account: row.account, alert: nextAlert, uid: .random(at: now),
                episode: .stored(row.episode), purpose: .recovery, checkProbe: false, heardAt: row.heardAt,
                eventTime: row.closedAt))
    }
}

extension Decision.Notification {
    fileprivate var isAlert: Bool { if case .alert = self { true } else { false } }
}
