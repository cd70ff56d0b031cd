import Crypto
import FoundationEssentials

/// A device's password as Mosquitto's dynamic-security plugin stores it: PBKDF2 with SHA-512, in base64.
///
/// The number of rounds is the plugin's own low one: nobody can try keys of 256 bits, and the broker computes them at
/// each login, ten thousand of which may come at once.
package struct BrokerPasswordHash: Encodable, Hashable, Sendable {
    package static let rounds = 101

    package let password: String
    package let salt: String
    package let iterations: Int

    package init(of password: String) throws {
        try self.init(of: password, salt: SymmetricKey(size: .init(bitCount: 96)).withUnsafeBytes(Array.init))
    }

    package init(of password: String, salt: [UInt8]) throws {
        let key = try KeyDerivation.pbkdf2(password, salt: salt, rounds: Self.rounds, byteCount: 64)
        self.password = Data(key).base64EncodedString()
        self.salt = Data(salt).base64EncodedString()
        iterations = Self.rounds
    }
}
