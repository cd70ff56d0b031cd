import Crypto

/// What the database knows of a device's key. A plain hash suffices, since nobody can try 256 bits.
package struct DeviceKeyHash: Sendable {
    package static let length = 32

    /// 32 bytes.
    package let bytes: [UInt8]

    package init(of key: String) {
        bytes = Array(SHA256.hash(data: Array(key.utf8)))
    }

    /// - Parameter bytes: As they are stored.
    package init(stored bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Takes as long for any key.
    package func matches(_ key: String) -> Bool {
        let other = DeviceKeyHash(of: key).bytes
        guard bytes.count == other.count else { return false }
        return zip(bytes, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
