import Backoff
import Synchronization

/// Wakes the leasing loop when there may be something to lease.
final class LeasingSignal: Sendable {
    let signal = Signal()
    private let awaited = Mutex<(@Sendable () -> Bool)?>(nil)

    /// Something may have come due.
    func raise() {
        signal.raise()
    }

    /// The loop has no room: the first progress after which there is some wakes it.
    func awaitProgress(until hasRoom: @escaping @Sendable () -> Bool = { true }) {
        awaited.withLock { $0 = hasRoom }
    }

    /// Some deliveries have been recorded, so there may be room again.
    func progress() {
        let wakes = awaited.withLock { awaited in
            guard let hasRoom = awaited, hasRoom() else { return false }
            awaited = nil
            return true
        }
        if wakes { raise() }
    }
}
