import Hummingbird
package import Logging
import NIOCore
import ServiceLifecycle

/// Serves `/metrics`, `/health/live` and `/health/ready` to monitoring.
package struct HealthServer: Service {
    private let address: HostAndPort
    private let health: Health
    private let metrics: MetricsRegistry
    private let logger: Logger
    private let onListening: @Sendable (HostAndPort) async -> Void

    /// - Parameters:
    ///   - address: Port 0 takes a free one.
    ///   - onListening: Called with the address and its actual port once the server answers.
    package init(
        address: HostAndPort, health: Health, metrics: MetricsRegistry, logger: Logger,
        onListening: @escaping @Sendable (HostAndPort) async -> Void = { _ in }
    ) {
        self.address = address
        self.health = health
        self.metrics = metrics
        self.logger = logger
        self.onListening = onListening
    }

    /// - Throws: `ServiceKitError` if the address cannot be bound.
    package func run() async throws {
        let application = Application(
            responder: router().buildResponder(),
            configuration: ApplicationConfiguration(address: .hostname(address.host, port: address.port)),
            onServerRunning: { channel in
                let listening = HostAndPort(host: address.host, port: channel.localAddress?.port ?? address.port)
                logger.info("Serving metrics and health", [.address: "\(listening)"])
                await onListening(listening)
            },
            logger: quietLogger())
        do {
            try await application.run()
        } catch let error as IOError {
            throw ServiceKitError.cannotListen(on: address, variable: .listen, cause: error)
        }
    }

    private func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.get("/metrics") { _, _ in
            response(.ok, contentType: PrometheusText.contentType, metrics.render())
        }
        router.get("/health/live") { _, _ in
            healthResponse(well: "live", failing: health.silentHeartbeats())
        }
        router.get("/health/ready") { _, _ in
            await healthResponse(well: "ready", failing: health.failingReadiness())
        }
        return router
    }

    /// A logger without Hummingbird's info lines for every start and request; ours logs the start once.
    private func quietLogger() -> Logger {
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        return quiet
    }
}

/// `{"status":"ready"}`, or 503 and `{"status":"not ready","failing":["database"]}`.
private func healthResponse(well: String, failing: [String]) -> Response {
    var body = JSONLine()
    body.key("status")
    body.string(failing.isEmpty ? well : "not \(well)")
    if !failing.isEmpty {
        body.key("failing")
        body.array(failing) { $0.string($1) }
    }
    body.end()
    return response(
        failing.isEmpty ? .ok : .serviceUnavailable, contentType: "application/json",
        String(decoding: body.bytes, as: UTF8.self))
}

private func response(_ status: HTTPResponse.Status, contentType: String, _ body: String) -> Response {
    Response(
        status: status, headers: [.contentType: contentType, .cacheControl: "no-store"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: body)))
}
