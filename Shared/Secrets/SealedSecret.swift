import Crypto
import FoundationEssentials

/// The stored form of a secret: encrypted, and bound to its context.
///
/// The bytes are one for the format, then AES-256-GCM's nonce, ciphertext and tag. The context, such as the channel and
/// the endpoint's number, is authenticated with them, so a row copied to another endpoint does not open. The format is
/// authenticated as well, except for the first one.
package struct SealedSecret: Hashable, Sendable {
    package let bytes: [UInt8]

    private static let format: UInt8 = 1

    /// Takes the stored bytes; only `open` shows whether they can be opened.
    package init(stored bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The owner of a secret.
    package struct Context: Sendable {
        let purpose: SecretKey.Purpose
        let bytes: [UInt8]

        /// The data that is authenticated with a seal.
        func bytes(in format: UInt8) -> [UInt8] { format == SealedSecret.format ? bytes : bytes + [0, format] }

        package static func endpoint(channel: String, number: Int64) -> Context {
            Context(purpose: .sealing, bytes: Array("\(channel):\(number)".utf8))
        }

        /// The template of an endpoint's messages, which may well hold a token of their receiver's.
        package static func template(of endpoint: Int64) -> Context {
            Context(purpose: .sealing, bytes: Array("template:\(endpoint)".utf8))
        }

        /// The secret in a public page's address, which its owner is shown again.
        package static func publicPage(of account: Int64) -> Context {
            Context(purpose: .sealing, bytes: Array("public-page:\(account)".utf8))
        }

        /// A registration that a client keeps until a person has typed its code.
        package static func proof(account: Int64) -> Context {
            Context(purpose: .answers, bytes: Array("proof:\(account)".utf8))
        }

        /// The same of a webhook.
        package static func webhookProof(account: Int64) -> Context {
            Context(purpose: .answers, bytes: Array("webhook-proof:\(account)".utf8))
        }

        /// The state that a browser carries to a provider's sign-in and back.
        package static let departure = Context(purpose: .answers, bytes: Array("departure".utf8))

        /// An answer stored for a repeated request, which may hold a secret that is shown once.
        package static func answer(account: Int64, idempotencyKey: String) -> Context {
            Context(purpose: .answers, bytes: Array("\(account):\(idempotencyKey)".utf8))
        }
    }

    package static func seal(_ secret: [UInt8], with key: SecretKey, for context: Context) throws -> SealedSecret {
        try seal(secret, with: key, for: context, as: format)
    }

    static func seal(
        _ content: [UInt8], with key: SecretKey, for context: Context, as format: UInt8
    ) throws -> SealedSecret {
        let box = try AES.GCM.seal(
            content, using: key.derived(for: context.purpose), authenticating: context.bytes(in: format))
        return SealedSecret(stored: [format] + box.nonce + box.ciphertext + box.tag)
    }

    /// - Throws: `CannotOpen` if the key is another one, or the bytes were changed or have another context.
    package func open(with key: SecretKey, for context: Context) throws(CannotOpen) -> [UInt8] {
        try open(with: key, for: context, as: Self.format)
    }

    func open(with key: SecretKey, for context: Context, as format: UInt8) throws(CannotOpen) -> [UInt8] {
        guard bytes.first == format else { throw CannotOpen() }
        do {
            let box = try AES.GCM.SealedBox(combined: bytes.dropFirst())
            return try Array(
                AES.GCM.open(
                    box, using: key.derived(for: context.purpose), authenticating: context.bytes(in: format)))
        } catch {
            throw CannotOpen()
        }
    }

    package static func seal(
        _ secret: [UInt8], with key: SecretKey, channel: String, endpoint: Int64
    ) throws -> SealedSecret {
        try seal(secret, with: key, for: .endpoint(channel: channel, number: endpoint))
    }

    /// - Throws: `CannotOpen` if the key is another one, or the bytes were changed or belong to another endpoint.
    package func open(with key: SecretKey, channel: String, endpoint: Int64) throws(CannotOpen) -> [UInt8] {
        try open(with: key, for: .endpoint(channel: channel, number: endpoint))
    }

    package struct CannotOpen: Error, CustomStringConvertible {
        package var description: String {
            "a stored secret cannot be opened: AQUA_SECRET_KEY_FILE does not hold the key that it was stored with"
        }
    }
}
