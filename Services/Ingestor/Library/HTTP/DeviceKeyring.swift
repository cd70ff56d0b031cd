import Backoff
import HTTPTypes
import Postgres
import PublicHTTP
import PushTargets
import Routes
import Secrets
import Store
import Synchronization
import WaterQuality

/// Knows devices by their keys. Each request asks the database, on a connection of its own: a key that was replaced opens nothing from
/// then on.
struct DeviceKeyring: Sendable {
    private struct Sender: Hashable {
        let device: Device.HardwareID
        let network: IPNetwork
    }

    private let pool: PostgresPool
    private let guesses: GuessLimit
    private let limit: Duration
    /// From where devices have come with their right keys. There nothing is counted, so that nobody behind the same address keeps a
    /// device out; 256 bits are not guessed, however often.
    private let familiar = Familiar()

    /// - Parameters:
    ///   - pool: Nobody else's, so that no commit waits behind look-ups.
    ///   - limit: How long a look-up may take.
    init(_ pool: PostgresPool, _ rates: GuessRates, limit: Duration) {
        self.pool = pool
        guesses = GuessLimit(rates)
        self.limit = limit
    }

    /// How many keys were refused before they were looked at.
    var refusedCount: Int { guesses.refusedCount }

    /// Makes sure that a request comes from this device.
    /// - Throws: `Problem`: for a device that does not exist the same as for a wrong key; and what the database fails with.
    func require(_ device: Device.HardwareID, _ headers: HTTPFields, from network: IPNetwork) async throws {
        guard let key = Self.key(headers) else { throw Problem.keyRefused }
        let sender = Sender(device: device, network: network)
        guard !familiar.contains(sender) else {
            guard try await fits(key, device) else { throw Problem.keyRefused }
            return
        }
        let guess = Guess(subject: device.text, origin: network.description)
        if let wait = guesses.admit(guess) { throw Problem(.tooManyRequests, retryAfter: wait) }
        let isRight: Bool
        do {
            isRight = try await fits(key, device)
        } catch {
            // Nobody knows whether it was right: during an outage devices must not use up what they may try.
            guesses.succeed(guess)
            throw error
        }
        guard isRight else { throw Problem.keyRefused }
        guesses.succeed(guess)
        familiar.insert(sender)
    }

    private func fits(_ key: String, _ device: Device.HardwareID) async throws -> Bool {
        let stored = try await withTimeout(limit) { try await pool.execute(FindDeviceKeyHash(of: device)).first }
        return stored.map { DeviceKeyHash(stored: $0).matches(key) } ?? false
    }

    /// What stands behind `Bearer` (RFC 6750).
    private static func key(_ headers: HTTPFields) -> String? {
        guard let text = headers[.authorization] else { return nil }
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer", parts[1].utf8.count <= 128 else { return nil }
        return String(parts[1])
    }

    private final class Familiar: Sendable {
        private let senders = Mutex(RecentMemory<Sender, Void>(most: 40_000))

        func contains(_ sender: Sender) -> Bool { senders.withLock { $0[sender] != nil } }

        func insert(_ sender: Sender) { senders.withLock { $0[sender] = () } }
    }
}
