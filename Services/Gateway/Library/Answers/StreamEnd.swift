import Synchronization

/// Reports once that a streamed body has ended, even one that never began because its client was gone.
final class StreamEnd: Sendable {
    struct NeverBegun: Error {}

    private let onEnd: @Sendable ((any Error)?) -> Void
    private let isTold = Atomic<Bool>(false)

    init(_ onEnd: @escaping @Sendable ((any Error)?) -> Void) {
        self.onEnd = onEnd
    }

    deinit { tell(NeverBegun()) }

    func tell(_ failure: (any Error)?) {
        guard !isTold.exchange(true, ordering: .acquiringAndReleasing) else { return }
        onEnd(failure)
    }
}
