import Crypto
import Secrets

/// The name under which a message replaces the one before it (RFC 8030, section 5.4).
package enum CollapseTopic {
    /// The topic of a key: always 32 characters of base64url, the longest permitted. Apple decodes topics and rejects
    /// lengths that base64 cannot have.
    package static func text(of key: String) -> String {
        Array(SHA256.hash(data: Array(key.utf8))).prefix(24).base64URL
    }
}
