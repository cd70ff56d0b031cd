import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import TestSupport

/// People who ask the Gateway, each with a token of their own.
struct AskingPeople: Sendable {
    /// The Gateway's address.
    let base: String
    let tokens: [String]

    /// Takes answers as they come: the shared client refuses what is compressed to less than a 25th, as a hundred observations of one series are.
    private static let client = HTTPClient(
        configuration: {
            var configuration = HTTPClient.Configuration.singletonConfiguration
            configuration.decompression = .disabled
            return configuration
        }())

    /// - Parameter isCompressed: Whether the answer may be compressed, as browsers ask for it.
    /// - Returns: The body of the answer, as it came.
    /// - Throws: `TestSupportError` for an answer other than 200; `HTTPClientError`.
    func ask(_ path: String, as person: Int, isCompressed: Bool = true) async throws -> ByteBuffer {
        var request = HTTPClientRequest(url: base + path)
        if isCompressed { request.headers.add(name: "Accept-Encoding", value: "gzip") }
        request.headers.add(name: "Authorization", value: "Bearer \(tokens[person])")
        request.headers.add(name: "X-Forwarded-For", value: Self.address(person))
        let response = try await Self.client.execute(request, timeout: .seconds(30))
        let body = try await response.body.collect(upTo: 8 << 20)
        guard response.status == .ok else {
            throw TestSupportError("The Gateway answers \(response.status): \(String(buffer: body).prefix(300))")
        }
        return body
    }

    /// An address for each person, in a network of their own, as stated by the proxy.
    static func address(_ person: Int) -> String { "10.\(person / 65_536).\(person / 256 % 256).\(person % 256)" }
}
