/// Tells which messages of a resumed session the broker had kept while it was not read, and when the last of them has come.
///
/// No message says so, and a dry socket does not either: the broker may just not have read our PUBACKs. So the client asks
/// something while nothing that it has read is unacknowledged. Before the broker answers it has taken all PUBACKs, and has sent
/// as many messages as the session's receive maximum permits: when fewer came before the answer, its queue was empty then.
/// What came meanwhile counts as kept; that is the time of one question.
struct KeptMessages {
    private(set) var areComing = false
    private let window: Int
    private var question: Int32?
    /// Messages that take room in the broker's window, since the question.
    private var sinceQuestion = 0

    /// - Parameter window: The session's receive maximum.
    init(window: Int) {
        self.window = window
    }

    /// Whether it is time to ask, once all that was read is acknowledged.
    var wantsQuestion: Bool { areComing && question == nil }

    mutating func sessionIsResumed() {
        areComing = true
        question = nil
    }

    /// A packet that the broker answers is queued, and nothing that was read is unacknowledged.
    mutating func asked(_ packet: Int32) {
        guard areComing else { return }
        question = packet
        sinceQuestion = 0
    }

    mutating func answered(_ packet: Int32) {
        guard packet == question else { return }
        question = nil
        areComing = sinceQuestion >= window
    }

    /// - Returns: Whether the message counts as kept.
    mutating func received(_ qos: Int32) -> Bool {
        if areComing, qos > 0 { sinceQuestion += 1 }
        return areComing
    }
}
