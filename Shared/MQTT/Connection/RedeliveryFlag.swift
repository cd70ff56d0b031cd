import Glibc

/// The DUP flag of the message that is about to be handed over.
///
/// The library does not pass the flag on, but names it in the debug line right before the message: `Client <id>
/// received PUBLISH (d1, q1, ...`. Log lines cost time, so they are on only while redeliveries can come: at the
/// beginning of a resumed session.
struct RedeliveryFlag {
    var isWatching = false
    private let mark: [CChar]
    private var isSet = false

    init(clientID: String) {
        mark = Array("Client \(clientID) received PUBLISH (d1".utf8CString.dropLast())
    }

    mutating func read(_ line: UnsafePointer<CChar>) {
        if strncmp(line, mark, mark.count) == 0 { isSet = true }
    }

    /// The flag for one message; cleared for the next.
    mutating func take() -> Bool {
        defer { isSet = false }
        return isSet
    }
}
