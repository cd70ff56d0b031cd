package import Words

/// A document that says what is heard in a call (twilio.com/docs/voice/twiml).
package struct TwiML: Hashable, Sendable {
    package static let mediaType = "text/xml"

    package let text: String

    /// - Parameters:
    ///   - sentences: What is said, with a pause between one and the next.
    ///   - keyed: Where the key is posted that is pressed meanwhile; nil where none is asked for.
    package init(saying sentences: [String], in language: Language, keyed: String? = nil) {
        let voice = Self.escaped(language.text("call.voice"))
        let said = sentences.map { "<Say language=\"\(voice)\">\(Self.escaped($0))</Say>" }
            .joined(separator: "<Pause length=\"1\"/>")
        let verbs =
            keyed.map {
                "<Gather numDigits=\"1\" timeout=\"8\" action=\"\(Self.escaped($0))\" method=\"POST\">\(said)</Gather>"
            } ?? said
        text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Response>\(verbs)</Response>"
    }

    /// Text as XML 1.0 holds it between tags and in quotes; characters that it forbids become blanks.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\u{20}"..."\u{d7ff}", "\u{e000}"..."\u{fffd}", "\u{10000}"..."\u{10ffff}":
                escaped.unicodeScalars.append(scalar)
            default: escaped += " "
            }
        }
        return escaped
    }
}
