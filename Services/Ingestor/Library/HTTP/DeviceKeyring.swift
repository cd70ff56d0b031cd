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

/// Authenticates devices by their keys. Each request asks the database, on a separate connection, so that a replaced
/// key stops working at once.
struct DeviceKeyring: Sendable {
    /// A device with its key and the network that it comes from.
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
    /// Correct keys with the networks that they came from. Limits on strangers do not apply to them, so that nobody
    /// behind the same address keeps such a device out. A restart forgets them: a device whose address somebody floods
    /// then has to wait for its turn among the guesses.
    private let familiar = Familiar()

    /// - Parameters:
    ///   - pool: A pool of its own, so that no commit waits behind look-ups.
    ///   - limit: How long a look-up may take.
    init(_ pool: PostgresPool, _ rates: GuessRates, limit: Duration) {
        self.pool = pool
        guesses = GuessLimit(rates)
        self.limit = limit
    }

    /// Keys that were refused without a look at them.
    var refusedCount: Int { guesses.refusedCount }

    /// Whether this key was the device's when it last came from this network.
    func isFamiliar(_ device: Device.HardwareID, _ headers: HTTPFields, from network: IPNetwork) -> Bool {
        Self.key(headers).map { familiar.contains(Sender(device, $0, network)) } ?? false
    }

    /// Requires that a request comes from this device.
    /// - Throws: `Problem`, the same for an unknown device as for a wrong key; or the database's error.
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
            // Unknown whether the key was right: devices must not use up their guesses during an outage.
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

    /// The token after `Bearer` (RFC 6750).
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
