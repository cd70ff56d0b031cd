import Instants
import Postgres
import Store
import WaterQuality

/// The courses of values that somebody watches, as one claim finds them: how fast they change, and where they go.
struct Courses {
    /// A message with what else is known of it.
    private struct Noted {
        var message: Claim.Message
        var device: WatchedDevice
        var lag: Duration
        var latest: Timestamp
        /// The watches that are out of range, and whose people were alerted of it.
        var toldOutOfRange: Set<WatchKey> = []
    }

    private(set) var rates: RateLedger
    private(set) var aheads: AheadLedger
    /// Messages of one batch.
    private var batch: [Noted] = []

    init(policy: AlertPolicy) {
        rates = RateLedger(policy: policy)
        aheads = AheadLedger(policy: policy)
    }

    /// Whether a crash may lose nothing of it: an episode or an alert.
    var mustBeDurable: Bool { rates.mustBeDurable || aheads.mustBeDurable }

    /// Takes a message. Those of one batch count in the order of their times: what is stored does not tell in which order they
    /// came, and engines that read it again have to come to the same.
    /// - Parameters:
    ///   - lag: The constant lag of the device's clock.
    ///   - latest: The latest time that an earlier mark can rightly carry (`EventTime.latest`).
    ///   - isToldOutOfRange: Whether a watch is out of range, and its person was alerted of it.
    mutating func note(
        _ message: Claim.Message, _ device: WatchedDevice, lag: Duration, latest: Timestamp,
        isToldOutOfRange: (WatchKey) -> Bool
    ) {
        if let first = batch.first?.message, first.slot != message.slot || first.receivedAt != message.receivedAt {
            followBatch()
        }
        var noted = Noted(message: message, device: device, lag: lag, latest: latest)
        Parameter.forEach(in: device.coursed & message.content.readings.present) { parameter in
            for person in device.people {
                let watch = WatchKey(device: message.device, parameter: parameter, account: person.account)
                if isToldOutOfRange(watch) { noted.toldOutOfRange.insert(watch) }
            }
        }
        batch.append(noted)
    }

    /// Adds the messages' readings to those that devices remember, and notes what they mean for each person who asks.
    private mutating func followBatch() {
        for noted in batch.sorted(by: { $0.message.content.time < $1.message.content.time }) {
            let (message, device) = (noted.message, noted.device)
            rates.note(
                message, device, lag: noted.lag, latest: noted.latest,
                isToldOutOfRange: noted.toldOutOfRange.contains)
            aheads.note(
                message, device, lag: noted.lag, latest: noted.latest,
                isToldOutOfRange: noted.toldOutOfRange.contains)
        }
        batch.removeAll(keepingCapacity: true)
    }

    /// Decides what was noted, in its order.
    mutating func decide(now: Timestamp, _ transaction: PostgresTransaction) throws {
        followBatch()
        try rates.decide(now: now, transaction)
        try aheads.decide(now: now, transaction)
    }
}
