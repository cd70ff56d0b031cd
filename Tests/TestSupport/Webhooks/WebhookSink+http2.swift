import HTTPTypes
import NIOCore
import NIOHPACK

extension WebhookSink {
    /// - Parameter streams: How many streams of a connection are open at once at most.
    static func withHTTP2<Result>(
        streams: Int? = nil, _ body: @Sendable @escaping (WebhookSink) async throws -> Result
    ) async throws -> Result {
        let book = Book()
        return try await HTTP2Server.with(streams: streams) {
            book.take(Request($0))
        } body: { server in
            try await body(WebhookSink(port: server.port, authorityFile: server.authorityFile, book: book))
        }
    }
}

extension WebhookSink.Request {
    fileprivate init(_ request: HTTP2Server.Request) {
        var headers = HTTPFields()
        for (name, value, _) in request.headers {
            if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
        }
        self.init(
            path: request.path, method: request.headers.first(name: ":method") ?? "", headers: headers,
            body: Array(request.body.readableBytesView), connection: request.connection)
    }
}
