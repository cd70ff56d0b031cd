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

    /// The value of a series without labels, by the service's own metrics.
    /// - Parameter address: Where it serves them, as `untilReady` tells.
    package static func metric(_ name: String, at address: String) async throws -> Double {
        let response = try await HTTPClient.shared.execute(
            HTTPClientRequest(url: "http://\(address)/metrics"), timeout: .seconds(60))
        let text = String(buffer: try await response.body.collect(upTo: 4 << 20))
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
        guard let value = line?.split(separator: " ").last.flatMap({ Double($0) }) else {
            throw TestSupportError("There is no metric \(name) at \(address)")
        }
        return value
    }
}
