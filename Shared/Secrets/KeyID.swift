import Crypto
import FoundationEssentials

/// Identifies a key without revealing it: 16 hexadecimal digits, stored beside everything made with the key. They show
/// when an old key is no longer needed.
package struct KeyID: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(of key: SymmetricKey) {
        // This text cannot collide: hardware ids contain no blank, and no purpose of a secret key has this name.
        let code = HMAC<SHA256>.authenticationCode(for: Array("aquamonitor key id".utf8), using: key)
        let digits = code.prefix(8).map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }
        description = digits.joined()
    }
}
