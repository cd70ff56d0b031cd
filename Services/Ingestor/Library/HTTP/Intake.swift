import Backoff
import MQTT
import Synchronization

/// Messages that requests hand over, and whose commit they wait for. Bounded like a batch: messages that do not fit are
/// refused and stay with their device.
final class Intake: Sendable {
    enum Refusal: Error {
        /// No room: as many messages wait as may.
        case full
        /// The lane has failed or stopped. Messages that it had begun to write may be stored.
        case stopped
    }

    /// The messages of one request.
    final class Delivery: Sendable {
        private enum State {
            case open
            case awaited(CheckedContinuation<[ReceiptStatus?], any Error>)
            case ended(Result<[ReceiptStatus?], any Error>)
        }

        let messages: [MQTTMessage]
        let bytes: Int
        private let state = Mutex(State.open)

        init(_ messages: [MQTTMessage]) {
            self.messages = messages
            bytes = messages.reduce(0) { $0 + $1.payload.count }
        }

        /// Tells the request what became of its messages. The first call counts.
        func end(_ result: Result<[ReceiptStatus?], any Error>) {
            let waiter: CheckedContinuation<[ReceiptStatus?], any Error>? = state.withLock { state in
                switch state {
                case .ended: return nil
                case .open:
                    state = .ended(result)
                    return nil
                case .awaited(let waiter):
                    state = .ended(result)
                    return waiter
                }
            }
            waiter?.resume(with: result)
        }

        fileprivate func outcome() async throws -> [ReceiptStatus?] {
            try await withCheckedThrowingContinuation { waiter in
                let result: Result<[ReceiptStatus?], any Error>? = state.withLock { state in
                    if case .ended(let result) = state { return result }
                    state = .awaited(waiter)
                    return nil
                }
                if let result { waiter.resume(with: result) }
            }
        }
    }

    private struct State {
        var waiting: [Delivery] = []
        var messages = 0
        var bytes = 0
        var isOpen = true

        mutating func take(_ count: Int) -> [Delivery] {
            let taken = waiting.prefix(count)
            messages -= taken.reduce(0) { $0 + $1.messages.count }
            bytes -= taken.reduce(0) { $0 + $1.bytes }
            waiting.removeFirst(count)
            return Array(taken)
        }
    }

    private let state = Mutex(State())
    private let arrivals = Signal()

    /// Messages that wait for a batch.
    var waitingCount: Int { state.withLock(\.messages) }

    /// Hands over messages, at most a batch, and waits for their commit.
    /// - Returns: The status for the device of each message; nil of one that was shed.
    /// - Throws: `Refusal`; `CancellationError`, after which the messages may still be stored if a batch had them.
    func commit(_ messages: [MQTTMessage]) async throws -> [ReceiptStatus?] {
        let delivery = Delivery(messages)
        try add(delivery)
        return try await withTaskCancellationHandler {
            try await delivery.outcome()
        } onCancel: {
            withdraw(delivery)
        }
    }

    private func add(_ delivery: Delivery) throws(Refusal) {
        let refusal: Refusal? = state.withLock { state in
            guard state.isOpen else { return .stopped }
            guard state.messages + delivery.messages.count <= Lane.batchMessages,
                state.bytes + delivery.bytes <= Lane.batchBytes
            else { return .full }
            state.waiting.append(delivery)
            state.messages += delivery.messages.count
            state.bytes += delivery.bytes
            return nil
        }
        if let refusal { throw refusal }
        arrivals.raise()
    }

    private func withdraw(_ delivery: Delivery) {
        state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0 === delivery }) else { return }
            state.waiting.remove(at: index)
            state.messages -= delivery.messages.count
            state.bytes -= delivery.bytes
        }
        delivery.end(.failure(CancellationError()))
    }

    // MARK: The lane's side

    /// All waiting deliveries, at most a batch.
    func take() -> [Delivery] {
        state.withLock { $0.take($0.waiting.count) }
    }

    /// Signals that something may wait; ends when nothing more will come.
    var wakeUps: Signal { arrivals }

    /// Wakes the lane although nothing came.
    func wake() { arrivals.raise() }

    /// Refuses whatever waits, and anything further.
    func stop() {
        let left = state.withLock { state in
            state.isOpen = false
            return state.take(state.waiting.count)
        }
        arrivals.finish()
        for delivery in left { delivery.end(.failure(Refusal.stopped)) }
    }
}
