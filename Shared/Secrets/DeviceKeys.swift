import Crypto
import FoundationEssentials

/// Derives every device's MQTT password from a master key, so that no password is stored.
///
/// Several master keys may exist at a time: new passwords come from the newest, and a device keeps a password from an
/// older one until it gets a new password.
package struct DeviceKeys: Sendable {
    /// The master keys, newest first; at least one.
    private let masters: [(id: KeyID, key: SymmetricKey)]

    /// - Parameter lines: One key a line, newest first: 32 bytes as hexadecimal digits or base64.
    /// - Returns: nil for anything else.
    package init?(_ lines: [String]) {
        var masters: [(id: KeyID, key: SymmetricKey)] = []
        for line in lines {
            guard let bytes = KeyText.bytes(line) else { return nil }
            let key = SymmetricKey(data: bytes)
            masters.append((KeyID(of: key), key))
        }
        guard !masters.isEmpty else { return nil }
        self.masters = masters
    }

    /// The key from which new passwords are derived.
    package var newest: KeyID { masters[0].id }
    package var ids: [KeyID] { masters.map(\.id) }

    /// A password from the newest master key: 43 characters of `A-Z a-z 0-9 - _`.
    /// - Parameters:
    ///   - hardwareID: Contains no colon, so that no two pairs give the same text.
    ///   - generation: A higher number invalidates the old password.
    package func password(hardwareID: String, generation: Int32) -> String {
        password(hardwareID, generation, masters[0].key)
    }

    /// The password that a device was given.
    /// - Parameter key: The stored id of the master key of that time; nil stands for the oldest key, in rows from
    ///   before there could be several.
    /// - Returns: nil if that key is gone.
    package func password(hardwareID: String, generation: Int32, key: String?) -> String? {
        let master = key.map { id in masters.first { $0.id.description == id } } ?? masters.last
        return master.map { password(hardwareID, generation, $0.key) }
    }

    private func password(_ hardwareID: String, _ generation: Int32, _ master: SymmetricKey) -> String {
        HMAC<SHA256>.authenticationCode(for: Array("\(hardwareID):\(generation)".utf8), using: master).base64URL
    }
}
