import NIOHTTP1

/// The state of a connection's requests and answers, as a value: parts of messages go in, and what to do comes out.
///
/// ```
/// awaiting a head --head--> reading --end--> answering --answer's end--> awaiting a head
///        |                     |                 |
///        +----------------- refused or last answer: closing
/// ```
struct ConnectionProgress {
    /// A request whose answer is not complete yet.
    struct Pending {
        let isHead: Bool
        let keepsAlive: Bool
        let isOld: Bool
    }

    /// The part of a request that the client has to send next.
    enum Awaited: Equatable {
        case firstHead, nextHead, body
        /// Nothing: an answer is due from us.
        case nothing
    }

    private var pending: [Pending] = []
    private(set) var awaited = Awaited.firstHead
    /// Whether the head of the current answer has been sent.
    private(set) var isAnswering = false
    /// Whether the current answer has no announced length.
    private(set) var isStreaming = false
    private var isLast = false
    /// Whether the last answer, or a refusal, has been sent: nothing more is read or written.
    private(set) var isClosing = false
    /// Whether a request was refused in the middle of its body.
    private(set) var isCut = false
    var isQuiescing = false

    var hasUnanswered: Bool { !pending.isEmpty }

    mutating func read(_ part: HTTPServerRequestPart) {
        switch part {
        case .head(let head):
            pending.append(
                Pending(isHead: head.method == .HEAD, keepsAlive: head.isKeepAlive, isOld: head.version != .http1_1))
            awaited = .body
        case .body: break
        case .end: awaited = pending.isEmpty ? .nextHead : .nothing
        }
    }

    /// Completes the head of an answer: its version, and whether the connection closes.
    mutating func write(_ head: inout HTTPResponseHead) {
        guard head.status.code >= 200 else { return }
        let request = pending.first
        let hasLength = head.headers.contains(name: "content-length")
        isAnswering = true
        isStreaming = !hasLength && head.status.mayHaveResponseBody
        // Sends such an answer as HTTP/1.0: the encoder would announce chunks for an answer without a length, which an
        // answer to HEAD has not and HTTP/1.0 does not know.
        if let request, request.isHead || request.isOld, isStreaming {
            head.version = .http1_0
            isLast = true
        }
        // An answer that is ready while the body still arrives did not need the body, which is not read to its end.
        let saysClose = head.headers[canonicalForm: "connection"].contains { $0.lowercased() == "close" }
        let isBodyUnwanted = awaited == .body && pending.count <= 1
        if request?.keepsAlive != true || saysClose || isQuiescing || isBodyUnwanted { isLast = true }
        if isLast { head.headers.replaceOrAdd(name: "connection", value: "close") }
    }

    /// - Returns: Whether the connection ends with this answer.
    mutating func writeEnd() -> Bool {
        if !pending.isEmpty { pending.removeFirst() }
        isAnswering = false
        isStreaming = false
        if isLast {
            isClosing = true
        } else if pending.isEmpty, awaited == .nothing {
            awaited = .nextHead
        }
        return isLast
    }

    mutating func refuse() {
        isClosing = true
        isCut = awaited == .body
    }
}

extension HTTPResponseStatus {
    fileprivate var mayHaveResponseBody: Bool { code != 204 && code != 304 }
}
