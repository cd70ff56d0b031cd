import PushTargets

/// The contact for push services' operators when something is wrong with our messages: the claim `sub` of RFC 8292.
///
/// Apple answers 403 BadJwtToken, without an explanation, to a host that is not public, to blanks and brackets, and to
/// a repeated `mailto:`. So the text is checked here.
package struct PushSubject: Hashable, Sendable {
    package let text: String

    /// - Parameter text: `mailto:` and an address at a public domain, or `https://` and a public host.
    /// - Returns: nil for a text that a push service would refuse.
    package init?(_ text: String) {
        guard text.utf8.count <= 255, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && !Self.refused.contains($0) })
        else { return nil }
        let lower = text.lowercased()
        if lower.hasPrefix("mailto:") {
            let parts = text.dropFirst(7).split(separator: "@", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[0].contains(":"), !parts[1].contains("/"),
                Self.isPublic("https://\(parts[1])/")
            else { return nil }
        } else {
            guard lower.hasPrefix("https://"), Self.isPublic(text) else { return nil }
        }
        self.text = text
    }

    /// Characters that would have to be escaped, or that Apple refuses.
    private static let refused = Set(#""\<>,"#.utf8)
    /// Reserved domains (RFC 2606, RFC 6761) and those of a local network.
    private static let nobodys = [".invalid", ".test", ".example", ".localhost", ".local"]

    private static func isPublic(_ url: String) -> Bool {
        guard let target = try? PushTarget(url), !target.needsPermission else { return false }
        return !nobodys.contains { target.host.hasSuffix($0) }
    }
}
