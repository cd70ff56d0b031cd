import AsyncHTTPClient
package import NIOCore
import NIOHTTP1

/// Asks a running service of this machine whether it is ready: what a container's health check needs where there is no
/// shell and no HTTP client.
package enum HealthProbe {
    private static let largestAnswer = 4096

    /// - Parameters:
    ///   - address: Where the service listens; one that listens everywhere is asked on the loopback interface.
    ///   - timeout: For the whole exchange.
    /// - Returns: What is wrong, in a sentence; nil when the service is ready.
    package static func fault(at address: HostAndPort, timeout: TimeAmount = .seconds(3)) async -> String? {
        let asked = HostAndPort(host: reachableHost(address.host), port: address.port)
        do {
            let response = try await HTTPClient.shared.execute(
                HTTPClientRequest(url: "http://\(asked)/health/ready"), timeout: timeout)
            guard response.status != .ok else { return nil }
            let body = try await response.body.collect(upTo: largestAnswer)
            return "\(asked) answers \(response.status.code): \(String(buffer: body))"
        } catch {
            return "\(asked) does not answer: \(error)"
        }
    }

    private static func reachableHost(_ host: String) -> String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }
}
