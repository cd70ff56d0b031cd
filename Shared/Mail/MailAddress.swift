package import Words

/// An address that mail can be sent to, in ASCII: a dot-atom and a domain (RFC 5322, section 3.4.1). Nothing in it can end a header or
/// an SMTP command.
package struct MailAddress: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// As a regular expression: what is longer, or has empty labels, is refused by `init`.
    package static let pattern = "[A-Za-z0-9!$%&'*+=?^_`{|}~.-]{1,64}@[A-Za-z0-9.-]{1,189}"

    /// - Returns: nil for anything else: quoted local parts, letters beyond ASCII, and `#` and `/`, which end parts of a URL.
    package init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...64).contains(parts[0].utf8.count), (1...189).contains(parts[1].utf8.count),
            Self.isDotted(parts[0], isAllowed: { Self.isAlphanumeric($0) || Self.special.contains($0) }),
            Self.isDotted(parts[1], isAllowed: { Self.isAlphanumeric($0) || $0 == UInt8(ascii: "-") })
        else { return nil }
        self.text = text
    }

    package var domain: Substring { text[text.index(after: text.lastIndex(of: "@")!)...] }

    package var description: String { text }

    private static let special = Set("!$%&'*+=?^_`{|}~-".utf8)

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// Whether it is one or more labels of such bytes between dots.
    private static func isDotted(_ text: Substring, isAllowed: (UInt8) -> Bool) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false)
            .allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isAllowed) }
    }
}

/// The sender of mail: an address, the name that is shown, and the colour of its buttons.
package struct MailSender: Hashable, Sendable {
    package let address: MailAddress
    package let name: String
    let accent: Colour

    /// - Parameters:
    ///   - text: An address, or a name and an address in angle brackets, such as `Koi Club <alerts@example.org>`.
    ///   - brand: The installation's look, whose name stands where the text has none.
    package init?(_ text: String, of brand: Brand = .product) {
        var (name, address) = (brand.name, text)
        if text.hasSuffix(">"), let bracket = text.lastIndex(of: "<") {
            name = text[..<bracket].split(separator: " ").joined(separator: " ")
            address = String(text[text.index(after: bracket)...].dropLast())
        }
        guard let address = MailAddress(address), !name.isEmpty else { return nil }
        self.address = address
        self.name = name
        accent = brand.accents.light
    }
}
