import Crypto
import FoundationEssentials

/// Tells a key apart from others without telling anything of it: 16 hexadecimal digits that are stored beside what was
/// made with the key, so that one sees when nothing needs an old key any more.
package struct KeyID: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(of key: SymmetricKey) {
        // No device is called so, for their ids hold no blank, and no purpose of a secret key is.
        let code = HMAC<SHA256>.authenticationCode(for: Array("aquamonitor key id".utf8), using: key)
        let digits = code.prefix(8).map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }
        description = digits.joined()
    }
}
