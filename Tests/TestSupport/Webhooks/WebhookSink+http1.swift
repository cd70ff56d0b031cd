import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

extension WebhookSink {
    static func withHTTP1<Result: Sendable>(
        _ body: @Sendable @escaping (WebhookSink) async throws -> Result
    ) async throws -> Result {
        let (ports, bound) = AsyncStream.makeStream(of: Int.self)
        let book = Book()
        let application = Application(
            responder: Receiver(book: book),
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                bound.yield(channel.localAddress?.port ?? 0)
                bound.finish()
            },
            logger: Logger(label: "webhook-sink") { _ in SwiftLogNoOpLogHandler() })
        // The server is stopped gracefully: a cancelled one crashes when a connection is just arriving (swift-nio,
        // issue 2637).
        let server = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [application], gracefulShutdownSignals: [],
                logger: Logger(label: "webhook-sink") { _ in SwiftLogNoOpLogHandler() }))
        async let serving: Void = {
            defer { bound.finish() }
            try await server.run()
        }()
        guard let port = await ports.first(where: { _ in true }) else {
            try await serving
            throw TestSupportError("The webhook sink does not listen")
        }
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await body(WebhookSink(port: port, authorityFile: nil, book: book)))
        } catch {
            result = .failure(error)
        }
        await server.triggerGracefulShutdown()
        try await serving
        return try result.get()
    }

    /// Waits until the sink ends.
    private static func hang() async throws -> Never {
        await cancelWhenGracefulShutdown {
            for await _ in AsyncStream<Never>.makeStream().stream {}
        }
        throw CancellationError()
    }

    /// Answers a request.
    private struct Receiver: HTTPResponder {
        typealias Context = ConnectionContext

        let book: Book

        func respond(to request: Hummingbird.Request, context: ConnectionContext) async throws -> Response {
            let body = try await request.body.collect(upTo: 1 << 20)
            let received = Request(
                path: request.uri.description, method: request.method.rawValue, headers: request.headers,
                body: Array(body.readableBytesView), connection: nil)
            switch book.take(received) {
            case .status(let code, let retryAfter, let location):
                var headers = HTTPFields()
                headers[.retryAfter] = retryAfter
                headers[.location] = location
                return Response(status: .init(code: code), headers: headers)
            case .body(let text, let status, let retryAfter, let entityTag):
                var headers = HTTPFields()
                headers[.retryAfter] = retryAfter
                headers[.eTag] = entityTag
                return Response(
                    status: .init(code: status), headers: headers,
                    body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
            case .flood(let bytes):
                let chunk = ByteBuffer(repeating: UInt8(ascii: " "), count: 65_536)
                return Response(
                    status: .ok,
                    body: ResponseBody { writer in
                        for _ in 0..<(bytes / 65_536) { try await writer.write(chunk) }
                        try await writer.finish(nil)
                    })
            case .stall:
                return Response(
                    status: .ok,
                    body: ResponseBody { writer in
                        try await writer.write(ByteBuffer(string: "{"))
                        try await WebhookSink.hang()
                    })
            case .hang, .challenge: try await WebhookSink.hang()
            case .close, .refuse, .goAway, .reset:
                try await context.channel.close()
                throw CancellationError()
            }
        }
    }

    /// Holds the connection, so that it can be closed.
    private struct ConnectionContext: RequestContext {
        var coreContext: CoreRequestContextStorage
        let channel: any Channel

        init(source: ApplicationRequestContextSource) {
            coreContext = .init(source: source)
            channel = source.channel
        }
    }
}
