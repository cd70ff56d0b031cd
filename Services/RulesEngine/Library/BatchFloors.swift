import Store
import WaterQuality

/// Up to which batch nothing waits in each slot, as far as this engine has seen.
///
/// Batches get their numbers before they are committed, and an Ingestor may be frozen in between: if a floor passed such a number,
/// the batch would be found once in a while only, after later ones of its slot were decided. So a floor rises to a number when all
/// transactions have ended that may have got it or a lower one. A transaction that adds a batch writes samples first, so that
/// it is known to PostgreSQL as one that writes before it gets the number.
struct BatchFloors: Sendable {
    /// How often floors may rise.
    static let interval = Duration.seconds(5)

    private struct Candidate {
        var batch: Int64
        /// The transactions before this one may have got its number or a lower one.
        var next: Int64
    }

    private var floors = [Int64](repeating: 0, count: Int(Slot.count))
    /// Up to this number nothing appears any more.
    private var settled: Int64 = 0
    private var candidate: Candidate?

    func callAsFunction(_ slots: some Sequence<Slot>) -> [SlotFloor] {
        slots.map { SlotFloor($0, floor: floors[Int($0.rawValue)]) }
    }

    /// Of a look at everything.
    static let none = Slot.all.map { SlotFloor($0, floor: 0) }

    /// Whether floors may rise with this as the newest number; only then is it worth a transaction's number.
    func mayRise(to newest: Int64) -> Bool { newest != settled }

    /// - Parameters:
    ///   - newest: The newest number.
    ///   - running: Which transactions ran after that was read.
    mutating func note(newest: Int64, _ running: FindRunningTransactions.Row) {
        if newest < settled {
            // Numbers begin again where a table was restored.
            (settled, candidate) = (0, nil)
        }
        let current = candidate ?? Candidate(batch: newest, next: running.next)
        if running.oldest >= current.next {
            (settled, candidate) = (min(current.batch, newest), nil)
        } else {
            candidate = current
        }
    }

    /// Takes over what a look above the floors, or below them as well, has found: the oldest batch of each slot.
    mutating func raise(_ waiting: [FindWaitingBatches.Row]) {
        let oldest = Dictionary(uniqueKeysWithValues: waiting.map { ($0.slot, $0.batch) })
        for slot in Slot.all { floors[Int(slot.rawValue)] = min(settled, (oldest[slot] ?? .max) - 1) }
    }
}
