import Instants
import Postgres
import Store
import WaterQuality

/// Tells people that their water is well again, once it has been for a while.
struct RecoverySweep {
    static let limit = 500

    let policy: AlertPolicy

    /// - Returns: The number of episodes that were looked at, and the notices.
    func perform(_ transaction: PostgresTransaction, now: Timestamp) throws -> (taken: Int, notices: [AlertRecord]) {
        let due = try transaction.execute(TakeDueRecoveries(limit: Self.limit))
        guard !due.isEmpty else { return (0, []) }
        var told: [TakeDueRecoveries.Row] = []
        var settled: [(slot: Slot, episode: Int64, again: Bool)] = []
        for row in due {
            let alarm: RecoveryNotice.Alarm =
                row.alarmWasDelivered ? .delivered : row.alarmIsPending ? .pending : .untold
            let notice = RecoveryNotice.decide(
                closedAt: row.closedAt, alarm: alarm, isReopened: row.isOpenAgain, now: now, policy: policy)
            switch notice {
            case .due:
                told.append(row)
                settled.append((row.key.device.slot, row.episode, again: false))
            case .notBefore, .awaitsAlarm: settled.append((row.key.device.slot, row.episode, again: true))
            case .never: settled.append((row.key.device.slot, row.episode, again: false))
            }
        }
        var notices: [AlertRecord] = []
        if !told.isEmpty {
            let numbers = try transaction.execute(ReserveNumbers(episodes: 0, alerts: told.count)).map(\.number)
            notices = zip(told, numbers).map { Self.alert($0, $1, .random(at: now)) }
            _ = try transaction.perform(AddAlerts(notices))
        }
        _ = try transaction.perform(SettleRecoveries(settled))
        return (due.count, notices)
    }

    private static func alert(_ row: TakeDueRecoveries.Row, _ number: Int64, _ uid: Alert.UID) -> AlertRecord {
        AlertRecord(
            key: row.key, alert: number, uid: uid, episode: row.episode, purpose: .recovery, side: row.side,
            value: row.closedValue, worst: row.worst, limit: row.limit, checkProbe: false, openedAt: row.openedAt,
            eventTime: row.closedAt, receivedAt: nil)
    }
}
