import Logging
import PublicHTTP
import ServiceKit

/// Listens for people, over TLS where there is a certificate, and hands each request to the `RequestHandler`.
struct PeopleServer: Sendable {
    let address: HostAndPort
    let handler: RequestHandler
    let limits: ConnectionLimits
    /// Nil where a proxy serves TLS, or nothing does.
    let certificate: RenewableCertificate?
    let onListening: @Sendable (HostAndPort) async -> Void

    /// The most bytes of a request's body.
    static let largestBody = 64 * 1024
    /// The most bytes of a file, on the routes that take one.
    static let largestFile = 300 * 1024

    /// Serves until the service is asked to stop and the last answers are given.
    /// - Throws: `ServiceKitError` if the address cannot be listened on.
    func run() async throws {
        let logger = handler.services.logger
        let server = GuardedServer(
            address: address, variable: .peopleListen, responder: handler,
            rules: ConnectionRules(
                timeouts: handler.services.settings.timeouts, limits: limits, proxies: handler.proxies,
                largestBody: Self.largestFile),
            certificate: certificate, failedHandshakes: handler.metrics.failedHandshakes, logger: logger)
        try await server.run { listening in
            logger.info("Serving people", [.address: "\(listening)"])
            await onListening(listening)
        }
    }
}
