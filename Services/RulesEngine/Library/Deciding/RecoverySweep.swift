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
        let notices = due.map { row in
            RecoveryNotice.decide(
                closedAt: row.closedAt, closedByOurClock: row.closedByOurClock, alarm: row.alarm,
                isUnstable: row.isUnstable, isReopened: row.isReopened, isMoot: row.isMoot, calm: row.calm, now: now,
                policy: policy)
        }
        let sites = try readSites(of: zip(due, notices).filter { $1 == .due }.map(\.0), transaction)
        var settled: [SettleRecoveries.Settled] = []
        for (row, notice) in zip(due, notices) {
            let due = row.closedByOurClock + policy.recoveryDelay
            var againAt = notice.nextLook(after: now, due: due, policy: policy)
            if notice == .due { againAt = announce(row, of: sites[row.key], &ledger, now: now) }
            settled.append((row.key, againAt))
        }
        report.notices = ledger.alerts
        report.numbers = try ledger.write(transaction)
        try transaction.perform(SettleRecoveries(settled))
        return report
    }

    /// - Parameter site: What is known of the devices with which one fell silent; `nil` where it did so alone, and of anything else.
    /// - Returns: When to decide again; `nil` where all have heard.
    private func announce(
        _ row: TakeDueRecoveries.Row, of site: ReadSiteReturns.Row?, _ ledger: inout Ledger, now: Timestamp
    ) -> Timestamp? {
        guard let site else { return ledger.announce(row, now: now) }
        let told = SharedSilence.Return.decide(
            closedAt: row.closedByOurClock, missing: site.site.missingCount, isTelling: site.isTelling, now: now)
        return switch told {
        case .told(let settlesAt): ledger.announce(row, of: site.site, settlesAt: settlesAt, now: now)
        case .awaitsOthers(let time): time
        }
    }

    private func readSites(
        of rows: [TakeDueRecoveries.Row], _ transaction: PostgresTransaction
    ) throws -> [EpisodeKey: ReadSiteReturns.Row] {
        let silences = rows.filter { $0.subject.kind == .silence && $0.subject.parameter == nil }
        guard !silences.isEmpty else { return [:] }
        return Dictionary(
            try transaction.execute(ReadSiteReturns(of: silences.map(\.key))).map { ($0.episode, $0) },
            uniquingKeysWith: { $1 })
    }
}

extension TakeDueRecoveries.Row {
    fileprivate var key: EpisodeKey { EpisodeKey(slot: subject.device.slot, episode: episode) }
}
