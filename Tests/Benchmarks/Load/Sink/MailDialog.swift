import Foundation
import NIOCore

/// What a mail server answers on one connection, in which each line is looked at once and the content of mails is dropped.
struct MailDialog {
    struct Step: Hashable {
        var reply: String
        /// Of a mail that is complete, its recipient.
        var recipient: Substring?
        /// Whether the server hangs up.
        var isLast = false
    }

    private var received = ByteBuffer()
    private var recipient: Substring = ""
    private var isContent = false

    mutating func hear(_ bytes: ByteBuffer) {
        received.discardReadBytes()
        received.writeImmutableBuffer(bytes)
    }

    /// The next answer to what was heard; nil where the client has to say more first.
    mutating func next() -> Step? {
        while let length = lengthOfLine {
            let line = received.readSlice(length: length)?.readableBytesView.dropLast() ?? []
            guard isContent else { return reply(to: String(decoding: line, as: UTF8.self)) }
            guard line.elementsEqual(".\r".utf8) else { continue }
            isContent = false
            return Step(reply: "250 taken", recipient: recipient)
        }
        return nil
    }

    /// The bytes up to the end of the next line, that included.
    private var lengthOfLine: Int? {
        received.withUnsafeReadableBytes { bytes in
            guard let base = bytes.baseAddress, let end = memchr(base, 10, bytes.count) else { return nil }
            return UnsafeRawPointer(end) - base + 1
        }
    }

    private mutating func reply(to line: String) -> Step {
        switch line.prefix(4).uppercased() {
        case "RCPT":
            recipient = line.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" }
            return Step(reply: "250 taken")
        case "DATA":
            isContent = true
            return Step(reply: "354 go on")
        case "EHLO", "HELO", "MAIL", "RSET", "NOOP": return Step(reply: "250 bench")
        case "QUIT": return Step(reply: "221 bye", isLast: true)
        default: return Step(reply: "500 unknown")
        }
    }
}
