import Crypto
import Secrets

/// The name under which a message replaces the one before it (RFC 8030, section 5.4).
package enum CollapseTopic {
    /// Always 32 characters of base64url, the most that there may be. Apple decodes them and refuses a length that no bytes
    /// have.
    package static func text(of key: String) -> String {
        Array(SHA256.hash(data: Array(key.utf8))).prefix(24).base64URL
    }
}
