import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

extension ProcessUnderTest {
    /// Waits until a service answers that it is ready, at the address that it logs.
    /// - Returns: The address, host and port.
    @discardableResult
    package func untilReady() async throws -> String {
        let line = try await line { $0.contains(#""address":"#) && $0.contains("Serving metrics and health") }
        let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        guard let address = entry?["address"] as? String else {
            throw TestSupportError("\(name) does not say where it serves its health: \(line)")
        }
        let request = HTTPClientRequest(url: "http://\(address)/health/ready")
        try await awaitFact("the readiness of \(name)") {
            (try? await HTTPClient.shared.execute(request, timeout: .seconds(5)))?.status == .ok ? true : nil
        }
        return address
    }

    /// The metrics of a service, as Prometheus reads them.
    package func metrics() async throws -> String {
        let request = HTTPClientRequest(url: "http://\(try await untilReady())/metrics")
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(5))
        return String(buffer: try await response.body.collect(upTo: 1 << 20))
    }
}
