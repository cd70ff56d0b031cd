import Store
import WaterQuality

/// Up to which batch nothing waits in each slot, as far as this engine has seen.
///
/// Batches get their numbers before they are committed, so that one may appear below others that were seen: a floor keeps a
/// distance of `patience` to the newest number, and once in a while the engine looks below it.
struct BatchFloors: Sendable {
    /// How old the newest number is when floors may rise to it, at least: much longer than an Ingestor's commit.
    static let patience = Duration.seconds(5)

    private var floors = [Int64](repeating: 0, count: Int(Slot.count))
    /// What was the newest batch: `patience` ago, and lately.
    private var settled: Int64 = 0
    private var recent: Int64 = 0

    func callAsFunction(_ slots: some Sequence<Slot>) -> [SlotFloor] {
        slots.map { SlotFloor($0, floor: floors[Int($0.rawValue)]) }
    }

    /// Of a look at everything.
    static let none = Slot.all.map { SlotFloor($0, floor: 0) }

    /// Every `patience`.
    mutating func note(newest: Int64) {
        // Numbers begin again where a database was restored or moved.
        settled = min(recent, newest)
        recent = newest
    }

    /// Takes over what a look above the floors, or below them as well, has found: the oldest batch of each slot.
    mutating func raise(_ waiting: [FindWaitingBatches.Row]) {
        let oldest = Dictionary(uniqueKeysWithValues: waiting.map { ($0.slot, $0.batch) })
        for slot in Slot.all { floors[Int(slot.rawValue)] = min(settled, (oldest[slot] ?? .max) - 1) }
    }
}
