import Crypto

/// A message that only one browser can read (RFC 8291).
package struct EncryptedMessage: Sendable {
    /// The body of the request.
    package let body: [UInt8]

    /// The longest text in bytes: Firefox on Android gets its messages through another service, in base64 and with a
    /// smaller limit.
    package static let longestText = 2800
    /// Texts are padded to a multiple of this, so that their length tells a push service little.
    private static let step = 256

    /// - Throws: `ContentTooLong`.
    package init(_ text: [UInt8], to subscription: SubscriptionKeys) throws {
        guard text.count <= Self.longestText else { throw ContentTooLong() }
        let filled = min(Self.longestText, (text.count + Self.step - 1) / Self.step * Self.step)
        try self.init(
            text, to: subscription, padding: filled - text.count, sender: P256.KeyAgreement.PrivateKey(),
            salt: SymmetricKey(size: .bits128).withUnsafeBytes(Array.init))
    }

    /// Encrypts with a given key and salt.
    /// - sender: The sender's key; fresh for each message, like the salt. Only test vectors fix them.
    init(
        _ text: [UInt8], to subscription: SubscriptionKeys, padding: Int, sender: P256.KeyAgreement.PrivateKey,
        salt: [UInt8]
    ) throws {
        let senderKey = Array(sender.publicKey.x963Representation)
        let shared = try sender.sharedSecretFromKeyAgreement(with: subscription.publicKey)
        let info = Array("WebPush: info\0".utf8) + subscription.publicKey.x963Representation + senderKey
        let material = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: subscription.authentication, sharedInfo: info, outputByteCount: 32)
        body = try AES128GCMContent.seal(text, keyMaterial: material, salt: salt, keyID: senderKey, padding: padding)
    }
}
