/// The part of a message that a text message holds: each of its segments is paid for.
package enum ShortMessage {
    /// The most segments of one message.
    package static let mostSegments = 3

    /// Title, text and link, each on a line. The text is cut to what fits, and a link is there whole or not at all: where that to answer by
    /// leaves no room for the title, the shorter one into the app takes its place.
    package static func text(of message: ServiceMessage) -> String {
        let (title, body) = plain(message.title, message.body)
        for link in [message.answer?.page, message.link] {
            if let link, let text = fitted(title, body, link) { return text }
        }
        return fitted(title, body, nil) ?? cut(title) { $0 } ?? ""
    }

    /// In characters that a telephone writes briefly, where all can be written so.
    private static func plain(_ title: String, _ body: String) -> (String, String) {
        guard let plainTitle = TextAlphabet.look(of: title), let plainBody = TextAlphabet.look(of: body) else {
            return (title, body)
        }
        return (plainTitle, plainBody)
    }

    /// - Returns: nil where not even the title fits beside the link.
    private static func fitted(_ title: String, _ body: String, _ link: String?) -> String? {
        func text(_ body: String) -> String {
            [title, body, link ?? ""].filter { !$0.isEmpty }.joined(separator: "\n")
        }
        return cut(body) { text($0) } ?? (fits(text("")) ? text("") : nil)
    }

    /// The longest beginning of a text with which the whole fits.
    private static func cut(_ text: String, in whole: (String) -> String) -> String? {
        if fits(whole(text)) { return whole(text) }
        let ellipsis = TextAlphabet(of: whole(text)) == .brief ? "..." : "…"
        var (fitting, tooMany) = (0, text.count)
        while tooMany - fitting > 1 {
            let middle = (fitting + tooMany) / 2
            if fits(whole(text.prefix(middle) + ellipsis)) { fitting = middle } else { tooMany = middle }
        }
        return fitting == 0 ? nil : whole(text.prefix(fitting) + ellipsis)
    }

    private static func fits(_ text: String) -> Bool { TextAlphabet.segments(of: text) <= mostSegments }
}
