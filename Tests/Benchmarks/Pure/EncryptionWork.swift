import Crypto
import TestSupport
import WebPush

/// Encrypts messages to browsers, as long as an alert's.
struct EncryptionWork {
    static let textBytes = 640
    static let operations = 1_000

    private let keys: SubscriptionKeys
    private let text = [UInt8](repeating: 0x20, count: textBytes)

    init() throws {
        let stored = Array(P256.KeyAgreement.PrivateKey().publicKey.x963Representation)
        guard let keys = SubscriptionKeys(stored: stored + [UInt8](repeating: 7, count: 16)) else {
            throw TestSupportError("A fresh key is none")
        }
        self.keys = keys
    }

    /// - Throws: `TestSupportError` unless each has the expected length.
    func perform() throws {
        for _ in 0..<Self.operations {
            let body = try EncryptedMessage(text, to: keys).body
            guard body.count == 768 + 103 else { throw TestSupportError("A message of \(body.count) bytes") }
        }
    }
}
