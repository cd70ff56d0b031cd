@testable import Mail

extension FuzzTarget {
    /// A person's address, the operator's sender, a server's reply and the texts of a mail, a line each.
    static let mail = FuzzTarget(
        "mail",
        seeds: [
            "ada@example.org\nKoi Club <alerts@example.org>\n550 5.1.1 no such user\nKoi: too warm\n25.6 °C",
            "a.b+c@sub.example.org\nalerts@example.org\n421 4.3.2 later\n鯉の池\n=\n.\n",
            "x@y\n<a@b>\n250 ok\n=?utf-8?q?=0D=0A?=\n<b>&amp;</b>",
        ],
        words: [
            "@", ".", "<", ">", "\r\n", "\r", "\nBcc: a@b", "=?", "?=", "\u{2028}", "\0", "é", "5.1.1", "550-", "\"",
            "鯉",
        ]
    ) { bytes in
        var lines = String(decoding: bytes, as: UTF8.self).split(
            separator: "\n", maxSplits: 4, omittingEmptySubsequences: false
        )
        .map(String.init)
        while lines.count < 5 { lines.append("") }
        if case .refused(let code, let enhanced)? = MailReply(refusal: lines[2]) {
            try promise((400...599).contains(code), "\(code) refuses")
            try promise(
                enhanced.map { $0.utf8.allSatisfy { (0x2b...0x39).contains($0) } } ?? true, "a status \(enhanced ?? "")"
            )
        }
        let sender = MailSender(lines[1]) ?? MailSender("alerts@example.org")!
        guard let to = MailAddress(lines[0]) ?? MailAddress("ada@example.org") else { return }
        try promise(
            to.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"<>()[]:;,\\\"#/".utf8.contains($0) }, "to \(to)")
        let message = MailMessage(
            to: to, id: "1-2", thread: "3", language: "en", title: lines[3], text: lines[4],
            action: .init(lines[3], "https://water.example.org/"), isUrgent: true, time: Int64(bytes.count))
        let written = message.written(from: sender)
        try promise(written.allSatisfy { $0 < 0x7F && ($0 >= 0x20 || $0 == 0x0D || $0 == 0x0A) }, "bytes beyond ASCII")
        let text = String(decoding: written, as: UTF8.self)
        try promise(!text.replacing("\r\n", with: "").utf8.contains { $0 == 0x0D || $0 == 0x0A }, "a bare line end")
        let head = text.components(until: "\r\n\r\n")
        let names = head.filter { !$0.hasPrefix(" ") }.map { String($0.prefix { $0 != ":" }) }
        try promise(
            names == [
                "Date", "From", "To", "Subject", "Message-ID", "In-Reply-To", "References", "Auto-Submitted",
                "Importance",
                "MIME-Version", "Content-Type",
            ], "the headers are \(names)")
        try promise(text.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 998 }, "a line too long for SMTP")
    }
}

extension String {
    /// The lines before an empty one.
    fileprivate func components(until end: String) -> [Substring] {
        self[..<(firstRange(of: end)?.lowerBound ?? endIndex)].split(separator: "\r\n")
    }
}
