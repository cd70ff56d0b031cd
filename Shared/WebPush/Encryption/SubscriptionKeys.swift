import Crypto
import Secrets

/// What a browser gives whoever may send it messages: its public key, and a secret that proves the sender's right.
package struct SubscriptionKeys: Sendable {
    let publicKey: P256.KeyAgreement.PublicKey
    let authentication: [UInt8]

    private static let keyLength = 65
    private static let authenticationLength = 16

    /// - Parameters:
    ///   - p256dh: 65 bytes in base64 of either alphabet, a point of P-256.
    ///   - auth: 16 bytes likewise.
    /// - Returns: nil for anything else.
    package init?(p256dh: String, auth: String) {
        guard let key = Base64Text.bytes(p256dh), let secret = Base64Text.bytes(auth) else { return nil }
        self.init(stored: key + secret)
    }

    /// - Parameter bytes: As `bytes` gives them.
    package init?(stored bytes: [UInt8]) {
        guard bytes.count == Self.keyLength + Self.authenticationLength,
            let key = try? P256.KeyAgreement.PublicKey(x963Representation: bytes.prefix(Self.keyLength))
        else { return nil }
        publicKey = key
        authentication = Array(bytes.dropFirst(Self.keyLength))
    }

    /// To be sealed and stored.
    package var bytes: [UInt8] { Array(publicKey.x963Representation) + authentication }

    /// Whoever has the same keys has the same browser: stored beside the sealed ones, so that they can be compared. Nobody can
    /// try the 16 random bytes among them.
    package var fingerprint: [UInt8] { Array(SHA256.hash(data: Array("aquamonitor subscription\0".utf8) + bytes)) }
}

extension SubscriptionKeys: CustomStringConvertible, CustomReflectable {
    package var description: String { "(subscription keys)" }
    /// Keeps the secret out of dumps.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
