import NIOCore
import NIOHTTP1
import Routes

/// The answer to bytes that are no request, or arrive too slowly: given by the connection itself, because no route and
/// no language is known yet.
struct Refusal: Equatable {
    let status: HTTPResponseStatus
    let code: String

    static let malformed = Refusal(status: .badRequest, code: "malformed-request")
    static let headersTooLarge = Refusal(status: .requestHeaderFieldsTooLarge, code: "headers-too-large")
    static let tooSlow = Refusal(status: .requestTimeout, code: "request-too-slow")
    static let tooManyConnections = Refusal(status: .serviceUnavailable, code: "too-many-connections")

    /// A head and a problem document (RFC 9457).
    func parts(_ allocator: ByteBufferAllocator) -> (head: HTTPResponseHead, body: ByteBuffer) {
        let document = JSON.object([
            "type": .string("/api/problems/\(code)"), "title": .string(status.reasonPhrase),
            "status": .integer(Int64(status.code)), "code": .string(code),
        ])
        let bytes = document.bytes
        var headers: HTTPHeaders = [
            "content-type": "application/problem+json", "content-length": "\(bytes.count)",
            "cache-control": "no-store", "connection": "close", "x-content-type-options": "nosniff",
        ]
        if status == .serviceUnavailable { headers.add(name: "retry-after", value: "5") }
        return (
            HTTPResponseHead(version: .http1_1, status: status, headers: headers), allocator.buffer(bytes: bytes)
        )
    }
}
