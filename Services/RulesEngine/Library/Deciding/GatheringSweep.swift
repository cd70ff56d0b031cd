import Instants
import Postgres
import Store
import WaterQuality

/// Tells people in one digest what was gathered for them: what goes on, and what was over meanwhile.
struct GatheringSweep {
    /// The most people, and the most episodes, of one transaction. What is beyond comes with the next digest.
    static let people = 100
    static let episodes = 1_000

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
        guard !due.isEmpty else { return report }
        report.isUnfinished = due.count >= Self.people
        _ = try transaction.execute(LockGatheredSlots(due))
        let quiet = Set(try transaction.execute(PutOffGatherings(due)))
        let told = due.filter { !quiet.contains($0) }
        guard !told.isEmpty, let now = try transaction.execute(ReadClock()).first else { return report }
        let gathered = try transaction.execute(ListGathered(of: told, limit: Self.episodes))
        report.alerts = digests(of: gathered, now: now)
        report.numbers = ReservedNumbers(
            try transaction.execute(ReserveNumbers(episodes: 0, alerts: report.alerts.count)))
        try write(report, gathered, transaction)
        try transaction.perform(EndGatherings(told))
        return report
    }

    /// The parts of each person's digest: what goes on before what is over.
    func digests(of gathered: [ListGathered.Row], now: Timestamp) -> [AlertRecord] {
        var alerts: [AlertRecord] = []
        var first: [Account.ID: Alert.Reference] = [:]
        for purpose in [Alert.Purpose.alarm, .reminder, .past, .recovery] {
            for row in gathered where row.state.purpose == purpose {
                let reference = Alert.Reference.new(alerts.count)
                first[row.subject.account] = first[row.subject.account] ?? reference
                alerts.append(
                    AlertRecord(
                        subject: row.subject, alert: reference, uid: makeUID(now), episode: .stored(row.episode),
                        purpose: purpose, content: purpose == .recovery ? row.closing : row.worst,
                        openedAt: row.openedAt, eventTime: row.lastAt, receivedAt: nil, audience: .gathered,
                        group: first[row.subject.account]))
            }
        }
        return alerts
    }

    private func write(_ report: Report, _ gathered: [ListGathered.Row], _ transaction: PostgresTransaction) throws {
        let alarms = report.alerts.filter(\.purpose.isOfTrouble)
        let numbers = Dictionary(
            uniqueKeysWithValues: alarms.map { (report.numbers[$0.episode], report.numbers[$0.alert]) })
        try transaction.perform(
            SettleGathered(
                gathered.map { row in
                    SettleGathered.Told(
                        episode: EpisodeKey(slot: row.subject.device.slot, episode: row.episode),
                        alert: numbers[row.episode])
                }))
        let sides = Dictionary(uniqueKeysWithValues: gathered.map { ($0.episode, $0.side) })
        let charges = alarms.map { alarm in
            ChargeThrottles.Charge(
                subject: alarm.subject, side: sides[report.numbers[alarm.episode]] ?? nil, at: alarm.eventTime,
                alert: report.numbers[alarm.alert])
        }
        if !charges.isEmpty { try transaction.perform(ChargeThrottles(charges)) }
        if !report.alerts.isEmpty { try transaction.perform(AddAlerts(report.alerts, report.numbers)) }
    }
}
