import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import TestSupport

/// Posts over HTTP/2 with the Notifier's client library, to measure a receiver without the preparation and recording of
/// requests.
struct Poster: Sendable {
    private let client: HTTPClient

    /// A body about as large as an alert's.
    private static let body = ByteBuffer(repeating: UInt8(ascii: "x"), count: 700)

    /// - Parameter authorityFile: The authority that signed the receiver's certificate.
    static func with<Result>(authorityFile: String, _ body: (Poster) async throws -> Result) async throws -> Result {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.additionalTrustRoots = [.file(authorityFile)]
        let client = HTTPClient(
            eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: .init(tlsConfiguration: tls))
        do {
            let result = try await body(Poster(client: client))
            try await client.shutdown()
            return result
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    /// Returns when the answer has come.
    func post(to url: String) async throws {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.body = .bytes(Self.body)
        let response = try await client.execute(request, timeout: .seconds(60))
        guard (200...299).contains(response.status.code), response.version == .http2 else {
            throw TestSupportError("The receiver answers \(response.status) in \(response.version)")
        }
        // The stream of an unread body would be cancelled.
        _ = try await response.body.collect(upTo: 1 << 10)
    }
}
