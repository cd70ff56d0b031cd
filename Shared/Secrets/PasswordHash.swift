import Crypto
import FoundationEssentials

/// The stored form of a password: `scrypt$N$r$p$salt$hash`, the last two in base64 (RFC 7914).
///
/// The text contains the cost, so it can be raised for new passwords while old ones still verify.
package struct PasswordHash: Sendable, CustomStringConvertible {
    private let salt: PasswordSalt
    private let hash: SymmetricKey

    /// The cost of a guess for a thief of the hash, and of a check for us.
    package struct Cost: Hashable, Sendable {
        fileprivate var rounds: Int
        fileprivate var blockSize: Int
        fileprivate var parallelism: Int

        /// 32 MiB of memory and about a quarter of a second: one of the equivalent settings in OWASP's password storage
        /// cheat sheet; this one lets a small server check several passwords at once.
        package static let standard = Cost(rounds: 1 << 15, blockSize: 8, parallelism: 3)
        /// A low cost for tests, which sign in often. No environment variable selects it.
        package static let quick = Cost(rounds: 16, blockSize: 1, parallelism: 1)

        /// Whether the cost is within bounds. `create` never writes a higher one, which would exhaust the memory.
        fileprivate var isBearable: Bool {
            (2...(1 << 20)).contains(rounds) && rounds & (rounds - 1) == 0 && (1...32).contains(blockSize)
                && (1...16).contains(parallelism)
        }
    }

    /// Hashes a new password. Slow on purpose; keep it off the cooperative pool where that matters.
    package static func create(_ password: String, cost: Cost = .standard) throws -> PasswordHash {
        try PasswordSalt.random(cost: cost).hash(password)
    }

    fileprivate init(salt: PasswordSalt, hash: SymmetricKey) {
        self.salt = salt
        self.hash = hash
    }

    /// - Returns: nil for any other form.
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

/// The beginning of a password's stored form: `scrypt$N$r$p$salt$`. It suffices for checking a password where the
/// database compares the rest.
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

    /// - Returns: nil for any other form.
    package init?(stored text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "scrypt", let rounds = Int(parts[1]), let blockSize = Int(parts[2]),
            let parallelism = Int(parts[3]), let salt = Data(base64Encoded: String(parts[4])), parts[5].isEmpty
        else { return nil }
        cost = PasswordHash.Cost(rounds: rounds, blockSize: blockSize, parallelism: parallelism)
        guard cost.isBearable else { return nil }
        self.salt = Array(salt)
    }

    /// Whether the stored hash has another cost than this, so that it is made anew when its person signs in.
    package func needsRehash(at cost: PasswordHash.Cost = .standard) -> Bool { self.cost != cost }

    /// The stored form of a password. Slow on purpose; keep it off the cooperative pool where that matters.
    package func hash(_ password: String) throws -> PasswordHash {
        PasswordHash(
            salt: self,
            hash: SymmetricKey(
                data: try KeyDerivation.scrypt(
                    password, salt: salt, rounds: cost.rounds, blockSize: cost.blockSize, parallelism: cost.parallelism,
                    byteCount: KeyText.keyLength)))
    }

    package var description: String {
        "scrypt$\(cost.rounds)$\(cost.blockSize)$\(cost.parallelism)$\(Data(salt).base64EncodedString())$"
    }
}
