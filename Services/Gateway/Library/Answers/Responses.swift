import HTTPTypes
import Hummingbird
import NIOCore
import PublicHTTP
import Routes
import ServiceKit

/// Turns routes' answers into Hummingbird's responses: with the headers that all answers have, compressed where that is
/// harmless and worth it.
struct Responses: Sendable {
    private let security: SecurityHeaders
    private let grace: Duration
    private static let leastCompressed = 1024

    init(_ origin: PublicOrigin, grace: Duration) {
        security = SecurityHeaders(origin)
        self.grace = grace
    }

    /// - Parameter onEnd: Called when a streamed body has ended, with the error that broke it off.
    func response(
        _ answer: RawAnswer, to request: HTTPRequest, id: String, on channel: any Channel,
        onEnd: @escaping @Sendable ((any Error)?) -> Void
    ) -> Response {
        var headers = answer.headers
        headers[.xRequestID] = id
        let isEvents = headers[.contentType]?.hasPrefix("text/event-stream") == true
        if isEvents {
            headers[.cacheControl] = "no-store, no-transform"
            headers[.xAccelBuffering] = "no"
        }
        security.add(to: &headers)
        let mayCompress = isCompressible(headers, request, isEvents: isEvents)
        if mayCompress { headers.append(HTTPField(name: .vary, value: "Accept-Encoding")) }
        let compresses = mayCompress && accepts(.gzip, request.headerFields[values: .acceptEncoding])
        switch answer.body {
        case .none:
            return Response(status: answer.status, headers: headers)
        case .bytes(var bytes):
            if request.method == .head {
                headers[.contentLength] = String(bytes.count)
                return Response(status: answer.status, headers: headers)
            }
            if compresses, bytes.count >= Self.leastCompressed {
                bytes = Array(buffer: Gzip().finish(ByteBuffer(bytes: bytes)))
                headers[.contentEncoding] = "gzip"
                if let tag = headers[.eTag] { headers[.eTag] = tag.dropLast() + EntityTag.compressed + "\"" }
            }
            return Response(
                status: answer.status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
        case .stream(let write):
            if compresses { headers[.contentEncoding] = "gzip" }
            if request.method == .head {
                // The length is not known, and must not be given as zero.
                return Response(
                    status: answer.status, headers: headers, body: ResponseBody { try await $0.finish(nil) })
            }
            let body = StreamedBody(
                write: write, channel: channel, isCompressed: compresses, isEndless: isEvents, grace: grace)
            let end = StreamEnd(onEnd)
            return Response(
                status: answer.status, headers: headers,
                body: ResponseBody { writer in
                    do {
                        try await body.send(to: writer)
                        end.tell(nil)
                    } catch {
                        end.tell(error)
                        throw error
                    }
                })
        }
    }

    /// Whether an answer may be compressed: only answers to GET, which never hold a secret. Beside text that a stranger
    /// has a say in, the size of a compressed answer reveals something about its secrets (BREACH). Files of the web
    /// app, which have a tag, come compressed.
    private func isCompressible(_ headers: HTTPFields, _ request: HTTPRequest, isEvents: Bool) -> Bool {
        guard request.method == .get || request.method == .head, !isEvents else { return false }
        guard headers[.contentEncoding] == nil, let type = headers[.contentType] else { return false }
        if headers[.eTag] != nil { return type.hasPrefix("application/json") }
        return ["text/", "application/json", "application/geo+json", "application/problem"].contains {
            type.hasPrefix($0)
        }
    }
}
