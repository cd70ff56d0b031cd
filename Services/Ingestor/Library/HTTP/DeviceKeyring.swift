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
    /// A device with its key, and from where it comes.
    private struct Sender: Hashable {
        let device: Device.HardwareID
        /// A hash of the key.
        let key: [UInt8]
        let network: IPNetwork

        init(_ device: Device.HardwareID, _ key: String, _ network: IPNetwork) {
            self.device = device
            self.key = DeviceKeyHash(of: key).bytes
            self.network = network
        }
    }

    private let pool: PostgresPool
    private let guesses: GuessLimit
    private let limit: Duration
    /// The right keys that have come, and from where. What is counted of strangers does not concern them, so that nobody behind the
    /// same address keeps such a device out. A restart forgets them: then a device whose address somebody floods has to wait for its
    /// turn among the guesses.
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

    /// Whether this key was the device's when it last came from there.
    func isFamiliar(_ device: Device.HardwareID, _ headers: HTTPFields, from network: IPNetwork) -> Bool {
        Self.key(headers).map { familiar.contains(Sender(device, $0, network)) } ?? false
    }

    /// Makes sure that a request comes from this device.
    /// - Throws: `Problem`: for a device that does not exist the same as for a wrong key; and what the database fails with.
    func require(_ device: Device.HardwareID, _ headers: HTTPFields, from network: IPNetwork) async throws {
        guard let key = Self.key(headers) else { throw Problem.keyRefused }
        let sender = Sender(device, key, network)
        guard !familiar.contains(sender) else {
            guard try await fits(key, device) else {
                familiar.remove(sender)
                throw Problem.keyRefused
            }
            familiar.insert(sender)
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

        func remove(_ sender: Sender) { senders.withLock { $0[sender] = nil } }
    }
}
