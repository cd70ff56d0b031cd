import Crypto
import CryptoExtras
import FoundationEssentials

/// The stored form of a password: `scrypt$N$r$p$salt$hash`, the last two in base64 (RFC 7914).
///
/// The text contains the costs, so they can be raised for new passwords while old ones still verify.
package struct PasswordHash: Sendable, CustomStringConvertible {
    private let salt: PasswordSalt
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
        try PasswordSalt.random(cost: cost).hash(password)
    }

    fileprivate init(salt: PasswordSalt, hash: SymmetricKey) {
        self.salt = salt
        self.hash = hash
    }

    /// - Returns: nil for a text of another form.
    package init?(stored text: String) {
        guard let end = text.lastIndex(of: "$"), let salt = PasswordSalt(stored: String(text[...end])),
            let hash = Data(base64Encoded: String(text[text.index(after: end)...])), hash.count == KeyText.keyLength
        else { return nil }
        self.init(salt: salt, hash: SymmetricKey(data: hash))
    }

    /// Compares in constant time, apart from the derivation itself. Slow, like `create`.
    package func matches(_ password: String) -> Bool {
        (try? salt.hash(password))?.hash == hash
    }

    package var description: String { "\(salt)\(hash.withUnsafeBytes { Data($0).base64EncodedString() })" }
}

/// What a password's stored form begins with: `scrypt$N$r$p$salt$`. Whoever checks a password needs no more, where the database
/// compares the rest.
package struct PasswordSalt: Sendable, CustomStringConvertible {
    private let cost: PasswordHash.Cost
    private let salt: [UInt8]

    private init(cost: PasswordHash.Cost, salt: [UInt8]) {
        self.cost = cost
        self.salt = salt
    }

    package static func random(cost: PasswordHash.Cost = .standard) -> PasswordSalt {
        PasswordSalt(cost: cost, salt: SymmetricKey(size: .bits128).withUnsafeBytes(Array.init))
    }

    /// - Returns: nil for a text of another form.
    package init?(stored text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "scrypt", let rounds = Int(parts[1]), let blockSize = Int(parts[2]),
            let parallelism = Int(parts[3]), let salt = Data(base64Encoded: String(parts[4])), parts[5].isEmpty
        else { return nil }
        cost = PasswordHash.Cost(rounds: rounds, blockSize: blockSize, parallelism: parallelism)
        guard cost.isBearable else { return nil }
        self.salt = Array(salt)
    }

    /// Whether a hash by this salt was made with other costs than these: to be made anew when its person signs in.
    package func needsRehash(at cost: PasswordHash.Cost = .standard) -> Bool { self.cost != cost }

    /// The stored form of a password. Slow on purpose; do not call it on the cooperative pool where that matters.
    package func hash(_ password: String) throws -> PasswordHash {
        PasswordHash(
            salt: self,
            hash: try KDF.Scrypt.deriveKey(
                from: Array(password.utf8), salt: salt, outputByteCount: KeyText.keyLength, rounds: cost.rounds,
                blockSize: cost.blockSize, parallelism: cost.parallelism))
    }

    package var description: String {
        "scrypt$\(cost.rounds)$\(cost.blockSize)$\(cost.parallelism)$\(Data(salt).base64EncodedString())$"
    }
}
