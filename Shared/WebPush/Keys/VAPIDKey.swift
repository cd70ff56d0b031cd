import Crypto
import Secrets

/// The private key that identifies this installation to push services (RFC 8292).
package struct VAPIDKey: Sendable {
    private let key: P256.Signing.PrivateKey
    package let publicKey: VAPIDPublicKey

    /// - Parameter text: 32 bytes as hexadecimal digits or base64. Random bytes will do: they are no key of the curve
    ///   with a probability of 1 in 2 to the power of 32.
    /// - Returns: nil for anything else.
    package init?(_ text: String) {
        guard let bytes = KeyText.bytes(text), let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes) else {
            return nil
        }
        self.key = key
        publicKey = VAPIDPublicKey(key.publicKey)
    }

    /// An ES256 signature (RFC 7518, section 3.4): two numbers of 32 bytes, not DER.
    func signature(of bytes: [UInt8]) throws -> [UInt8] {
        try Array(key.signature(for: bytes).rawRepresentation)
    }
}

/// The keys of a file, newest first. New subscriptions use the newest; for an existing subscription a push service
/// accepts messages only under the key that it was made with, for ever.
package struct VAPIDKeys: Sendable {
    /// The keys, newest first; at least one.
    private let all: [VAPIDKey]

    /// - Parameter lines: One key a line, newest first.
    /// - Returns: nil if a line is no key, or there is no line.
    package init?(_ lines: [String]) {
        let keys = lines.compactMap(VAPIDKey.init)
        guard !keys.isEmpty, keys.count == lines.count else { return nil }
        all = keys
    }

    /// The public keys, newest first.
    package var publicKeys: [VAPIDPublicKey] { all.map(\.publicKey) }

    /// The key that a subscription was made with; nil if it is gone.
    package subscript(id: String) -> VAPIDKey? { all.first { $0.publicKey.id == id } }
}
