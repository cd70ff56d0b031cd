import Crypto
import FoundationEssentials
import JWTKit
import Secrets

/// The keys that sign access tokens (ES256), newest first: the newest signs, and each verifies what it signed.
///
/// To exchange a key, put a new one before it; ten minutes later, when the last token of the old one has expired, remove
/// the old one.
package struct AccessTokenKeys: Sendable {
    struct Key: Sendable {
        /// The key's name in a token's header, derived from the public key, so that it reveals nothing.
        let id: String
        let key: ES256PrivateKey
    }

    let keys: [Key]

    /// - Parameter lines: One key each, newest first: 32 bytes as hexadecimal digits or base64, such as
    ///   `openssl rand -hex 32` gives. Only 2 in 2³² such numbers are no key of this curve.
    /// - Returns: nil for anything else.
    package init?(_ lines: [String]) {
        var keys: [Key] = []
        for line in lines {
            guard let bytes = KeyText.bytes(line), let signing = try? P256.Signing.PrivateKey(rawRepresentation: bytes),
                let key = try? ES256PrivateKey(backing: signing)
            else { return nil }
            keys.append(Key(id: Self.id(of: signing.publicKey), key: key))
        }
        guard !keys.isEmpty, Set(keys.map(\.id)).count == keys.count else { return nil }
        self.keys = keys
    }

    private init(_ keys: [Key]) {
        self.keys = keys
    }

    /// A key of this process alone: the placeholder in a faulty configuration, and for tests.
    package static func random() -> AccessTokenKeys {
        let signing = P256.Signing.PrivateKey()
        guard let key = try? ES256PrivateKey(backing: signing) else {
            preconditionFailure("a key that was just made is a key")
        }
        return AccessTokenKeys([Key(id: id(of: signing.publicKey), key: key)])
    }

    package var ids: [String] { keys.map(\.id) }

    private static func id(of key: P256.Signing.PublicKey) -> String {
        SHA256.hash(data: key.x963Representation).prefix(8).map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }.joined()
    }
}
