import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// A real HTTP server that receives webhooks, answers as it was told, and remembers what came.
///
/// ```
/// try await WebhookSink.with { sink in
///     sink.answer([.status(500), .status(429, retryAfter: "1")], then: .status(200))
///     ...
///     let requests = try await sink.requests(3)
/// }
/// ```
package final class WebhookSink: Sendable {
    package enum Answer: Hashable, Sendable {
        case status(Int, retryAfter: String? = nil, location: String? = nil)
        /// Takes the request and never answers.
        case hang
        /// Takes the request and closes the connection.
        case close
    }

    package struct Request: Sendable {
        package let path: String
        package let method: String
        fileprivate let headers: HTTPFields
        package let body: [UInt8]
        package let received: ContinuousClock.Instant
        /// What it was answered.
        package fileprivate(set) var answer: Answer

        /// - Parameter name: In any case, such as `webhook-id`.
        package func header(_ name: String) -> String? {
            HTTPField.Name(name).flatMap { headers[$0] }
        }
    }

    private struct State {
        var received: [Request] = []
        var script: [Answer] = []
        var otherwise = Answer.status(200)
        var arrivals: [Int: AsyncStream<Void>.Continuation] = [:]
        var nextReader = 0
    }

    package let port: Int
    private let state: Mutex<State>

    /// Listens on a free loopback port as long as `body` runs.
    package static func with<Result: Sendable>(
        _ body: @Sendable @escaping (WebhookSink) async throws -> Result
    ) async throws -> Result {
        let (ports, bound) = AsyncStream.makeStream(of: Int.self)
        let receiver = Receiver()
        let application = Application(
            responder: receiver,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                bound.yield(channel.localAddress?.port ?? 0)
                bound.finish()
            },
            logger: Logger(label: "webhook-sink") { _ in SwiftLogNoOpLogHandler() })
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                try await application.run()
                return nil
            }
            guard let port = await ports.first(where: { _ in true }) else {
                throw TestSupportError("The webhook sink does not listen")
            }
            let sink = WebhookSink(port: port)
            receiver.sink.withLock { $0 = sink }
            group.addTask { try await body(sink) }
            defer { group.cancelAll() }
            while let next = try await group.next() {
                if let result = next { return result }
            }
            throw TestSupportError("The webhook sink ended")
        }
    }

    private init(port: Int) {
        self.port = port
        state = Mutex(State())
    }

    package func url(path: String = "/hook") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// What to answer: the script, an answer per request, then always the last.
    package func answer(_ script: [Answer] = [], then otherwise: Answer) {
        state.withLock { state in
            state.script = script
            state.otherwise = otherwise
        }
    }

    package var received: [Request] { state.withLock { state in state.received } }

    /// Awaits that so many requests have come.
    package func requests(_ count: Int, within limit: Duration = .seconds(60)) async throws -> [Request] {
        try await withDeadline(limit, "request \(count)") {
            for await _ in self.arrivals() where self.received.count >= count { break }
            return self.received
        } detail: {
            "\(self.received.count) came"
        }
    }

    /// A sign for what has come so far and one for each request to come.
    private func arrivals() -> AsyncStream<Void> {
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

    /// Notes a request with the answer that it gets.
    fileprivate func take(_ request: Request) -> Answer {
        state.withLock { state in
            var request = request
            request.answer = state.script.isEmpty ? state.otherwise : state.script.removeFirst()
            state.received.append(request)
            for reader in state.arrivals.values { reader.yield() }
            return request.answer
        }
    }
}

extension WebhookSink {
    /// Gives a request its answer.
    fileprivate final class Receiver: HTTPResponder {
        typealias Context = ConnectionContext

        let sink = Mutex<WebhookSink?>(nil)

        func respond(to request: Hummingbird.Request, context: ConnectionContext) async throws -> Response {
            let body = try await request.body.collect(upTo: 1 << 20)
            let received = Request(
                path: request.uri.description, method: request.method.rawValue, headers: request.headers,
                body: Array(body.readableBytesView), received: .now, answer: .status(503))
            switch sink.withLock({ $0 })?.take(received) ?? .status(503) {
            case .status(let code, let retryAfter, let location):
                var headers = HTTPFields()
                headers[.retryAfter] = retryAfter
                headers[.location] = location
                return Response(status: .init(code: code), headers: headers)
            case .hang:
                for await _ in AsyncStream<Never>.makeStream().stream {}
                throw CancellationError()
            case .close:
                try await context.channel.close()
                throw CancellationError()
            }
        }
    }

    /// Knows the connection, so that it can be closed.
    fileprivate struct ConnectionContext: RequestContext {
        var coreContext: CoreRequestContextStorage
        let channel: any Channel

        init(source: ApplicationRequestContextSource) {
            coreContext = .init(source: source)
            channel = source.channel
        }
    }
}
