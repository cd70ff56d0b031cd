import Crypto

/// A kind of token: its prefix tells people and secret scanners what it is, and no token passes for another kind.
package protocol TokenKind: Sendable {
    static var prefix: String { get }
}

/// A random token known to its holder only: the database stores its hash.
///
/// The text is a prefix, 43 random characters of base62 (256 bits) and a checksum of 6, like GitHub's tokens: a double
/// click selects all of it, and a text that is no token, or was copied badly, is refused without a look-up.
package struct OpaqueToken<Kind: TokenKind>: Hashable, Sendable {
    /// The text, which the holder is shown once.
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

    /// - Returns: nil if the form or the checksum is wrong.
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

    /// The stored form: 32 bytes. A plain hash suffices, because nobody can try 256 random bits.
    package var hash: [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }

    /// The last characters, by which a person can tell tokens in a list apart.
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
    /// Long enough for 256 bits: 62 to the power of 43 is more than 2 to the power of 256.
    static let randomLength = 43
    /// Long enough for 32 bits: 62 to the power of 6 is more than 2 to the power of 32.
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
