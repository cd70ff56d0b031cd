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
        var ledger = Ledger()
        try ledger.load(due.map(\.subject), transaction)
        var settled: [SettleRecoveries.Settled] = []
        for row in due {
            let notice = RecoveryNotice.decide(
                closedAt: row.closedAt, closedByOurClock: row.closedByOurClock, alarm: row.alarm,
                isUnstable: row.isUnstable, isReopened: row.isReopened, isMoot: row.isMoot, calm: row.calm, now: now,
                policy: policy)
            let due = row.closedByOurClock + policy.recoveryDelay
            var againAt = notice.nextLook(after: now, due: due, policy: policy)
            if notice == .due { againAt = ledger.announce(row, now: now) }
            settled.append((EpisodeKey(slot: row.subject.device.slot, episode: row.episode), againAt))
        }
        report.notices = ledger.alerts
        report.numbers = try ledger.write(transaction)
        try transaction.perform(SettleRecoveries(settled))
        return report
    }
}
