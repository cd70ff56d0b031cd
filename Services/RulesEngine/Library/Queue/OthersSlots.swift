import Store
import WaterQuality

/// The slots in which another engine decided last. They are left to that engine: a decision voids every other engine's
/// memory of the slot, and two engines that take turns read everything anew for each batch.
///
/// A slot is taken over when the other engine falls behind: its oldest batch is the same at two looks, `patience`
/// apart.
struct OthersSlots: Sendable {
    /// The time between two looks. A dead engine is noticed after one to two of them.
    static let patience = Duration.milliseconds(250)

    private var slots: Set<Slot> = []
    /// The slots among them that were reported as waiting, with the oldest batch at the last look.
    private var waiting: [Slot: Int64?] = [:]

    /// Returns this engine's own among the slots, and notes the others for the next look.
    mutating func own(among told: [Slot]) -> [Slot] {
        guard !slots.isEmpty else { return told }
        for slot in told where slots.contains(slot) && waiting[slot] == nil { waiting[slot] = .some(nil) }
        return told.filter { !slots.contains($0) }
    }

    /// Notes which of the requested slots could be claimed.
    mutating func note(asked: [Slot], claimed: [Slot]) {
        let claimed = Set(claimed)
        slots.subtract(claimed)
        for slot in asked where !claimed.contains(slot) {
            slots.insert(slot)
            if waiting[slot] == nil { waiting[slot] = .some(nil) }
        }
    }

    /// The slots in which the other engine may have left something undone.
    var toLookAt: [Slot] { waiting.keys.sorted() }

    /// - Parameter found: The oldest waiting batch of each of those slots now.
    /// - Returns: The slots in which the same batch waited at the last look.
    mutating func overdue(_ found: [FindWaitingBatches.Row]) -> [Slot] {
        let before = waiting
        waiting = Dictionary(uniqueKeysWithValues: found.map { ($0.slot, .some($0.batch)) })
        let overdue = found.filter { before[$0.slot] == .some($0.batch) }.map(\.slot)
        for slot in overdue { waiting[slot] = nil }
        return overdue
    }
}
