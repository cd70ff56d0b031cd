/// A person's e-mail address in lower case, by which accounts are found.
package struct EmailAddress: Hashable, Sendable, CustomStringConvertible {
    /// The longest address, in code points as the schema counts.
    package static let longest = 254

    package let text: String

    /// Reads an address by the schema's rule, and refuses invisible characters: two addresses that differ only by a
    /// zero-width blank must not make two accounts.
    /// - Returns: nil for a text that is no address.
    package init?(_ text: String) {
        let text = text.lowercased()
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), text.unicodeScalars.count <= Self.longest,
            !text.unicodeScalars.contains(where: {
                $0.properties.isWhitespace || Self.invisible.contains($0.properties.generalCategory)
            })
        else { return nil }
        self.text = text
    }

    private static let invisible: Set<Unicode.GeneralCategory> = [.control, .format, .unassigned, .surrogate]

    /// The address without what stands behind a plus sign, by which people tell apart what comes to one mailbox.
    package var mailbox: String { String(localPart.prefix { $0 != "+" }) + text[localPart.endIndex...] }

    package var localPart: Substring { text.prefix { $0 != "@" } }

    package var description: String { text }
}
