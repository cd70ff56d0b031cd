import HTTPTypes

/// A real server that receives webhooks, answers as scripted, and records the requests.
///
/// ```
/// try await WebhookSink.with { sink in
///     sink.answer([.status(500), .status(429, retryAfter: "1")], then: .status(200))
///     ...
///     let requests = try await sink.requests(3)
/// }
/// ```
package struct WebhookSink: Sendable {
    /// The only protocol that the sink speaks.
    package enum Transport: Sendable {
        /// HTTP/1.1, not encrypted.
        case http1
        /// HTTP/2 over TLS.
        case http2
        /// HTTP/2 over TLS, with one stream at a time.
        case http2Narrow
    }

    package enum Answer: Hashable, Sendable {
        case status(Int, retryAfter: String? = nil, location: String? = nil)
        /// A status with a body.
        case body(String, status: Int = 200, retryAfter: String? = nil, entityTag: String? = nil)
        /// A status, and then the end of the stream in the middle of the body. Over HTTP/1.1, like `close`.
        case reset(status: Int)
        /// Answers an endpoint challenge with its nonce.
        case challenge
        /// 200 with a body of `bytes` bytes.
        case flood(bytes: Int)
        /// 200 with the beginning of a body that never ends.
        case stall
        /// Accepts the request and never answers.
        case hang
        /// Accepts the request and closes the connection.
        case close
        /// Refuses the stream: the request was not processed. Over HTTP/1.1, like `close`.
        case refuse
        /// Ends the connection with GOAWAY: this request was not processed, the earlier ones were. Over HTTP/1.1, like
        /// `close`.
        case goAway
    }

    package struct Request: Sendable {
        package let path: String
        package let method: String
        let headers: HTTPFields
        package let body: [UInt8]
        /// The number of the connection; only set over HTTP/2.
        package let connection: Int?
        package let received = ContinuousClock.now
        /// The answer given to the request.
        package internal(set) var answer = Answer.status(503)

        /// - Parameter name: The header's name in any case, such as `webhook-id`.
        package func header(_ name: String) -> String? {
            HTTPField.Name(name).flatMap { headers[$0] }
        }
    }

    package let port: Int
    /// The authority that signed the sink's certificate, if it speaks TLS.
    package let authorityFile: String?
    let book: Book

    /// Listens on a free loopback port while `body` runs.
    package static func with<Result: Sendable>(
        _ transport: Transport = .http1, _ body: @Sendable @escaping (WebhookSink) async throws -> Result
    ) async throws -> Result {
        switch transport {
        case .http1: try await withHTTP1(body)
        case .http2: try await withHTTP2(body)
        case .http2Narrow: try await withHTTP2(streams: 1, body)
        }
    }

    package func url(path: String = "/hook") -> String {
        "\(authorityFile == nil ? "http" : "https")://127.0.0.1:\(port)\(path)"
    }

    /// Sets the answers: one of the script per request, and then `then` for every further request.
    package func answer(_ script: [Answer] = [], then otherwise: Answer) { book.answer(script) { _ in otherwise } }

    /// Answers every request with the result of a closure.
    package func answer(by decide: @Sendable @escaping (Request) -> Answer) { book.answer([], then: decide) }

    package var received: [Request] { book.received }

    /// Waits until `count` requests have come.
    package func requests(_ count: Int, within limit: Duration = .seconds(120)) async throws -> [Request] {
        try await withDeadline(limit, "request \(count)") {
            for await _ in book.arrivals() where received.count >= count { break }
            return received
        } progress: {
            received.count
        } detail: {
            "\(received.count) came"
        }
    }
}
