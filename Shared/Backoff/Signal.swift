/// Wakes one loop: `for await _ in signal`.
///
/// Signals that are raised while the loop is busy coalesce into one, so nothing piles up and the last one is never lost.
package struct Signal: AsyncSequence, Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package func raise() {
        continuation.yield()
    }

    /// Ends the loop after the signals that were raised before.
    package func finish() {
        continuation.finish()
    }

    package func makeAsyncIterator() -> AsyncStream<Void>.Iterator {
        stream.makeAsyncIterator()
    }
}
