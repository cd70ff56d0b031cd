import Crypto
import FoundationEssentials

/// A secret as it is stored: encrypted, and bound to the endpoint that it belongs to.
///
/// One byte for the format, then AES-256-GCM's nonce, ciphertext and tag. The channel and the endpoint's number are
/// authenticated with it, so that a row copied to another endpoint does not open.
package struct SealedSecret: Hashable, Sendable {
    package let bytes: [UInt8]

    private static let format: UInt8 = 1

    /// What the database holds; whether it can be opened shows when it is.
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

    /// - Throws: `CannotOpen` when the key is another, the bytes were changed, or they belong to another endpoint.
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
