/// A person's address, in lower case: what accounts are found by.
struct EmailAddress: Hashable, Sendable, CustomStringConvertible {
    let text: String

    /// The same rule as the schema's.
    /// - Throws: `invalidInput`.
    init(_ argument: String) throws(OperatorError) {
        let text = argument.lowercased()
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), text.unicodeScalars.count <= 254,
            !text.unicodeScalars.contains(where: {
                $0.properties.isWhitespace || $0.properties.generalCategory == .control
            })
        else {
            throw OperatorError(.invalidInput, "An account is named by an e-mail address such as ada@example.org.")
        }
        self.text = text
    }

    var localPart: Substring { text.prefix { $0 != "@" } }

    var description: String { text }
}
