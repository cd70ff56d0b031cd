import Store
import WaterQuality

/// Up to which batch nothing waits in each slot, as far as this engine has seen.
///
/// Batches get their numbers before they are committed, and an Ingestor may be frozen in between: if a floor passed such a number,
/// the batch would be found once in a while only, after later ones of its slot were decided. So a floor rises to a number when all
/// transactions have ended that may have got it or a lower one.
struct BatchFloors: Sendable {
    /// How often floors may rise.
    static let interval = Duration.seconds(5)

    private struct Candidate {
        var batch: Int64
        /// The transactions that may have got its number or a lower one, and have not ended.
        var writers: Set<String>
    }

    private var floors = [Int64](repeating: 0, count: Int(Slot.count))
    private var newest: Int64 = 0
    /// Up to this number nothing appears any more.
    private var settled: Int64 = 0
    private var candidate: Candidate?

    func callAsFunction(_ slots: some Sequence<Slot>) -> [SlotFloor] {
        slots.map { SlotFloor($0, floor: floors[Int($0.rawValue)]) }
    }

    /// Of a look at everything.
    static let none = Slot.all.map { SlotFloor($0, floor: 0) }

    /// - Parameters:
    ///   - newest: The newest number.
    ///   - writers: Who wrote the queue after that was read.
    mutating func note(newest: Int64, writers: [String]) {
        // Numbers begin again where a table was restored: nothing that is known holds.
        guard newest >= self.newest else {
            self = BatchFloors()
            return
        }
        self.newest = newest
        let batch = candidate?.batch ?? newest
        let remaining = candidate?.writers.intersection(writers) ?? Set(writers)
        candidate = remaining.isEmpty ? nil : Candidate(batch: batch, writers: remaining)
        if remaining.isEmpty { settled = batch }
    }

    /// Takes over what a look above the floors, or below them as well, has found: the oldest batch of each slot.
    mutating func raise(_ waiting: [FindWaitingBatches.Row]) {
        let oldest = Dictionary(uniqueKeysWithValues: waiting.map { ($0.slot, $0.batch) })
        for slot in Slot.all { floors[Int(slot.rawValue)] = min(settled, (oldest[slot] ?? .max) - 1) }
    }
}
