import Crypto
import Secrets

/// A browser's keys for its message senders: its public key, and a secret that proves a sender's right.
package struct SubscriptionKeys: Sendable {
    let publicKey: P256.KeyAgreement.PublicKey
    let authentication: [UInt8]

    private static let keyLength = 65
    private static let authenticationLength = 16

    /// - Parameters:
    ///   - p256dh: A point of P-256, 65 bytes in base64 of either alphabet.
    ///   - auth: 16 bytes in base64 of either alphabet.
    /// - Returns: nil for anything else.
    package init?(p256dh: String, auth: String) {
        guard let key = Base64Text.bytes(p256dh), let secret = Base64Text.bytes(auth) else { return nil }
        self.init(stored: key + secret)
    }

    /// - Parameter bytes: Bytes in the form of `bytes`.
    package init?(stored bytes: [UInt8]) {
        guard bytes.count == Self.keyLength + Self.authenticationLength,
            let key = try? P256.KeyAgreement.PublicKey(x963Representation: bytes.prefix(Self.keyLength))
        else { return nil }
        publicKey = key
        authentication = Array(bytes.dropFirst(Self.keyLength))
    }

    /// The keys in the form that is sealed and stored.
    package var bytes: [UInt8] { Array(publicKey.x963Representation) + authentication }

    /// Identifies the browser: stored beside the sealed keys, so that subscriptions can be compared. It reveals
    /// nothing, because nobody can try the 16 random bytes of the secret.
    package var fingerprint: [UInt8] { Array(SHA256.hash(data: Array("aquamonitor subscription\0".utf8) + bytes)) }
}

extension SubscriptionKeys: CustomStringConvertible, CustomReflectable {
    package var description: String { "(subscription keys)" }
    /// Keeps the secret out of dumps.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
