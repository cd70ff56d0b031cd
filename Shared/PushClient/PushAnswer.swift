/// How a message is sent.
package enum PushMethod: Sendable {
    case post
    /// To an address of the message's own: a repeated request changes nothing.
    case put
    /// Without a body: the address says it all.
    case get
}

/// The result of one request.
package enum PushAnswer: Hashable, Sendable {
    /// - Parameter retryAfter: The header's text, unread.
    case response(status: Int, retryAfter: String? = nil)
    /// No connection was made, so nothing was sent.
    case noConnection(Cause)
    /// The connection ended after the request had begun, and without an answer.
    case broken
    /// The request was sent and no answer came in time: the receiver may have accepted it.
    case silence
    /// The target's name leads to an address that must not be called; nothing was sent.
    case notPermitted
    /// The stored target or secret cannot be used; nothing was sent.
    case unusable(String)

    /// The reason of a failed connection. No more is told: a person who registers targets would learn from it what
    /// stands in our network.
    package enum Cause: String, Hashable, Sendable {
        case timeout = "no connection in time"
        case refused = "no connection"
        case encryption = "no encrypted connection: the certificate or the protocol does not fit"
    }
}

/// The result of one request, with the receiver's answer.
package struct PushReply: Hashable, Sendable {
    package var answer: PushAnswer
    /// The body of the answer; nil if it did not arrive whole, or is too long.
    package var body: [UInt8]?
    /// The answer's ETag, unread.
    package var entityTag: String?

    package init(_ answer: PushAnswer, body: [UInt8]? = nil, entityTag: String? = nil) {
        self.answer = answer
        self.body = body
        self.entityTag = entityTag
    }
}
