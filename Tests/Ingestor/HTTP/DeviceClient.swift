import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

/// A device that speaks HTTP only.
struct DeviceClient: Sendable {
    let port: Int
    var key: String? = ServiceFixture.deviceKey

    struct Answer: Sendable {
        let status: Int
        let text: String
        let headers: HTTPHeaders

        /// The code of a problem document.
        var code: String? {
            get throws {
                #expect(headers.first(name: "Content-Type") == "application/problem+json")
                let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
                return object?["code"] as? String
            }
        }
    }

    func post(
        _ body: String, to path: String = "/aqua/v1/tank-1/readings", type: String? = "application/json",
        method: HTTPMethod = .POST
    ) async throws -> Answer {
        var headers = HTTPHeaders()
        if let type { headers.add(name: "Content-Type", value: type) }
        return try await ask(method, path, headers, body)
    }

    func ask(
        _ method: HTTPMethod, _ path: String, _ headers: HTTPHeaders = [:], _ body: String? = nil
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
        request.method = method
        request.headers = headers
        if let key { request.headers.add(name: "Authorization", value: "Bearer \(key)") }
        if let body { request.body = .bytes(ByteBuffer(string: body)) }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
        let bytes = try await response.body.collect(upTo: 1 << 20)
        return Answer(status: Int(response.status.code), text: String(buffer: bytes), headers: response.headers)
    }
}

extension ServiceFixture {
    /// Starts an Ingestor that also serves devices over HTTP, and waits for it.
    func startServing(
        _ changes: [String: String] = [:], until line: String = "Listening"
    ) async throws -> (ProcessUnderTest, DeviceClient) {
        let port = Ports.free()
        var environment = environment()
        environment["AQUA_DEVICE_HTTP_LISTEN"] = "127.0.0.1:\(port)"
        environment.merge(changes) { $1 }
        let ingestor = try ProcessUnderTest.start("aqua-ingestor", environment: environment)
        try await ingestor.line { $0.contains("Serving devices") }
        try await ingestor.line { $0.contains(line) }
        return (ingestor, DeviceClient(port: port))
    }
}
