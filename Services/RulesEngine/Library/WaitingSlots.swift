import Backoff
import Store
import Synchronization
import WaterQuality

/// The slots in which something may wait, as far as this engine has heard. Bounded by the number of slots.
final class WaitingSlots: Sendable {
    private let slots = Mutex<Set<Slot>>([])

    /// Raised whenever there may be something to take.
    let signal = Signal()

    func insert(_ new: some Sequence<Slot>) {
        insertQuietly(new)
        signal.raise()
    }

    /// For the engine itself, which looks again anyway.
    func insertQuietly(_ new: some Sequence<Slot>) {
        slots.withLock { $0.formUnion(new) }
    }

    /// The word of an Ingestor: numbers with commas between them; anything else stands for all slots.
    func insert(notified payload: String) {
        let named = payload.split(separator: ",").map { Int16($0).flatMap(Slot.init(rawValue:)) }
        insert(named.isEmpty || named.contains(nil) ? Slot.all : named.compactMap(\.self))
    }

    /// Wakes the engine although nothing is known to wait.
    func wake() {
        signal.raise()
    }

    /// Takes all of them, in order.
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
