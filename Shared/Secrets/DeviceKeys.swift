import Crypto
import FoundationEssentials

/// Derives every device's MQTT password from one master key, so that none is stored.
package struct DeviceKeys: Sendable {
    private let master: SymmetricKey

    /// - Parameter text: 32 bytes as hexadecimal digits or base64.
    /// - Returns: nil for anything else.
    package init?(_ text: String) {
        guard let bytes = KeyText.bytes(text) else { return nil }
        master = SymmetricKey(data: bytes)
    }

    /// 43 characters of `A-Z a-z 0-9 - _`.
    /// - Parameters:
    ///   - hardwareID: Holds no colon, so that no two pairs read the same.
    ///   - generation: Counted up, it makes the old password worthless.
    package func password(hardwareID: String, generation: Int32) -> String {
        HMAC<SHA256>.authenticationCode(for: Array("\(hardwareID):\(generation)".utf8), using: master).base64URL
    }
}
