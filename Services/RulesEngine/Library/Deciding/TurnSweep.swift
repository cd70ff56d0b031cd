import Instants
import Postgres
import Store
import WaterQuality

/// Tells those who come on shift in one digest what goes on in the project. Whoever goes off hears nothing.
struct TurnSweep {
    /// The most people, and the most episodes, of one transaction. What is beyond is told by its next reading.
    static let people = 25
    static let episodes = 1_000

    let policy: AlertPolicy
    var makeUID: @Sendable (Timestamp) -> Alert.UID = Alert.UID.random

    func perform(_ transaction: PostgresTransaction) throws -> SweepReport {
        var report = SweepReport()
        let due = try transaction.execute(FindTurns(limit: Self.people))
        guard !due.isEmpty, let now = try transaction.execute(ReadClock()).first else { return report }
        // A turn may have been taken by somebody else, or be over already.
        let begun = due.filter(\.isOn)
        let free = Set(try transaction.execute(LockTurnSlots(begun)))
        let open = try transaction.execute(
            ListOpenOfTurns(begun, limit: Self.episodes, staleAfter: policy.staleAfter))
        // A digest waits a little for the slots in which engines decide just now, so that it stays one.
        let incomplete = Set(open.lazy.filter { !free.contains($0.subject.device.slot) }.map(\.subject.account))
        let settled = due.filter { !$0.isOn || $0.isLate || !incomplete.contains($0.account) }
        let told = Set(settled.map(\.account))
        let digests = Digests(
            open.filter {
                told.contains($0.subject.account) && free.contains($0.subject.device.slot) && $0.gathered.purpose != nil
            },
            now: now, makeUID: makeUID)
        report.alerts = digests.alerts
        report.numbers = try digests.write(transaction)
        _ = try transaction.execute(SettleTurns(settled))
        report.isUnfinished = due.count >= Self.people && !settled.isEmpty
        return report
    }
}
