package import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
package import ServiceKit

/// The limits on each connection of a server.
package struct ConnectionRules: Sendable {
    package var timeouts: ConnectionTimeouts
    package var limits: ConnectionLimits
    package var proxies: TrustedProxies
    /// The most bytes of a body.
    package var largestBody: Int

    package init(timeouts: ConnectionTimeouts, limits: ConnectionLimits, proxies: TrustedProxies, largestBody: Int) {
        self.timeouts = timeouts
        self.limits = limits
        self.proxies = proxies
        self.largestBody = largestBody
    }
}

/// A server for the public: it bounds what connections may take, serves TLS where there is a certificate, and passes
/// each request to its responder.
package struct GuardedServer<Responder: HTTPResponder>: Sendable where Responder.Context == ConnectionContext {
    private let address: HostAndPort
    private let variable: Variable
    private let responder: Responder
    private let rules: ConnectionRules
    private let certificate: RenewableCertificate?
    private let failedHandshakes: Counter
    private let logger: Logger

    /// - Parameters:
    ///   - variable: The variable with which the operator set the address.
    ///   - certificate: Nil if a proxy serves TLS, or nobody does.
    package init(
        address: HostAndPort, variable: Variable, responder: Responder, rules: ConnectionRules,
        certificate: RenewableCertificate?, failedHandshakes: Counter, logger: Logger
    ) {
        self.address = address
        self.variable = variable
        self.responder = responder
        self.rules = rules
        self.certificate = certificate
        self.failedHandshakes = failedHandshakes
        self.logger = logger
    }

    /// Serves until the service is asked to stop and the last answers are given.
    /// - Parameter onListening: Called with the address and its actual port.
    /// - Throws: `ServiceKitError` if the address cannot be bound.
    package func run(onListening: @escaping @Sendable (HostAndPort) async -> Void) async throws {
        let (rules, certificate) = (rules, certificate)
        let failedHandshakes = certificate == nil ? nil : failedHandshakes
        let application = Application(
            responder: responder,
            server: HTTPServerBuilder { responder in
                GuardedHTTP1(responder: responder, certificate: certificate) {
                    ConnectionGuard(
                        timeouts: rules.timeouts, limits: rules.limits, proxies: rules.proxies,
                        largestBody: rules.largestBody, failedHandshakes: failedHandshakes)
                }
            },
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port), backlog: 1024),
            onServerRunning: { channel in
                await onListening(
                    HostAndPort(host: address.host, port: channel.localAddress?.port ?? address.port))
            },
            logger: quietLogger())
        do {
            try await application.run()
        } catch let error as IOError {
            throw ServiceKitError.cannotListen(on: address, variable: variable, cause: error)
        }
    }

    /// A logger without Hummingbird's lines for every start and request, which repeat ours.
    private func quietLogger() -> Logger {
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        return quiet
    }
}
