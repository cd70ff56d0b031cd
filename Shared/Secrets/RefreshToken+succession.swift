import Crypto
import FoundationEssentials

/// A client whose connection broke, or with two tabs, uses a token a second time and must get the same successor. So
/// the database keeps the successor, sealed with a key derived from the token itself: a reader of the database cannot
/// open it, even with the key of the stored secrets.
extension OpaqueToken<RefreshTokenKind> {
    /// - Returns: The bytes to store beside this token's hash.
    package func seal(_ successor: RefreshToken) throws -> [UInt8] {
        let box = try AES.GCM.seal(Array(successor.text.utf8), using: successionKey)
        return Array(box.nonce + box.ciphertext + box.tag)
    }

    /// - Throws: `SealedSecret.CannotOpen` unless this token sealed it.
    package func openSuccessor(_ sealed: [UInt8]) throws(SealedSecret.CannotOpen) -> RefreshToken {
        guard let box = try? AES.GCM.SealedBox(combined: sealed),
            let text = try? AES.GCM.open(box, using: successionKey),
            let successor = RefreshToken(String(decoding: text, as: UTF8.self))
        else { throw SealedSecret.CannotOpen() }
        return successor
    }

    private var successionKey: SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Array(text.utf8)), info: Array("aquamonitor refresh successor".utf8),
            outputByteCount: KeyText.keyLength)
    }
}
