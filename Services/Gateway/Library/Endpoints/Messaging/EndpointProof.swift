import FoundationEssentials
import Instants
import Messaging
import Routes
import Secrets
import WaterQuality

/// A registration at a service that waits for its code: the person's data for it, and the code that was sent. The client keeps it sealed
/// until the person has typed the code; the database has nothing of it.
struct EndpointProof: Sendable {
    let channel: Endpoint.Channel
    let values: ServiceValues
    let code: String
    let expiresAt: Timestamp

    /// How long a code can be typed.
    static let lifetime = Duration.seconds(600)

    init(channel: Endpoint.Channel, values: ServiceValues, at now: Timestamp) {
        self.channel = channel
        self.values = values
        let digits = String(Int.random(in: 0..<1_000_000))
        code = String(repeating: "0", count: 6 - digits.count) + digits
        expiresAt = now + Self.lifetime
    }

    private struct Stored: Codable {
        var channel: String
        var values: [UInt8]
        var code: String
        var expiresAt: Int64
    }

    func sealed(with key: SecretKey, for account: Account.ID) throws -> String {
        let stored = Stored(
            channel: channel.rawValue, values: try values.stored(), code: code, expiresAt: expiresAt.microseconds)
        let bytes = try Array(JSONEncoder().encode(stored))
        return Base64URL.text(try SealedSecret.seal(bytes, with: key, for: .proof(account: account.rawValue)).bytes)
    }

    /// - Throws: `Problem(.codeExpired)` for a text that this service did not seal for the account, or whose time is over.
    init(_ text: String, of account: Account.ID, openedWith keys: SecretKeys, at now: Timestamp) throws {
        guard let bytes = Base64URL.bytes(text),
            let opened = try? keys.open(SealedSecret(stored: bytes), for: .proof(account: account.rawValue)).secret,
            let stored = try? JSONDecoder().decode(Stored.self, from: Data(opened)),
            let channel = Endpoint.Channel(rawValue: stored.channel), let values = ServiceValues(stored: stored.values),
            now < Timestamp(microseconds: stored.expiresAt)
        else { throw Problem(.codeExpired) }
        self.channel = channel
        self.values = values
        code = stored.code
        expiresAt = Timestamp(microseconds: stored.expiresAt)
    }
}
