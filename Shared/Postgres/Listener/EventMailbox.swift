import Synchronization

/// Passes events from the listener's thread to one consumer.
final class EventMailbox: Sendable {
    private typealias Consumer = CheckedContinuation<PostgresEvent?, Never>

    private struct State {
        var queue: EventQueue
        var consumer: Consumer?
        var isFinished = false
    }

    private let state: Mutex<State>

    init(channels: [String], limit: Int) {
        state = Mutex(State(queue: EventQueue(channels: channels, limit: limit)))
    }

    func post(_ change: (inout EventQueue) -> Void) {
        let delivery: (Consumer, PostgresEvent)? = state.withLock { state in
            change(&state.queue)
            guard let consumer = state.consumer, let event = state.queue.next() else { return nil }
            state.consumer = nil
            return (consumer, event)
        }
        if let (consumer, event) = delivery { consumer.resume(returning: event) }
    }

    /// Ends the events: the consumer gets nil from now on.
    func finish() {
        let consumer = state.withLock { state in
            state.isFinished = true
            defer { state.consumer = nil }
            return state.consumer
        }
        consumer?.resume(returning: nil)
    }

    /// Waits for the next event.
    /// - Returns: nil when finished or cancelled.
    func next() async -> PostgresEvent? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (consumer: Consumer) in
                let answer: PostgresEvent?? = state.withLock { state in
                    if state.isFinished || Task.isCancelled { return .some(nil) }
                    if let event = state.queue.next() { return event }
                    precondition(state.consumer == nil, "a listener's events have one consumer")
                    state.consumer = consumer
                    return nil
                }
                if let answer { consumer.resume(returning: answer) }
            }
        } onCancel: {
            finish()
        }
    }
}

/// A listener's events, for one consumer; they end when its task is cancelled.
package struct PostgresEvents: AsyncSequence, Sendable {
    let mailbox: EventMailbox

    package struct AsyncIterator: AsyncIteratorProtocol {
        let mailbox: EventMailbox

        package mutating func next() async -> PostgresEvent? { await mailbox.next() }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(mailbox: mailbox) }
}
