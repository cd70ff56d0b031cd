import Instants
import Postgres
import Store
import WaterQuality

/// Tells people in one digest what was gathered for them: what goes on, and what was over meanwhile.
struct GatheringSweep {
    /// The most people, and the most episodes, of one transaction. What is beyond comes with the next digest.
    static let people = 25
    static let episodes = 1_000

    let policy: AlertPolicy
    var makeUID: @Sendable (Timestamp) -> Alert.UID = Alert.UID.random

    func perform(_ transaction: PostgresTransaction) throws -> SweepReport {
        var report = SweepReport()
        let due = try transaction.execute(FindDueGatherings(limit: Self.people))
        guard !due.isEmpty, let now = try transaction.execute(ReadClock()).first else { return report }
        let free = Set(try transaction.execute(LockGatheredSlots(due.map(\.account))))
        let quiet = Set(try transaction.execute(PutOffGatherings(due.map(\.account))))
        let wanted = due.filter { !quiet.contains($0.account) }
        let gathered = try transaction.execute(
            ListGathered(of: wanted.map(\.account), limit: Self.episodes, staleAfter: policy.staleAfter))
        // A digest waits a little for the slots in which engines decide just now, so that it stays one.
        let incomplete = Set(gathered.lazy.filter { !free.contains($0.subject.device.slot) }.map(\.subject.account))
        let told = Set(wanted.lazy.filter { $0.isLate || !incomplete.contains($0.account) }.map(\.account))
        let digests = Digests(
            gathered.filter { told.contains($0.subject.account) && free.contains($0.subject.device.slot) },
            now: now, makeUID: makeUID)
        report.alerts = digests.alerts
        report.numbers = try digests.write(transaction)
        try transaction.perform(EndGatherings(Array(told)))
        report.isUnfinished = due.count >= Self.people && !digests.told.isEmpty
        return report
    }
}
