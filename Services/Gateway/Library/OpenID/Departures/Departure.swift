import Crypto
import FoundationEssentials
import Instants
import People
import Routes
import Store

/// A way to the provider and back, as the browser that began it carries it: what it is for, and the secrets that bind the provider's
/// answer to this browser (state), to its token (nonce) and to the exchange of its code (verifier).
struct Departure: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
        case signIn(client: ClientID?, timeZone: String)
        /// Links an identity to the person of a session.
        case link(SessionID)
        /// Makes a session fresh, and goes back to a page of the app.
        case proof(SessionID, path: String)
        /// Ends the provider's own session, after the one here.
        case signOut
    }

    let purpose: Purpose
    /// Each 32 random bytes in base64url.
    let state: String
    let nonce: String
    let verifier: String
    let leftAt: Timestamp

    /// For as long as somebody may take at the provider.
    static let lifetime = Duration.seconds(600)

    init(_ purpose: Purpose, at now: Timestamp) {
        self.purpose = purpose
        (state, nonce, verifier) = (Self.secret(), Self.secret(), Self.secret())
        leftAt = now
    }

    private static func secret() -> String {
        var generator = SystemRandomNumberGenerator()
        return Base64URL.text((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// The challenge that the provider is told of the verifier (RFC 7636, section 4.2: S256).
    var challenge: String { Base64URL.text(Array(SHA256.hash(data: Array(verifier.utf8)))) }

    /// Whether it is still under way.
    func lasts(at now: Timestamp) -> Bool { leftAt <= now && now < leftAt + Self.lifetime }

    /// By what a sign-in that has come back is known.
    var stateHash: [UInt8] { Array(SHA256.hash(data: Array(state.utf8))) }

    /// Whether the person has to prove themselves to the provider once more.
    var asksAgain: Bool { if case .proof = purpose { true } else { false } }
}

extension Departure {
    /// As it is sealed.
    var bytes: [UInt8] {
        let about: [JSON.Member] =
            switch purpose {
            case .signIn(let client, let timeZone):
                [
                    .init("for", "signIn"), .init("client", client.map { .string("\($0)") } ?? .null),
                    .init("zone", .string(timeZone)),
                ]
            case .link(let session): [.init("for", "link"), .init("session", .string("\(session)"))]
            case .proof(let session, let path):
                [.init("for", "proof"), .init("session", .string("\(session)")), .init("path", .string(path))]
            case .signOut: [.init("for", "signOut")]
            }
        let secrets: [JSON.Member] = [
            .init("state", .string(state)), .init("nonce", .string(nonce)), .init("verifier", .string(verifier)),
            .init("leftAt", .integer(leftAt.microseconds)),
        ]
        var text = JSONText()
        text.append(.object(about + secrets))
        return text.bytes
    }

    init?(bytes: [UInt8]) {
        guard let json = try? JSON(reading: bytes), let state = json["state"]?.string,
            let nonce = json["nonce"]?.string,
            let verifier = json["verifier"]?.string, let leftAt = json["leftAt"]?.integer,
            let purpose = Self.purpose(json)
        else { return nil }
        self.purpose = purpose
        (self.state, self.nonce, self.verifier) = (state, nonce, verifier)
        self.leftAt = Timestamp(microseconds: leftAt)
    }

    private static func purpose(_ json: JSON) -> Purpose? {
        let session = json["session"]?.string.flatMap { SessionID($0) }
        switch (json["for"]?.string, session) {
        case ("signIn", _):
            return .signIn(
                client: json["client"]?.string.flatMap { ClientID($0) }, timeZone: json["zone"]?.string ?? "UTC")
        case ("link", let session?): return .link(session)
        case ("proof", let session?): return .proof(session, path: json["path"]?.string ?? "/")
        case ("signOut", _): return .signOut
        default: return nil
        }
    }
}
