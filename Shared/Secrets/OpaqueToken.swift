import Crypto

/// What a token is for: its prefix tells people and scanners for lost secrets, and no token passes for one of another kind.
package protocol TokenKind: Sendable {
    static var prefix: String { get }
}

/// A random token that is known to nobody but its holder: the database has its hash only.
///
/// The text is a prefix, 43 random characters of base62 (256 bits) and a checksum of 6, as GitHub's tokens have it: a
/// double click selects all of it, and a text that is no token, or was copied badly, is refused without a look-up.
package struct OpaqueToken<Kind: TokenKind>: Hashable, Sendable {
    /// What the holder is given, once.
    package let text: String

    package static func generate() -> OpaqueToken {
        // The system's source is cryptographically secure.
        let random = (0..<TokenText.randomLength).map { _ in TokenText.alphabet.randomElement()! }
        let body = Kind.prefix + String(decoding: random, as: UTF8.self)
        return OpaqueToken(checked: body + TokenText.checksum(of: body))
    }

    private init(checked text: String) {
        self.text = text
    }

    /// - Returns: nil for a text that was never generated, as far as its form and its checksum tell.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        let bodyLength = Kind.prefix.utf8.count + TokenText.randomLength
        guard bytes.count == bodyLength + TokenText.checksumLength, bytes.starts(with: Kind.prefix.utf8),
            bytes.dropFirst(Kind.prefix.utf8.count).allSatisfy(TokenText.alphabet.contains)
        else { return nil }
        let body = String(decoding: bytes[..<bodyLength], as: UTF8.self)
        guard TokenText.checksum(of: body).utf8.elementsEqual(bytes[bodyLength...]) else { return nil }
        self.text = text
    }

    /// The stored form: 32 bytes. A plain hash suffices, since nobody can try 256 random bits.
    package var hash: [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }

    /// What a list shows, so that a person can tell tokens apart.
    package var lastFour: String { String(text.suffix(4)) }
}

extension OpaqueToken: CustomStringConvertible, CustomReflectable {
    package var description: String { "\(Kind.prefix)(secret)" }
    /// Keeps the token out of dumps.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The alphabet and the checksum of all kinds of tokens.
private enum TokenText {
    static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    /// 62 to the power of 43 is more than 2 to the power of 256.
    static let randomLength = 43
    /// 62 to the power of 6 is more than 2 to the power of 32.
    static let checksumLength = 6

    static func checksum(of body: String) -> String {
        var rest = CRC32.checksum(of: body.utf8)
        var digits: [UInt8] = []
        for _ in 0..<checksumLength {
            digits.append(alphabet[Int(rest % 62)])
            rest /= 62
        }
        return String(decoding: digits.reversed(), as: UTF8.self)
    }
}
