import Crypto
import FoundationEssentials

/// The key that the database does not have: it protects what is stored there.
///
/// Each use has a key of its own, derived by HKDF (RFC 5869), so that no use can answer for another.
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

    /// What a faulty configuration reads as, until it is refused.
    package static let zeros = SecretKey(master: SymmetricKey(data: [UInt8](repeating: 0, count: KeyText.keyLength)))

    package var id: KeyID { KeyID(of: master) }

    /// Changing one of these words makes everything unreadable that was stored under it.
    enum Purpose: String {
        case sealing = "aquamonitor sealed secrets"
        case claimCodes = "aquamonitor claim codes"
    }

    func derived(for purpose: Purpose) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: master, info: Array(purpose.rawValue.utf8), outputByteCount: KeyText.keyLength)
    }

    /// What is stored of a claim code: 32 bytes that tell nothing about it without this key.
    ///
    /// A plain hash would not do: there are few enough codes to try them all.
    package func claimCodeHash(_ code: String) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(code.utf8), using: derived(for: .claimCodes)))
    }
}
