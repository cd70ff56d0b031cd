import Crypto
import Secrets

/// The key by which push services and browsers know this installation (RFC 8292): a point of P-256, not compressed.
package struct VAPIDPublicKey: Hashable, Sendable {
    /// 65 bytes, the first of which is 4 (X9.63).
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

    /// As browsers take it (`applicationServerKey`) and push services read it (`k=`): base64url without padding.
    package var text: String { bytes.base64URL }

    /// What subscriptions that were made with this key are stored with: 16 hexadecimal digits.
    package var id: String {
        SHA256.hash(data: bytes).prefix(8).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
