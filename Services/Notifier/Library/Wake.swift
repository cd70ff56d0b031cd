import Synchronization

/// Tells the leasing loop that it is worth looking: equal news is one signal.
final class Wake: Sendable {
    let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let awaitsProgress = Atomic(false)

    init() {
        (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Something may have come due.
    func signal() {
        continuation.yield()
    }

    /// The loop has no room: it wants to hear of the next progress.
    func awaitProgress() {
        awaitsProgress.store(true, ordering: .sequentiallyConsistent)
    }

    /// Some deliveries have been recorded.
    func progress() {
        if awaitsProgress.exchange(false, ordering: .sequentiallyConsistent) { signal() }
    }

    func finish() {
        continuation.finish()
    }
}
