/// The end of a mail at the operator's server.
package enum MailReply: Hashable, Sendable {
    case accepted
    /// The server knows that the address does not exist (RFC 3463, X.1.1), and said so of the recipient.
    case unknownAddress
    /// A reply code from 400 on (RFC 5321, section 4.2), and the enhanced one (RFC 3463) where the server gives it, such as `4.2.2`.
    case refused(code: Int, enhanced: String?)
    /// Nothing was sent.
    case noConnection(Cause)
    /// The server does not take our name and secret.
    case loginRefused
    /// The connection ended without an answer to the mail.
    case broken
    /// The mail was sent, and no answer came in time: the server may have taken it.
    case silence

    package enum Cause: Hashable, Sendable { case timeout, refused, encryption }

    /// Whether the server has answered to the mail, so that its next answer is to the next one.
    var isConclusive: Bool {
        switch self {
        case .accepted, .unknownAddress, .refused: true
        case .noConnection, .loginRefused, .broken, .silence: false
        }
    }
}

extension MailReply {
    /// Reads the last line of a reply, such as `550 5.1.1 no such user`.
    /// - Returns: nil for a line that refuses nothing.
    init?(refusal line: some StringProtocol) {
        guard line.utf8.count >= 3, let code = Int(line.prefix(3)), (400...599).contains(code) else { return nil }
        let word = line.dropFirst(4).prefix { $0 != " " && $0 != "\r" && $0 != "\n" }
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        let isEnhanced = parts.count == 3 && parts.allSatisfy { (1...3).contains($0.utf8.count) && Int($0) != nil }
        self = .refused(code: code, enhanced: isEnhanced ? String(word) : nil)
    }
}
