package import Words

/// The words of a call.
package enum SpokenMessage {
    /// The most characters of a call's document (twilio.com/docs/voice/api/call-resource).
    package static let longest = 4000
    /// How much of a message is said: as much of it as fits. The last fits whatever its characters are.
    private static let lengths = [800, 400, 200]

    /// The document of a call: the message, and where it can be answered by which keys, twice.
    package static func calling(with message: ServiceMessage) -> String {
        let language = message.language
        if let code = message.code {
            return document(language.text("call.code", ["code": spelled(code)]), message)
        }
        let said = sentences(of: message)
        let documents = lengths.lazy.map { length in
            document(language.text("call.message", ["text": String(said.prefix(length))]), message)
        }
        return documents.first { $0.utf16.count <= longest } ?? ""
    }

    /// The document that answers a key.
    /// - Parameters:
    ///   - outcome: What came of it; nil for a key that means nothing, after which another can be pressed.
    ///   - keyed: Where that one is posted.
    package static func answering(_ outcome: String?, in language: Language, keyed: String) -> TwiML {
        if let outcome { return TwiML(saying: [outcome], in: language) }
        return TwiML(
            saying: [language.text("call.unclear") + " " + language.text("call.keys")], in: language, keyed: keyed)
    }

    private static func document(_ text: String, _ message: ServiceMessage) -> String {
        let said = message.keyed == nil ? text : text + " " + message.language.text("call.keys")
        return TwiML(saying: [said, said], in: message.language, keyed: message.keyed).text
    }

    /// Digits one by one, as a voice reads a list.
    private static func spelled(_ code: String) -> String { code.map(String.init).joined(separator: ", ") }

    private static func sentences(of message: ServiceMessage) -> String {
        ([message.title] + message.body.split(whereSeparator: \.isNewline).map(String.init)).map { line in
            line.last.map { ".!?。！？".contains($0) } == true ? line : line + "."
        }.joined(separator: " ")
    }
}
