import Instants
import Postgres
import Store
import WaterQuality

/// Decides the recovery notices of episodes that have stayed closed for a while.
struct RecoverySweep {
    /// The most episodes of one transaction. For a parameter that comes no more a look reads a thousand rows (`CalmWater`).
    static let limit = 100
    /// How long looks may follow each other before readings are decided again, which wait meanwhile. A sweep begins every second.
    static let lasts = Duration.milliseconds(250)

    let policy: AlertPolicy
    /// The floor of every slot, above which batches may wait.
    var floors = BatchFloors.none

    struct Report: Sendable {
        /// The number of episodes that were examined.
        var taken = 0
        var notices: [AlertRecord] = []
        var numbers = ReservedNumbers.none
    }

    func perform(_ transaction: PostgresTransaction, now: Timestamp) throws -> Report {
        let due = try transaction.execute(TakeDueRecoveries(limit: Self.limit, floors: floors))
        var report = Report(taken: due.count)
        guard !due.isEmpty else { return report }
        var settled: [SettleRecoveries.Settled] = []
        for row in due {
            let notice = RecoveryNotice.decide(
                closedAt: row.closedAt, closedByOurClock: row.closedByOurClock, alarm: row.alarm,
                isUnstable: row.isUnstable, isReopened: row.isReopened, calm: row.calm, now: now, policy: policy)
            if notice == .due {
                report.notices.append(alert(row, .new(report.notices.count), .random(at: now)))
            }
            let due = row.closedByOurClock + policy.recoveryDelay
            settled.append(
                (
                    EpisodeKey(slot: row.key.device.slot, episode: row.episode),
                    notice.nextLook(after: now, due: due, policy: policy)
                ))
        }
        if !report.notices.isEmpty {
            report.numbers = ReservedNumbers(
                try transaction.execute(ReserveNumbers(episodes: 0, alerts: report.notices.count)))
            try transaction.perform(AddAlerts(report.notices, report.numbers))
        }
        try transaction.perform(SettleRecoveries(settled))
        return report
    }

    private func alert(_ row: TakeDueRecoveries.Row, _ alert: Alert.Reference, _ uid: Alert.UID) -> AlertRecord {
        AlertRecord(
            key: row.key, alert: alert, uid: uid, episode: .stored(row.episode), purpose: .recovery, side: row.side,
            value: row.closedValue, worst: row.worst, limit: row.limit, checkProbe: false, openedAt: row.openedAt,
            eventTime: row.closedAt, receivedAt: nil)
    }
}
