import Crypto
import FoundationEssentials

/// A secret shared with an endpoint, which proves a message's origin (Standard Webhooks).
package struct WebhookSecret: Sendable {
    /// The specification's bounds in bytes.
    package static let lengths = 24...64

    package let bytes: [UInt8]

    private static let prefix = "whsec_"

    package static func generate() -> WebhookSecret {
        WebhookSecret(checked: SymmetricKey(size: .bits256).withUnsafeBytes(Array.init))
    }

    private init(checked bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// - Returns: nil unless there are 24 to 64 bytes.
    package init?(bytes: [UInt8]) {
        guard Self.lengths.contains(bytes.count) else { return nil }
        self.init(checked: bytes)
    }

    /// - Parameter text: `whsec_` and the bytes in base64.
    package init?(_ text: String) {
        guard text.hasPrefix(Self.prefix), let bytes = Data(base64Encoded: String(text.dropFirst(Self.prefix.count)))
        else { return nil }
        self.init(bytes: Array(bytes))
    }

    /// The text that the person enters at the receiver.
    package var text: String { Self.prefix + Data(bytes).base64EncodedString() }
}

extension WebhookSecret: CustomStringConvertible, CustomReflectable {
    package var description: String { "(secret)" }
    /// Keeps the secret out of dumps.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
