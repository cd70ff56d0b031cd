import AsyncHTTPClient
package import NIOCore
import NIOHTTP1
import NIOSSL

/// Asks a running service on this machine whether it is ready: a container's health check where there is no shell and
/// no HTTP client.
package enum HealthProbe {
    private static let largestAnswer = 4096

    /// - Parameters:
    ///   - address: The service's address; if it listens on all interfaces, the loopback interface is used.
    ///   - timeout: The limit on the whole exchange.
    /// - Returns: What is wrong, in a sentence; nil if the service is ready.
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

    /// The client for TLS. It does not verify the certificate, which is not for the machine's own address; nothing
    /// secret is sent. Lives as long as the process.
    private static let encrypting: HTTPClient = {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.certificateVerification = .none
        return HTTPClient(
            eventLoopGroupProvider: .singleton, configuration: HTTPClient.Configuration(tlsConfiguration: tls))
    }()

    /// Fetches a small resource of a service.
    /// - Parameters:
    ///   - path: The path with its leading slash.
    ///   - usesTLS: Whether to use TLS; the service's certificate is not checked.
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

    /// A host at which a service is reached that listens on this address.
    package static func reachableHost(_ host: String) -> String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }
}
