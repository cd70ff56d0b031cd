import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Routes

extension GatewayUnderTest {
    struct Reply: Sendable {
        let status: Int
        let headers: HTTPHeaders
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
        /// The body as JSON; nil if it is none.
        var json: JSON? { try? JSON(reading: body) }
        /// The code of a problem document.
        var code: String? { json?["code"]?.string }

        subscript(header name: String) -> String? { headers.first(name: name) }
    }

    /// A client that neither follows redirections nor decompresses. Lives as long as the process.
    private static let client = HTTPClient(
        eventLoopGroupProvider: .singleton,
        configuration: HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(120)), decompression: .disabled))

    /// Sends one request and reads the whole answer.
    func request(
        _ method: HTTPMethod, _ path: String, _ person: Person? = nil, token: String? = nil, json: JSON? = nil,
        body: [UInt8]? = nil, headers: HTTPHeaders = [:]
    ) async throws -> Reply {
        var request = HTTPClientRequest(url: url + path)
        request.method = method
        request.headers = headers
        if let token = token ?? person?.token {
            request.headers.replaceOrAdd(name: "Authorization", value: "Bearer \(token)")
        }
        if let bytes = json?.bytes ?? body {
            request.body = .bytes(ByteBuffer(bytes: bytes))
            if !request.headers.contains(name: "Content-Type") {
                request.headers.add(name: "Content-Type", value: "application/json")
            }
        }
        let response = try await Self.client.execute(request, timeout: .seconds(120))
        let collected = try await response.body.collect(upTo: 64 << 20)
        return Reply(
            status: Int(response.status.code), headers: response.headers, body: Array(buffer: collected))
    }
}
