import Crypto

/// The database's hash of a device's key. A plain hash suffices, because nobody can try 256 bits.
package struct DeviceKeyHash: Sendable {
    package static let length = 32

    /// The hash, 32 bytes.
    package let bytes: [UInt8]

    package init(of key: String) {
        bytes = Array(SHA256.hash(data: Array(key.utf8)))
    }

    /// - Parameter bytes: The stored bytes.
    package init(stored bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Compares in constant time.
    package func matches(_ key: String) -> Bool {
        let other = DeviceKeyHash(of: key).bytes
        guard bytes.count == other.count else { return false }
        return zip(bytes, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
