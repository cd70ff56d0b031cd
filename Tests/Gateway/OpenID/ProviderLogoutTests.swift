import Instants
import Routes
import Testing

@testable import Gateway

/// The claims that a provider has to make before sessions end by it.
@Suite struct ProviderLogoutTests {
    private static let now = Timestamp(unixSeconds: Int64(1_800_000_000))
    private static let event: JSON = ["http://schemas.openid.net/event/backchannel-logout": .object([])]

    private static let good: [String: JSON] = [
        "iss": "https://id.example", "aud": "aqua", "sub": "s-1", "sid": "house-7", "exp": 1_800_000_120,
        "iat": 1_800_000_000, "jti": "1", "events": event,
    ]

    private static func read(_ changes: [String: JSON?]) throws(OpenIDFault) -> ProviderLogout {
        var claims = good
        for (name, value) in changes { claims[name] = value }
        return try ProviderLogout(
            .object(claims.map { JSON.Member($0.key, $0.value) }), issuer: "https://id.example", clientID: "aqua",
            at: now)
    }

    @Test func `a person, a session or both are named, and what began before`() throws {
        let both = try Self.read([:])
        #expect((both.subject, both.session) == ("s-1", "house-7"))
        #expect(both.before == Self.now + .seconds(60))
        #expect(try Self.read(["sid": .some(nil)]).session == nil)
        #expect(try Self.read(["sub": .some(nil)]).subject == nil)
        #expect(try Self.read(["aud": ["other", "aqua"]]) == both)
    }

    @Test func `each claim that does not hold is refused`() {
        let faulty: [([String: JSON?], OpenIDFault)] = [
            (["iss": "https://evil.example"], .otherIssuer), (["iss": .some(nil)], .otherIssuer),
            (["aud": "other"], .otherAudience), (["aud": .some(nil)], .otherAudience),
            (["exp": 1_799_999_940], .expired), (["exp": .some(nil)], .malformedToken),
            (["iat": 1_800_000_061], .notYet), (["iat": .some(nil)], .malformedToken),
            (["sub": .some(nil), "sid": .some(nil)], .malformedToken),
            // An ID token of somebody who signs in ends nothing.
            (["nonce": "n"], .malformedToken), (["events": .some(nil)], .malformedToken),
            (["events": ["http://schemas.openid.net/event/other": .object([])]], .malformedToken),
            (["events": ["http://schemas.openid.net/event/backchannel-logout"]], .malformedToken),
        ]
        for (changes, fault) in faulty {
            #expect(throws: fault, "\(changes)") { try Self.read(changes) }
        }
    }
}
