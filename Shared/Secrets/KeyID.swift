import Crypto
import FoundationEssentials

/// Identifies a key without revealing it: 16 hexadecimal digits that are stored beside everything made with the key.
/// They show when nothing needs an old key any more.
package struct KeyID: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(of key: SymmetricKey) {
        // Hardware ids contain no blank, so no device has this name; neither has any purpose of a secret key.
        let code = HMAC<SHA256>.authenticationCode(for: Array("aquamonitor key id".utf8), using: key)
        let digits = code.prefix(8).map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }
        description = digits.joined()
    }
}
