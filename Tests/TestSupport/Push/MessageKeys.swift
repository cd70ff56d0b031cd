import Crypto
import Foundation

/// The keys of a page or a browser for which messages are encrypted (RFC 8291), on its own side.
package struct MessageKeys: Sendable {
    private let key = P256.KeyAgreement.PrivateKey()
    package let secret = (0..<16).map { _ in UInt8.random(in: .min ... .max) }

    package init() {}

    package var publicKey: [UInt8] { Array(key.publicKey.x963Representation) }

    /// Decrypts a body of one record, by the specification and without our code.
    /// - Throws: `TestSupportError`, and the errors of CryptoKit for what is encrypted for others.
    package func open(_ body: [UInt8]) throws -> String {
        guard body.count > 102, Array(body[16..<20]) == [0, 0, 16, 0] else { throw TestSupportError("no such record") }
        let (salt, sender, box) = (body[..<16], body[21..<86], body[86...])
        let shared = try key.sharedSecretFromKeyAgreement(with: .init(x963Representation: sender))
        let material = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: secret,
            sharedInfo: Array("WebPush: info\0".utf8) + key.publicKey.x963Representation + sender, outputByteCount: 32)
        func derive(_ info: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: material, salt: salt, info: Array(info.utf8), outputByteCount: count)
        }
        let nonce = try derive("Content-Encoding: nonce\0", 12).withUnsafeBytes { try AES.GCM.Nonce(data: $0) }
        let padded = try AES.GCM.open(
            AES.GCM.SealedBox(nonce: nonce, ciphertext: box.dropLast(16), tag: box.suffix(16)),
            using: derive("Content-Encoding: aes128gcm\0", 16))
        guard let end = padded.lastIndex(where: { $0 != 0 }), padded[end] == 2, padded.count <= 2801 else {
            throw TestSupportError("no end of a record")
        }
        return String(decoding: padded[..<end], as: UTF8.self)
    }
}
