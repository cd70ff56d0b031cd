import FoundationEssentials
import HTTPTypes
import Hummingbird
import Instants
import Logging
import NIOCore
import Operator
import Secrets
import ServiceKit
import ServiceLifecycle
import Synchronization
import WaterQuality

/// Receives webhooks on this machine and reports each.
final class WebhookReceiver: Sendable {
    private let secrets: WebhookSecrets
    private let answer: HTTPResponse.Status
    private let clock: WallClock
    private let tell: @Sendable (WebhookReport) throws -> Void
    private let recent = Mutex(RecentIDs())

    /// The specification asks senders for less than 20 kB.
    private static let largestBody = 64 * 1024

    /// - Parameters:
    ///   - answer: The status that answers a genuine webhook.
    ///   - tell: Called once for each webhook, before its answer.
    init(
        secrets: WebhookSecrets, answer: HTTPResponse.Status = .ok, clock: WallClock = .system,
        tell: @escaping @Sendable (WebhookReport) throws -> Void
    ) {
        self.secrets = secrets
        self.answer = answer
        self.clock = clock
        self.tell = tell
    }

    /// Serves until `stop` returns.
    /// - Parameters:
    ///   - port: The port on that host; 0 takes a free one.
    ///   - onListening: Called with the port once the server accepts connections.
    /// - Throws: `OperatorError` when the port cannot be had.
    func run(
        host: String = "127.0.0.1", port: Int, until stop: @escaping Stop,
        onListening: @escaping @Sendable (Int) async -> Void
    ) async throws {
        let application = Application(
            responder: router().buildResponder(),
            configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
            onServerRunning: { await onListening($0.localAddress?.port ?? port) }, logger: Self.quiet)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [application], gracefulShutdownSignals: [], logger: Self.quiet))
        do {
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try await group.run() }
                tasks.addTask {
                    await stop()
                    await group.triggerGracefulShutdown()
                }
                // A server that cannot start ends first; the other task is then cancelled.
                defer { tasks.cancelAll() }
                while try await tasks.next() != nil {}
            }
        } catch let error as IOError {
            throw OperatorError(
                .invalidInput, "Port \(port) cannot be had (\(error)). Choose a free one with --port.",
                underlying: error)
        }
    }

    private func router() -> Router<BasicRequestContext> {
        let router = Router()
        // The pattern matches one level or more, so the root needs a route of its own.
        for path: RouterPath in ["/", "**"] {
            router.post(path) { request, _ in try await self.respond(to: request) }
        }
        return router
    }

    private func respond(to request: Request) async throws -> Response {
        let body: ByteBuffer
        do { body = try await request.body.collect(upTo: Self.largestBody) } catch is NIOTooManyBytesError {
            return Response(status: .contentTooLarge)
        }
        let arrival = clock.now()
        let webhook = IncomingWebhook(headers: request.headers, body: Array(body.readableBytesView))
        let report = judge(webhook, at: arrival)
        try tell(report)
        let status = HTTPResponse.Status(code: report.answer)
        guard let nonce = report.nonce else { return Response(status: status) }
        return Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: #"{"challenge":"\#(nonce)"}"#)))
    }

    private func judge(_ webhook: IncomingWebhook, at arrival: Timestamp) -> WebhookReport {
        let verdict = secrets.verify(webhook, now: arrival)
        let body = try? JSONDecoder().decode(JSONValue.self, from: Data(webhook.body))
        var report = WebhookReport(webhook, verdict: verdict, body: body, arrival: arrival)
        switch (verdict, webhook.id) {
        case (.valid, let id?):
            report.isRepeated = recent.withLock { $0.insert(id) }
            report.answer = answer.code
        default: report.answer = 401
        }
        return report
    }

    private static var quiet: Logger {
        var logger = Logger(label: "aqua-rehearsal", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .error
        return logger
    }
}

/// A request as it was received, not yet verified.
struct IncomingWebhook: Hashable, Sendable {
    var id: String?
    var timestamp: String?
    var signatures: String?
    var body: [UInt8]

    init(id: String?, timestamp: String?, signatures: String?, body: [UInt8]) {
        self.id = id
        self.timestamp = timestamp
        self.signatures = signatures
        self.body = body
    }

    init(headers: HTTPFields, body: [UInt8]) {
        self.init(
            id: HTTPField.Name("webhook-id").flatMap { headers[$0] },
            timestamp: HTTPField.Name("webhook-timestamp").flatMap { headers[$0] },
            signatures: HTTPField.Name("webhook-signature").flatMap { headers[$0] }, body: body)
    }
}

/// The most recent webhook ids, bounded, to detect repetitions.
struct RecentIDs: Sendable {
    private var known: Set<String> = []
    private var order: [String] = []
    private var oldest = 0
    private let limit: Int

    init(limit: Int = 10_000) { self.limit = limit }

    /// - Returns: Whether the id was known.
    mutating func insert(_ id: String) -> Bool {
        guard known.insert(id).inserted else { return true }
        if order.count < limit {
            order.append(id)
        } else {
            known.remove(order[oldest])
            order[oldest] = id
            oldest = (oldest + 1) % limit
        }
        return false
    }
}
