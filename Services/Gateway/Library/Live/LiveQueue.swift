import Synchronization

/// The events that one listener has not been sent yet, for the one task that writes to it.
///
/// Bounded: a reader that is this far behind is given up, and reads the tables when it comes back.
final class LiveQueue: Sendable {
    /// The reason why a stream ended.
    enum End: Sendable {
        /// The stream's time is up; the client connects again.
        case due
        /// The reader was too slow.
        case slow
        /// The session or the token is no longer valid.
        case signedOut
        case stopping
    }

    private typealias Reader = CheckedContinuation<[UInt8]?, Never>

    private struct State {
        var events: [[UInt8]] = []
        var isHeartbeatDue = false
        var end: End?
        var reader: Reader?
    }

    /// The most events that wait.
    static let limit = 64
    private static let heartbeat = Array(":\n\n".utf8)
    private let state = Mutex(State())

    var end: End? { state.withLock(\.end) }
    var waiting: Int { state.withLock(\.events.count) }

    func offer(_ event: [UInt8]) {
        change { state in
            guard state.end == nil else { return }
            if state.events.count < Self.limit {
                state.events.append(event)
            } else {
                state.events = []
                state.end = .slow
            }
        }
    }

    /// Sends a comment, unless something else waits anyway, so that everybody on the way sees that the stream lives.
    func beat() {
        change { if $0.events.isEmpty { $0.isHeartbeatDue = true } }
    }

    /// Ends the stream after the waiting events.
    func finish(_ end: End) {
        change { if $0.end == nil { $0.end = end } }
    }

    /// Takes all waiting events, without waiting.
    func drain() -> [UInt8] {
        state.withLock { state in
            defer { state.events = [] }
            return Array(state.events.joined())
        }
    }

    /// - Returns: All waiting events, to be written at once; nil at the end of the stream, and when the task is
    ///   cancelled.
    func next() async -> [UInt8]? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (reader: Reader) in
                let isHandedOver = state.withLock { state in
                    precondition(state.reader == nil, "a queue has one reader")
                    guard !Task.isCancelled else { return false }
                    state.reader = reader
                    return true
                }
                if isHandedOver { change { _ in } } else { reader.resume(returning: nil) }
            }
        } onCancel: {
            state.withLock { state in
                defer { state.reader = nil }
                return state.reader
            }?.resume(returning: nil)
        }
    }

    /// Changes the state, and wakes the reader when there is something for it.
    private func change(_ body: (inout State) -> Void) {
        let delivery: (Reader, [UInt8]?)? = state.withLock { state in
            body(&state)
            guard let reader = state.reader else { return nil }
            if !state.events.isEmpty {
                defer { state.events = [] }
                state.reader = nil
                state.isHeartbeatDue = false
                return (reader, Array(state.events.joined()))
            }
            if state.end != nil {
                state.reader = nil
                return (reader, nil)
            }
            if state.isHeartbeatDue {
                state.reader = nil
                state.isHeartbeatDue = false
                return (reader, Self.heartbeat)
            }
            return nil
        }
        if let (reader, bytes) = delivery { reader.resume(returning: bytes) }
    }
}
