import Crypto
import FoundationEssentials

/// The key that protects secrets in the database, which does not have it.
///
/// Each purpose has a key of its own, derived by HKDF (RFC 5869), so that one purpose's output is useless for another.
package struct SecretKey: Sendable {
    private let master: SymmetricKey

    /// - Parameter text: 32 bytes as hexadecimal digits or base64.
    /// - Returns: nil for anything else.
    package init?(_ text: String) {
        guard let bytes = KeyText.bytes(text) else { return nil }
        master = SymmetricKey(data: bytes)
    }

    private init(master: SymmetricKey) {
        self.master = master
    }

    /// The placeholder in a faulty configuration, until the configuration is refused.
    package static let zeros = SecretKey(master: SymmetricKey(data: [UInt8](repeating: 0, count: KeyText.keyLength)))

    package var id: KeyID { KeyID(of: master) }

    /// The purposes of derived keys. Changing a raw value makes everything stored under it unreadable.
    enum Purpose: String {
        case sealing = "aquamonitor sealed secrets"
        case claimCodes = "aquamonitor claim codes"
        case answers = "aquamonitor answers"
        case links = "aquamonitor links"
    }

    func derived(for purpose: Purpose) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: master, info: Array(purpose.rawValue.utf8), outputByteCount: KeyText.keyLength)
    }

    /// The stored form of a claim code: 32 bytes that reveal nothing without this key.
    ///
    /// A plain hash would not suffice: the codes are few enough to try them all.
    package func claimCodeHash(_ code: String) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(code.utf8), using: derived(for: .claimCodes)))
    }
}
