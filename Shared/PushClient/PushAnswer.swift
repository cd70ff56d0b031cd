/// What came of one request.
package enum PushAnswer: Hashable, Sendable {
    /// - Parameter retryAfter: The header as it came.
    case response(status: Int, retryAfter: String? = nil)
    /// Nothing was sent, as there was no connection.
    case noConnection(Cause)
    /// The connection ended after the request had begun, and no answer came.
    case broken
    /// The request was sent and no answer came in time: it may have been taken.
    case silence
    /// The target's name leads to an address that must not be called; nothing was sent.
    case notPermitted
    /// The stored target or secret cannot be used; nothing was sent.
    case unusable(String)

    /// No more than this is told of a failed connection: a person who registers targets would learn from it what
    /// stands in our network.
    package enum Cause: String, Hashable, Sendable {
        case timeout = "no connection in time"
        case refused = "no connection"
        case encryption = "no encrypted connection: the certificate or the protocol does not fit"
    }
}

/// What came of one request, with what the receiver said.
package struct PushReply: Hashable, Sendable {
    package var answer: PushAnswer
    /// nil when no whole body came, or a longer one than is read.
    package var body: [UInt8]?

    package init(_ answer: PushAnswer, body: [UInt8]? = nil) {
        self.answer = answer
        self.body = body
    }
}
