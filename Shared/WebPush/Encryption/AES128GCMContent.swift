import Crypto

/// Encrypted content of one record (RFC 8188, `aes128gcm`): salt, record size, key id, ciphertext.
enum AES128GCMContent {
    /// The largest body: no record in one body is longer.
    static let recordSize: UInt32 = 4096
    static let saltLength = 16
    private static let tagLength = 16
    private static let lastRecord: UInt8 = 2

    /// - Parameters:
    ///   - keyMaterial: The secret that both sides share.
    ///   - keyID: The key id that is sent with the content; at most 255 bytes.
    ///   - padding: The number of zeros behind the text.
    static func seal(
        _ text: [UInt8], keyMaterial: SymmetricKey, salt: [UInt8], keyID: [UInt8], padding: Int = 0
    ) throws -> [UInt8] {
        let record = text + [lastRecord] + [UInt8](repeating: 0, count: padding)
        guard record.count + tagLength <= recordSize, salt.count == saltLength, keyID.count <= 255 else {
            throw ContentTooLong()
        }
        let key = derive(keyMaterial, salt, "Content-Encoding: aes128gcm\0", 16)
        let nonce = derive(keyMaterial, salt, "Content-Encoding: nonce\0", 12)
        let box = try AES.GCM.seal(record, using: key, nonce: nonce.withUnsafeBytes { try AES.GCM.Nonce(data: $0) })
        let size = (0..<4).reversed().map { UInt8(truncatingIfNeeded: recordSize >> UInt32($0 * 8)) }
        return salt + size + [UInt8(keyID.count)] + keyID + box.ciphertext + box.tag
    }

    private static func derive(_ material: SymmetricKey, _ salt: [UInt8], _ info: String, _ count: Int) -> SymmetricKey
    {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: material, salt: salt, info: Array(info.utf8), outputByteCount: count)
    }
}

package struct ContentTooLong: Error, CustomStringConvertible {
    package let description = "the message is too long for one record"
}
