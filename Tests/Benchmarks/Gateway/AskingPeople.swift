import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import TestSupport

/// People who ask the Gateway, each with a token of their own.
struct AskingPeople: Sendable {
    /// The Gateway's address.
    let base: String
    let tokens: [String]

    /// The shared client takes no answer that is compressed to less than a 25th, as a hundred observations of one series are.
    private static let client = HTTPClient(
        configuration: HTTPClient.Configuration(decompression: .enabled(limit: .size(mostBytes))))
    private static let mostBytes = 8 << 20

    /// - Returns: The body of the answer.
    /// - Throws: `TestSupportError` for an answer other than 200; `HTTPClientError`.
    func ask(_ path: String, as person: Int) async throws -> ByteBuffer {
        var request = HTTPClientRequest(url: base + path)
        request.headers.add(name: "Authorization", value: "Bearer \(tokens[person])")
        request.headers.add(name: "X-Forwarded-For", value: Self.address(person))
        let response = try await Self.client.execute(request, timeout: .seconds(30))
        let body = try await response.body.collect(upTo: Self.mostBytes)
        guard response.status == .ok else {
            throw TestSupportError("The Gateway answers \(response.status): \(String(buffer: body).prefix(300))")
        }
        return body
    }

    /// An address for each person, in a network of their own, as stated by the proxy.
    static func address(_ person: Int) -> String { "10.\(person / 65_536).\(person / 256 % 256).\(person % 256)" }
}
