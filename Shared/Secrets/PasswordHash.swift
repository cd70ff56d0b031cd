import Crypto
import CryptoExtras
import FoundationEssentials

/// The stored form of a password: `scrypt$N$r$p$salt$hash`, the last two in base64 (RFC 7914).
///
/// The text contains the costs, so they can be raised for new passwords while old ones still verify.
package struct PasswordHash: Sendable, CustomStringConvertible {
    private let cost: Cost
    private let salt: [UInt8]
    private let hash: SymmetricKey

    /// What a guess costs whoever stole the hash, and a check costs us.
    package struct Cost: Hashable, Sendable {
        fileprivate var rounds: Int
        fileprivate var blockSize: Int
        fileprivate var parallelism: Int

        /// 32 MiB of memory and about a quarter of a second: one of the equivalent settings that OWASP's password
        /// storage cheat sheet lists; this one lets a small server check several at once.
        package static let standard = Cost(rounds: 1 << 15, blockSize: 8, parallelism: 3)
        /// For tests, whose people sign in often. No environment leads to it.
        package static let quick = Cost(rounds: 16, blockSize: 1, parallelism: 1)

        /// Whether the costs are within bounds. A stored text with higher costs was not written by `create`, and would
        /// exhaust the memory.
        fileprivate var isBearable: Bool {
            (2...(1 << 20)).contains(rounds) && rounds & (rounds - 1) == 0 && (1...32).contains(blockSize)
                && (1...16).contains(parallelism)
        }
    }

    /// Slow on purpose; do not call it on the cooperative pool where that matters.
    package static func create(_ password: String, cost: Cost = .standard) throws -> PasswordHash {
        let salt = SymmetricKey(size: .bits128).withUnsafeBytes(Array.init)
        return PasswordHash(cost: cost, salt: salt, hash: try derive(password, salt, cost))
    }

    /// A hash that no password matches, and whose check takes as long as any other's: for addresses without an account.
    package static func ofNobody(cost: Cost = .standard) -> PasswordHash {
        PasswordHash(
            cost: cost, salt: SymmetricKey(size: .bits128).withUnsafeBytes(Array.init),
            hash: SymmetricKey(size: .bits256))
    }

    /// Whether the hash was made with other costs than these: to be made anew when its person signs in.
    package func needsRehash(at cost: Cost = .standard) -> Bool { self.cost != cost }

    private init(cost: Cost, salt: [UInt8], hash: SymmetricKey) {
        self.cost = cost
        self.salt = salt
        self.hash = hash
    }

    /// - Returns: nil for a text of another form.
    package init?(stored text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "scrypt", let rounds = Int(parts[1]), let blockSize = Int(parts[2]),
            let parallelism = Int(parts[3]), let salt = Data(base64Encoded: String(parts[4])),
            let hash = Data(base64Encoded: String(parts[5])), hash.count == KeyText.keyLength
        else { return nil }
        cost = Cost(rounds: rounds, blockSize: blockSize, parallelism: parallelism)
        guard cost.isBearable else { return nil }
        self.salt = Array(salt)
        self.hash = SymmetricKey(data: hash)
    }

    /// Compares in constant time, apart from the derivation itself. Slow, like `create`.
    package func matches(_ password: String) -> Bool {
        (try? Self.derive(password, salt, cost)) == hash
    }

    package var description: String {
        let hash = hash.withUnsafeBytes { Data($0).base64EncodedString() }
        return "scrypt$\(cost.rounds)$\(cost.blockSize)$\(cost.parallelism)$\(Data(salt).base64EncodedString())$\(hash)"
    }

    private static func derive(_ password: String, _ salt: [UInt8], _ cost: Cost) throws -> SymmetricKey {
        try KDF.Scrypt.deriveKey(
            from: Array(password.utf8), salt: salt, outputByteCount: KeyText.keyLength, rounds: cost.rounds,
            blockSize: cost.blockSize, parallelism: cost.parallelism)
    }
}
