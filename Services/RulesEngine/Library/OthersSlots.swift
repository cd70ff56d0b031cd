import Store
import WaterQuality

/// The slots in which another engine decided last. They are left to it, for whoever decides makes the other's memory void, and
/// two engines that take turns read everything anew for each batch. What it does not get done is taken over: its oldest
/// batch then is the same at two looks, `patience` apart.
struct OthersSlots: Sendable {
    /// Between two looks. An engine that dies is missed after one to two of them.
    static let patience = Duration.milliseconds(250)

    private var slots: Set<Slot> = []
    /// Those of them in which something is said to wait, with the oldest batch at the last look.
    private var waiting: [Slot: Int64?] = [:]

    /// Those of the slots that are this engine's; the others are looked at.
    mutating func own(among told: [Slot]) -> [Slot] {
        guard !slots.isEmpty else { return told }
        for slot in told where slots.contains(slot) && waiting[slot] == nil { waiting[slot] = .some(nil) }
        return told.filter { !slots.contains($0) }
    }

    /// Takes over which of the slots that were asked for could be claimed.
    mutating func note(asked: [Slot], claimed: [Slot]) {
        let claimed = Set(claimed)
        slots.subtract(claimed)
        for slot in asked where !claimed.contains(slot) {
            slots.insert(slot)
            if waiting[slot] == nil { waiting[slot] = .some(nil) }
        }
    }

    /// In which the other engine may have left something undone.
    var toLookAt: [Slot] { waiting.keys.sorted() }

    /// - Parameter found: What waits in those slots now.
    /// - Returns: In which the same batch waited at the last look.
    mutating func overdue(_ found: [FindWaitingBatches.Row]) -> [Slot] {
        let before = waiting
        waiting = Dictionary(uniqueKeysWithValues: found.map { ($0.slot, .some($0.batch)) })
        let overdue = found.filter { before[$0.slot] == .some($0.batch) }.map(\.slot)
        for slot in overdue { waiting[slot] = nil }
        return overdue
    }
}
