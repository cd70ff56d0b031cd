package import Instants
import JWTKit
package import ServiceKit
package import WaterQuality

/// Issues and verifies access tokens: JSON Web Tokens signed with ES256 (RFC 8725 and RFC 9068).
///
/// The key file is read anew from time to time, and sooner when a token names an unknown key: another Gateway may have
/// read the file before. Made-up key ids cannot cause this more than once a second.
package actor AccessTokens {
    private let source: Renewable<AccessTokenKeys>
    private let clock: WallClock
    private var keys: AccessTokenKeys
    private var collection: JWTKeyCollection?
    private var readAt: Timestamp
    /// Claims of tokens whose signatures were verified with `keys`: an open app sends the same token with each request.
    private var verified: [String: AccessTokenClaims] = [:]

    private static let type = "at+jwt"
    private static let algorithm = "ES256"
    /// In bytes; our tokens have about 330.
    static let longest = 1024
    /// Largest age of the key file's content: a removed key is honoured no longer than this.
    static let keyAge = Duration.seconds(10)
    /// The same age, for a token that names an unknown key.
    static let keyAgeForUnknown = Duration.seconds(1)
    /// Most verified tokens that are remembered. Only people who sign in get any; when there are more, all are
    /// forgotten.
    static let mostVerified = 10_000

    package init(keys: Renewable<AccessTokenKeys>, clock: WallClock = .system) {
        source = keys
        self.clock = clock
        self.keys = keys.current
        readAt = clock.now()
    }

    /// A token for the session, valid from now on.
    package func issue(to account: Account.ID, session: UInt128) async throws -> String {
        renewKeys(olderThan: Self.keyAge)
        let newest = keys.keys[0].id
        return try await loaded().sign(
            AccessTokenClaims(account: account, session: session, at: clock.now()),
            kid: JWKIdentifier(string: newest), header: ["typ": .string(Self.type)])
    }

    /// - Returns: nil for a text that is no token of ours, or not valid now; the reason is not disclosed.
    package func verify(_ text: String) async -> AccessToken? {
        guard text.utf8.count <= Self.longest else { return nil }
        renewKeys(olderThan: Self.keyAge)
        if let claims = verified[text] { return claims.token(at: clock.now()) }
        // Before anything is decoded: no bytes beyond base64url and the two dots.
        guard text.utf8.allSatisfy(Self.isOfToken),
            let header = TokenHeader(of: text), header.typ == Self.type, header.alg == Self.algorithm,
            header.crit == nil, let kid = header.kid
        else { return nil }
        if !keys.ids.contains(kid) { renewKeys(olderThan: Self.keyAgeForUnknown) }
        guard keys.ids.contains(kid) else { return nil }
        let ids = keys.ids
        guard let claims = try? await loaded().verify(text, as: AccessTokenClaims.self) else { return nil }
        // The keys may have been renewed while this waited.
        if ids == keys.ids {
            if verified.count >= Self.mostVerified { verified = [:] }
            verified[text] = claims
        }
        return claims.token(at: clock.now())
    }

    private static func isOfToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private func renewKeys(olderThan age: Duration) {
        let now = clock.now()
        // The machine's clock may have been put back.
        guard now >= readAt + age || now < readAt else { return }
        readAt = now
        let renewed = source.renewed()
        if renewed.ids != keys.ids {
            keys = renewed
            collection = nil
            verified = [:]
        }
    }

    private func loaded() async -> JWTKeyCollection {
        if let collection { return collection }
        let keys = keys
        let made = JWTKeyCollection()
        for key in keys.keys { await made.add(ecdsa: key.key, kid: JWKIdentifier(string: key.id)) }
        // The first key has become the default, which would verify tokens that name no key or an unknown one.
        await made.clearDefault()
        // The keys may have been renewed while this waited.
        if keys.ids == self.keys.ids { collection = made }
        return made
    }
}
