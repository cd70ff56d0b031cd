import Backoff
import Store
import Synchronization
import WaterQuality

/// The slots in which a batch may wait, as far as this engine has heard. The number of slots bounds them.
final class WaitingSlots: Sendable {
    private let slots = Mutex<Set<Slot>>([])

    /// Raised whenever there may be a batch to take.
    let signal = Signal()

    func insert(_ new: some Sequence<Slot>) {
        insertQuietly(new)
        signal.raise()
    }

    /// Inserts slots without a wake-up, for the engine itself, which looks again anyway.
    func insertQuietly(_ new: some Sequence<Slot>) {
        slots.withLock { $0.formUnion(new) }
    }

    /// Inserts the slots of an Ingestor's notification: numbers with commas between them. Any other payload stands for
    /// all slots.
    func insert(notified payload: String) {
        let named = payload.split(separator: ",").map { Int16($0).flatMap(Slot.init(rawValue:)) }
        insert(named.isEmpty || named.contains(nil) ? Slot.all : named.compactMap(\.self))
    }

    /// Wakes the engine without naming a slot.
    func wake() {
        signal.raise()
    }

    /// Takes all slots, in order.
    func takeAll() -> [Slot] {
        slots.withLock { slots in
            defer { slots.removeAll(keepingCapacity: true) }
            return slots.sorted()
        }
    }

    func finish() {
        signal.finish()
    }
}
