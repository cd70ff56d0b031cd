import Store
import WaterQuality

/// The floor of each slot: the batch number up to which nothing waits there, as far as this engine has seen.
///
/// A batch gets its number before it is committed, and an Ingestor may freeze in between. A floor above such a number
/// would hide the batch until the next full look, after later batches of its slot were decided. A floor therefore rises
/// to a number only when every transaction that may hold that number or a lower one has ended.
struct BatchFloors: Sendable {
    /// How often floors may rise.
    static let interval = Duration.seconds(5)

    private struct Candidate {
        var batch: Int64
        /// The transactions that may hold this number or a lower one and have not ended.
        var writers: Set<String>
    }

    private var floors = [Int64](repeating: 0, count: Int(Slot.count))
    private var newest: Int64 = 0
    /// No batch up to this number can appear any more.
    private var settled: Int64 = 0
    private var candidate: Candidate?

    func callAsFunction(_ slots: some Sequence<Slot>) -> [SlotFloor] {
        slots.map { SlotFloor($0, floor: floors[Int($0.rawValue)]) }
    }

    /// The floors of a full look, which covers the whole queue.
    static let none = Slot.all.map { SlotFloor($0, floor: 0) }

    /// - Parameters:
    ///   - newest: The newest batch number.
    ///   - writers: The transactions that were writing to the queue after `newest` was read.
    mutating func note(newest: Int64, writers: [String]) {
        // Numbers start over after a table is restored: nothing known before still holds.
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

    /// Takes over the result of a look, above the floors or full: the oldest batch of each slot.
    mutating func raise(_ waiting: [FindWaitingBatches.Row]) {
        let oldest = Dictionary(uniqueKeysWithValues: waiting.map { ($0.slot, $0.batch) })
        for slot in Slot.all { floors[Int(slot.rawValue)] = min(settled, (oldest[slot] ?? .max) - 1) }
    }
}
