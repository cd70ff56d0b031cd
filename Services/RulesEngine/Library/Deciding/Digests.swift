import Instants
import Postgres
import Store
import WaterQuality

/// One message for each of some people: what goes on, and what was over while it waited.
struct Digests {
    /// The episodes that are settled by them, whether they say something of each or not.
    let told: [ListGathered.Row]
    /// The parts of the messages: what goes on before what is over.
    let alerts: [AlertRecord]

    init(_ told: [ListGathered.Row], now: Timestamp, makeUID: (Timestamp) -> Alert.UID) {
        self.told = told
        var alerts: [AlertRecord] = []
        var first: [Account.ID: Alert.UID] = [:]
        for purpose in [Alert.Purpose.alarm, .reminder, .past] {
            for row in told where row.gathered.purpose == purpose {
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
        self.alerts = alerts
    }

    /// Adds the alerts, and settles and charges what they tell of.
    func write(_ transaction: PostgresTransaction) throws -> ReservedNumbers {
        let reserved = ReservedNumbers(try transaction.execute(ReserveNumbers(episodes: 0, alerts: alerts.count)))
        guard !told.isEmpty else { return reserved }
        let alarms = alerts.filter(\.purpose.isOfTrouble)
        let numbers = Dictionary(uniqueKeysWithValues: alarms.map { (reserved[$0.episode], reserved[$0.alert]) })
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
        if !alerts.isEmpty { try transaction.perform(AddAlerts(alerts, reserved)) }
        return reserved
    }
}
