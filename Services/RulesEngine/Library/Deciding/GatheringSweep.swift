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

    struct Report: Sendable {
        var alerts: [AlertRecord] = []
        var numbers = ReservedNumbers.none
        /// Whether more may be due.
        var isUnfinished = false
    }

    func perform(_ transaction: PostgresTransaction) throws -> Report {
        var report = Report()
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
        let episodes = gathered.filter {
            told.contains($0.subject.account) && free.contains($0.subject.device.slot)
        }
        report.alerts = digests(of: episodes, now: now)
        report.numbers = ReservedNumbers(
            try transaction.execute(ReserveNumbers(episodes: 0, alerts: report.alerts.count)))
        try write(report, episodes, transaction)
        try transaction.perform(EndGatherings(Array(told)))
        report.isUnfinished = due.count >= Self.people && !episodes.isEmpty
        return report
    }

    /// The parts of each person's digest: what goes on before what is over.
    func digests(of gathered: [ListGathered.Row], now: Timestamp) -> [AlertRecord] {
        var alerts: [AlertRecord] = []
        var first: [Account.ID: Alert.UID] = [:]
        for purpose in [Alert.Purpose.alarm, .reminder, .past] {
            for row in gathered where row.gathered.purpose == purpose {
                let uid = makeUID(now)
                first[row.subject.account] = first[row.subject.account] ?? uid
                alerts.append(
                    AlertRecord(
                        subject: row.subject, alert: .new(alerts.count), uid: uid, episode: .stored(row.episode),
                        purpose: purpose,
                        content: row.content, openedAt: row.openedAt, eventTime: row.lastAt, receivedAt: nil,
                        audience: .gathered, group: first[row.subject.account]))
            }
        }
        return alerts
    }

    private func write(_ report: Report, _ told: [ListGathered.Row], _ transaction: PostgresTransaction) throws {
        guard !told.isEmpty else { return }
        let alarms = report.alerts.filter(\.purpose.isOfTrouble)
        let numbers = Dictionary(
            uniqueKeysWithValues: alarms.map { (report.numbers[$0.episode], report.numbers[$0.alert]) })
        try transaction.perform(
            SettleGathered(
                told.map { row in
                    SettleGathered.Told(
                        episode: EpisodeKey(slot: row.subject.device.slot, episode: row.episode),
                        alert: numbers[row.episode])
                }))
        // The interval runs from the digest, whenever the reading came.
        let charges = told.compactMap { row in
            numbers[row.episode].map {
                ChargeThrottles.Charge(subject: row.subject, side: row.side, at: row.now, alert: $0)
            }
        }
        if !charges.isEmpty { try transaction.perform(ChargeThrottles(charges)) }
        if !report.alerts.isEmpty { try transaction.perform(AddAlerts(report.alerts, report.numbers)) }
    }
}
