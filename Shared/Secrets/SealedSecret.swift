import Crypto
import FoundationEssentials

/// The stored form of a secret: encrypted, and bound to its endpoint.
///
/// The bytes are one for the format, then AES-256-GCM's nonce, ciphertext and tag. The channel and the endpoint's
/// number are authenticated with them, so a row copied to another endpoint does not open.
package struct SealedSecret: Hashable, Sendable {
    package let bytes: [UInt8]

    private static let format: UInt8 = 1

    /// Takes the bytes of the database; only `open` shows whether they can be opened.
    package init(stored bytes: [UInt8]) {
        self.bytes = bytes
    }

    package static func seal(
        _ secret: [UInt8], with key: SecretKey, channel: String, endpoint: Int64
    ) throws -> SealedSecret {
        let box = try AES.GCM.seal(
            secret, using: key.derived(for: .sealing), authenticating: context(channel, endpoint))
        return SealedSecret(stored: [format] + box.nonce + box.ciphertext + box.tag)
    }

    /// - Throws: `CannotOpen` if the key is a different one, or the bytes were changed or belong to another endpoint.
    package func open(with key: SecretKey, channel: String, endpoint: Int64) throws(CannotOpen) -> [UInt8] {
        guard bytes.first == Self.format else { throw CannotOpen() }
        do {
            let box = try AES.GCM.SealedBox(combined: bytes.dropFirst())
            return try Array(
                AES.GCM.open(
                    box, using: key.derived(for: .sealing), authenticating: Self.context(channel, endpoint)))
        } catch {
            throw CannotOpen()
        }
    }

    package struct CannotOpen: Error, CustomStringConvertible {
        package var description: String {
            "a stored secret cannot be opened: AQUA_SECRET_KEY_FILE does not hold the key that it was stored with"
        }
    }

    private static func context(_ channel: String, _ endpoint: Int64) -> [UInt8] {
        Array("\(channel):\(endpoint)".utf8)
    }
}
