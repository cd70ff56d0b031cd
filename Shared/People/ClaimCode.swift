package import Secrets

/// The code that makes its holder the owner of a device: twelve characters of Crockford's base32, 60 random bits.
///
/// The code is written in groups of four. Reading ignores case and separators, and takes letters that look like a digit
/// for that digit.
package struct ClaimCode: Hashable, Sendable, CustomStringConvertible {
    package static let length = 12
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    private let characters: String

    /// A random code from the system's cryptographically secure source.
    package static func generate() -> ClaimCode {
        var source = SystemRandomNumberGenerator()
        let random = UInt64.random(in: 0 ... .max, using: &source)
        return ClaimCode(checked: (0..<length).map { alphabet[Int(random >> (5 * UInt64($0)) & 31)] })
    }

    private init(checked characters: [Character]) {
        self.characters = String(characters)
    }

    /// Reads a code.
    /// - Returns: nil for a text that is no code.
    package init?(_ text: String) {
        let characters = text.uppercased().compactMap(Self.read)
        guard characters.count == Self.length, characters.allSatisfy(Self.alphabet.contains) else { return nil }
        self.init(checked: characters)
    }

    /// The character as the alphabet has it; nil for a separator.
    private static func read(_ character: Character) -> Character? {
        switch character {
        case "-", " ": nil
        case "I", "L": "1"
        case "O": "0"
        default: character
        }
    }

    /// The form in which the database stores the code: 32 bytes.
    package func hash(under key: SecretKey) -> [UInt8] { key.claimCodeHash(characters) }

    /// The hashes under which the database may have stored the code.
    package func hashes(under keys: SecretKeys) -> [[UInt8]] { keys.claimCodeHashes(characters) }

    /// `XXXX-XXXX-XXXX`
    package var description: String {
        var text = ""
        for (index, character) in characters.enumerated() {
            if index > 0, index.isMultiple(of: 4) { text += "-" }
            text.append(character)
        }
        return text
    }
}
