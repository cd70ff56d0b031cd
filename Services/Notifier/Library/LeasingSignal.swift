import Backoff
import Synchronization

/// Wakes the leasing loop when there may be something to lease.
final class LeasingSignal: Sendable {
    let signal = Signal()
    private let awaitsProgress = Atomic(false)

    /// Something may have come due.
    func raise() {
        signal.raise()
    }

    /// The loop has no room: the next progress wakes it.
    func awaitProgress() {
        awaitsProgress.store(true, ordering: .sequentiallyConsistent)
    }

    /// Some deliveries have been recorded, so there is room again.
    func progress() {
        if awaitsProgress.exchange(false, ordering: .sequentiallyConsistent) { raise() }
    }
}
