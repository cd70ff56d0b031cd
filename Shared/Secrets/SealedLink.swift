import FoundationEssentials

/// The text of a message's link by which its person does one thing without signing in: the database's token, sealed. The token is made by a
/// key in the database, the seal by one outside of it, so that neither a copy of the database nor a program without the database makes such
/// a link.
package enum SealedLink: String {
    /// Ends such mails.
    case stop
    /// Answers an alarm.
    case answer
    /// Says what became of reminders.
    case care
    /// Answers an alarm by a key that is pressed in a call (`CallLink`).
    case call

    private var context: SealedSecret.Context { .init(purpose: .links, bytes: Array(rawValue.utf8)) }

    /// - Returns: Characters that need no encoding in a URL.
    package func text(of token: String, sealedWith key: SecretKey) throws -> String {
        Data(try SealedSecret.seal(Array(token.utf8), with: key, for: context).bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// - Returns: The token; nil for a text that none of the keys sealed.
    package func token(of text: String, openedWith keys: SecretKeys) -> String? {
        let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard let bytes = Data(base64Encoded: base64 + padding),
            let opened = try? keys.open(SealedSecret(stored: Array(bytes)), for: context).secret
        else { return nil }
        return String(decoding: opened, as: UTF8.self)
    }
}
