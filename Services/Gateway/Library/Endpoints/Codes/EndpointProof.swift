import FoundationEssentials
import Instants
import Postgres
import Routes
import Secrets
import ServiceKit
import WaterQuality

/// A place that counts once a person has typed the code that was sent there: the client keeps it sealed until then, and the database has
/// nothing of it.
protocol ProvenPlace: Codable, Sendable {
    /// Each sort of places has a context of its own, so that the proof of one is none of another.
    static func context(of account: Account.ID) -> SealedSecret.Context
}

/// A registration that waits for its code: what the person wants to be told by, and the code that was sent there.
struct EndpointProof<Place: ProvenPlace>: Sendable {
    let place: Place
    let code: String
    let expiresAt: Timestamp

    init(of place: Place, at now: Timestamp) {
        self.place = place
        let digits = String(Int.random(in: 0..<1_000_000))
        code = String(repeating: "0", count: 6 - digits.count) + digits
        expiresAt = now + Self.lifetime
    }

    /// How long a code can be typed.
    private static var lifetime: Duration { .seconds(600) }

    func sealed(with key: SecretKey, for account: Account.ID) throws -> String {
        let bytes = try Array(JSONEncoder().encode(Stored(proof: self)))
        return Base64URL.text(try SealedSecret.seal(bytes, with: key, for: Place.context(of: account)).bytes)
    }

    /// - Throws: `Problem(.codeExpired)` for a text that this service did not seal for the account, or whose time is over.
    init(_ text: String, of account: Account.ID, openedWith keys: SecretKeys, at now: Timestamp) throws {
        guard let bytes = Base64URL.bytes(text),
            let opened = try? keys.open(SealedSecret(stored: bytes), for: Place.context(of: account)).secret,
            let proof = try? JSONDecoder().decode(Stored.self, from: Data(opened)).proof, now < proof.expiresAt
        else { throw Problem(.codeExpired) }
        self = proof
    }

    private init(place: Place, code: String, expiresAt: Timestamp) {
        self.place = place
        self.code = code
        self.expiresAt = expiresAt
    }

    /// The members of the place and those of the code beside each other, as versions since the first read them.
    private struct Stored: Codable {
        let proof: EndpointProof

        enum Keys: CodingKey { case code, expiresAt }

        init(proof: EndpointProof) { self.proof = proof }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Keys.self)
            proof = EndpointProof(
                place: try Place(from: decoder), code: try members.decode(String.self, forKey: .code),
                expiresAt: Timestamp(microseconds: try members.decode(Int64.self, forKey: .expiresAt)))
        }

        func encode(to encoder: any Encoder) throws {
            try proof.place.encode(to: encoder)
            var members = encoder.container(keyedBy: Keys.self)
            try members.encode(proof.code, forKey: .code)
            try members.encode(proof.expiresAt.microseconds, forKey: .expiresAt)
        }
    }
}

extension EndpointProof {
    /// Opens what a client kept, and compares the code that its person typed: as often as they may have one sent.
    /// - Throws: `Problem`
    static func require(_ text: String, _ code: String, _ scope: Scope) async throws -> Place {
        let keys = scope.services.secretKeys.renewed()
        let (account, now) = try await scope.transaction { transaction, account in
            guard let now = try transaction.execute(ReadClock()).first else { throw Problem.pause }
            return (account, now)
        }
        let proof = try EndpointProof(text, of: account, openedWith: keys, at: now)
        try scope.services.challenger.admitGuess(of: account)
        guard proof.code == code else { throw Problem(.codeWrong) }
        return proof.place
    }

    /// The code on its way, as the client keeps it.
    func sent(for account: Account.ID, _ scope: Scope) throws -> SentCode {
        SentCode(
            proof: try sealed(with: scope.services.secretKeys.renewed().newest, for: account), expiresAt: expiresAt)
    }
}
