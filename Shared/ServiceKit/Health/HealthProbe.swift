import AsyncHTTPClient
package import NIOCore
import NIOHTTP1
import NIOSSL

/// Asks a running service of this machine whether it is ready: what a container's health check needs where there is no
/// shell and no HTTP client.
package enum HealthProbe {
    private static let largestAnswer = 4096

    /// - Parameters:
    ///   - address: Where the service listens; one that listens everywhere is asked on the loopback interface.
    ///   - timeout: For the whole exchange.
    /// - Returns: What is wrong, in a sentence; nil when the service is ready.
    package static func fault(at address: HostAndPort, timeout: TimeAmount = .seconds(3)) async -> String? {
        do {
            _ = try await answer(at: address, path: "/health/ready", timeout: timeout)
            return nil
        } catch {
            return error.description
        }
    }

    /// Why a service did not answer as it should, in a sentence.
    package struct Fault: Error, CustomStringConvertible {
        package let description: String
    }

    /// For asking over TLS. The address is this machine's own, which the certificate is not for; nothing secret is said.
    /// Lives as long as the process.
    private static let encrypting: HTTPClient = {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.certificateVerification = .none
        return HTTPClient(
            eventLoopGroupProvider: .singleton, configuration: HTTPClient.Configuration(tlsConfiguration: tls))
    }()

    /// Asks a service for something small.
    /// - Parameters:
    ///   - path: With its leading slash.
    ///   - usesTLS: Whether the service is asked over TLS; its certificate is not looked at.
    /// - Returns: The body of an answer with status 200.
    package static func answer(
        at address: HostAndPort, path: String, usesTLS: Bool = false, timeout: TimeAmount = .seconds(3)
    ) async throws(Fault) -> String {
        let asked = HostAndPort(host: reachableHost(address.host), port: address.port)
        let response: HTTPClientResponse
        let body: ByteBuffer
        do {
            response = try await (usesTLS ? encrypting : .shared).execute(
                HTTPClientRequest(url: "\(usesTLS ? "https" : "http")://\(asked)\(path)"), timeout: timeout)
            body = try await response.body.collect(upTo: largestAnswer)
        } catch {
            throw Fault(description: "\(asked) does not answer: \(error)")
        }
        guard response.status == .ok else {
            throw Fault(description: "\(asked) answers \(response.status.code): \(String(buffer: body))")
        }
        return String(buffer: body)
    }

    /// A host at which a service is reached that listens there.
    package static func reachableHost(_ host: String) -> String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }
}
