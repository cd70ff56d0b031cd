/// Marks the messages of a resumed session that the broker had stored while nobody read it, and finds the last of them.
///
/// No packet says where the stored messages end, and an empty socket does not mean the end: the broker may only not
/// have read our PUBACKs yet. So the client sends a packet that the broker answers, at a moment when everything read is
/// acknowledged. Before it answers, the broker has taken all PUBACKs and sent as many messages as the session's receive
/// maximum permits: fewer messages before the answer mean that its queue was empty. Fresh messages that arrive during
/// this round trip count as stored, too.
struct KeptMessages {
    private(set) var areComing = false
    private let window: Int
    private var question: Int32?
    /// QoS 1 messages since the question, which fill the broker's window.
    private var sinceQuestion = 0

    /// - Parameter window: The session's receive maximum.
    init(window: Int) {
        self.window = window
    }

    /// Whether to send the question, once everything read is acknowledged.
    var wantsQuestion: Bool { areComing && question == nil }

    mutating func sessionIsResumed() {
        areComing = true
        question = nil
    }

    /// Records the question: a packet that the broker answers, queued while everything read is acknowledged.
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
