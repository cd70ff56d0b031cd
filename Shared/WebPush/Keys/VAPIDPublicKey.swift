import Crypto
import Secrets

/// The key that identifies this installation to push services and browsers (RFC 8292): a point of P-256, uncompressed.
package struct VAPIDPublicKey: Hashable, Sendable {
    /// The point: 65 bytes, of which the first is 4 (X9.63).
    package let bytes: [UInt8]

    /// - Returns: nil unless the bytes are a point of the curve.
    package init?(bytes: [UInt8]) {
        guard (try? P256.Signing.PublicKey(x963Representation: bytes)) != nil else { return nil }
        self.bytes = bytes
    }

    /// - Parameter text: The bytes in base64 of either alphabet.
    package init?(_ text: String) {
        guard let bytes = Base64Text.bytes(text) else { return nil }
        self.init(bytes: bytes)
    }

    init(_ key: P256.Signing.PublicKey) {
        bytes = Array(key.x963Representation)
    }

    /// The key for browsers (`applicationServerKey`) and push services (`k=`): base64url without padding.
    package var text: String { bytes.base64URL }

    /// The id stored with subscriptions made under this key: 16 hexadecimal digits.
    package var id: String {
        SHA256.hash(data: bytes).prefix(8).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
