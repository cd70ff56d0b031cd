import Synchronization

extension WebhookSink {
    /// The requests received, and the answers to give.
    final class Book: Sendable {
        private struct State {
            var received: [Request] = []
            var script: [Answer] = []
            var otherwise: @Sendable (Request) -> Answer = { _ in .status(200) }
            var arrivals: [Int: AsyncStream<Void>.Continuation] = [:]
            var nextReader = 0
        }

        private let state = Mutex(State())

        var received: [Request] { state.withLock { state in state.received } }

        func answer(_ script: [Answer], then otherwise: @Sendable @escaping (Request) -> Answer) {
            state.withLock { state in
                state.script = script
                state.otherwise = otherwise
            }
        }

        /// Yields once for the requests so far, and once for each new request.
        func arrivals() -> AsyncStream<Void> {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            continuation.yield()
            state.withLock { state in
                let reader = state.nextReader
                state.nextReader += 1
                state.arrivals[reader] = continuation
                continuation.onTermination = { [weak self] _ in
                    self?.state.withLock { state in state.arrivals[reader] = nil }
                }
            }
            return stream
        }

        /// Records a request with its answer.
        func take(_ request: Request) -> Answer {
            let (scripted, otherwise) = state.withLock { state in
                (state.script.isEmpty ? nil : state.script.removeFirst(), state.otherwise)
            }
            let answer = scripted ?? otherwise(request)
            return state.withLock { state in
                var request = request
                request.answer = answer
                state.received.append(request)
                for reader in state.arrivals.values { reader.yield() }
                return request.answer == .challenge ? .body(request.replyToChallenge) : request.answer
            }
        }
    }
}

extension WebhookSink.Request {
    /// The receiver's answer to an endpoint challenge.
    fileprivate var replyToChallenge: String {
        let text = String(decoding: body, as: UTF8.self)
        let nonce = text.firstMatch(of: /"challenge":"([^"]*)"/)?.output.1 ?? ""
        return #"{"challenge": "\#(nonce)"}"#
    }
}
