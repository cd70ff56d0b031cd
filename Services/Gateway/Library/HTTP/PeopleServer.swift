import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceKit

/// Listens for people, over TLS where there is a certificate, and hands each request to the `RequestHandler`.
struct PeopleServer: Sendable {
    let address: HostAndPort
    let handler: RequestHandler
    let limits: ConnectionLimits
    /// Nil where a proxy serves TLS, or nobody.
    let certificate: RenewableCertificate?
    let logger: Logger
    let onListening: @Sendable (HostAndPort) async -> Void

    /// Serves until the service is asked to stop, and the last answers are given.
    /// - Throws: `ServiceKitError` if the address cannot be listened on.
    func run() async throws {
        let timeouts = handler.services.settings.timeouts
        let (limits, proxies, certificate) = (limits, handler.proxies, certificate)
        let failedHandshakes = certificate == nil ? nil : handler.metrics.failedHandshakes
        let application = Application(
            responder: handler,
            server: HTTPServerBuilder { responder in
                GuardedHTTP1(responder: responder, certificate: certificate) {
                    ConnectionGuard(
                        timeouts: timeouts, limits: limits, proxies: proxies, failedHandshakes: failedHandshakes)
                }
            },
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port), backlog: 1024),
            onServerRunning: { channel in
                let listening = HostAndPort(host: address.host, port: channel.localAddress?.port ?? address.port)
                logger.info("Serving people", [.address: "\(listening)"])
                await onListening(listening)
            },
            logger: quietLogger())
        do {
            try await application.run()
        } catch let error as IOError {
            throw ServiceKitError.cannotListen(on: address, variable: .peopleListen, cause: error)
        }
    }

    /// Hummingbird tells every start and request in words of its own; ours are enough.
    private func quietLogger() -> Logger {
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        return quiet
    }
}
