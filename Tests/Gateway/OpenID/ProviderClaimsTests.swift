import Crypto
import Foundation
import Instants
import Routes
import Testing

@testable import Gateway

/// What an ID token has to say before anybody is let in by it.
@Suite struct ProviderClaimsTests {
    private static let now = Timestamp(unixSeconds: Int64(1_800_000_000))
    private static let accessToken = "access"
    private static let expected = ProviderClaims.Expected(
        issuer: "https://id.example", clientID: "aqua", nonce: "n", accessToken: accessToken)

    private static let good: [String: JSON] = [
        "iss": "https://id.example", "aud": "aqua", "sub": "s-1", "exp": 1_800_000_300, "iat": 1_800_000_000,
        "nonce": "n",
    ]

    private static func fault(
        _ changes: [String: JSON?], _ expected: ProviderClaims.Expected = expected
    ) -> OpenIDFault? {
        var claims = good
        for (name, value) in changes { claims[name] = value }
        do throws(OpenIDFault) {
            try ProviderClaims(.object(claims.map { JSON.Member($0.key, $0.value) })).check(expected, at: now)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a token that says what it has to is taken`() {
        let half = Base64URL.text(Array(SHA256.hash(data: Data(Self.accessToken.utf8)).prefix(16)))
        let fine: [[String: JSON?]] = [
            [:], ["aud": ["aqua"]], ["aud": ["other", "aqua"], "azp": "aqua"], ["azp": "aqua"],
            ["at_hash": .string(half)], ["nbf": 1_800_000_059], ["iat": 1_800_000_060],
            // The provider's clock is a minute behind or ahead.
            ["exp": 1_799_999_941], ["exp": 1.8000003e9],
        ]
        for changes in fine { #expect(Self.fault(changes) == nil, "\(changes)") }
    }

    @Test func `each claim that does not hold is refused`() {
        let faulty: [([String: JSON?], OpenIDFault)] = [
            (["iss": "https://id.example/"], .otherIssuer), (["iss": .some(nil)], .otherIssuer),
            (["aud": "other"], .otherAudience), (["aud": []], .otherAudience), (["aud": .some(nil)], .otherAudience),
            (["aud": ["aqua", "other"]], .otherAudience), (["aud": ["aqua"], "azp": "other"], .otherAudience),
            (["exp": 1_799_999_940], .expired), (["exp": "1800000300"], .malformedToken),
            (["exp": .some(nil)], .malformedToken), (["iat": .some(nil)], .malformedToken),
            (["iat": 1_800_000_061], .notYet), (["nbf": 1_800_000_061], .notYet),
            (["nonce": "other"], .nonce), (["nonce": .some(nil)], .nonce), (["at_hash": "AAAA"], .accessToken),
            (["at_hash": 7], .accessToken), (["sub": .some(nil)], .malformedToken), (["sub": ""], .malformedToken),
            (["sub": .string(String(repeating: "s", count: 256))], .malformedToken), (["sub": "é"], .malformedToken),
        ]
        for (changes, fault) in faulty { #expect(Self.fault(changes) == fault, "\(changes)") }
    }

    @Test func `who has to prove themselves again has done so since`() {
        var again = Self.expected
        again.since = Self.now
        #expect(Self.fault([:], again) == .notRecent)
        #expect(Self.fault(["auth_time": 1_799_999_939], again) == .notRecent)
        #expect(Self.fault(["auth_time": 1_799_999_940], again) == nil)
        #expect(Self.fault(["auth_time": 1_700_000_000]) == nil)
    }

    @Test func `an address counts where the provider vouches for it`() throws {
        let rows: [(JSON?, String?)] = [(true, "ada@example.org"), (false, nil), ("true", nil), (nil, nil)]
        for (verified, address) in rows {
            var members: [JSON.Member] = [.init("sub", "s"), .init("email", "ada@example.org")]
            if let verified { members.append(.init("email_verified", verified)) }
            #expect(try ProviderClaims(.object(members)).confirmedAddress == address)
        }
    }

    @Test func `groups are a list or one name, and userinfo adds what the token leaves out`() throws {
        let token = try ProviderClaims(["sub": "s", "iss": "token", "email": "token@example.org"])
        #expect(token.groups("groups") == nil)
        let whole = try token.adding([
            "sub": "s", "groups": ["keepers", 7], "email": "info@example.org", "auth_time": 1, "iss": "info",
            "sid": "x",
        ])
        #expect(whole.groups("groups") == ["keepers"])
        #expect(whole.name == "token@example.org")
        #expect(try ProviderClaims(["sub": "s", "name": "A\u{202E}da"]).name == "A\u{FFFD}da")
        #expect(
            try ProviderClaims(["sub": "s", "name": .string(String(repeating: "a", count: 999))]).name?.count == 120)
        #expect(whole.authenticatedAt == nil && whole.session == nil)
        #expect(try ProviderClaims(["sub": "s", "role": "keepers"]).groups("role") == ["keepers"])
        #expect(throws: OpenIDFault.otherSubject) { try token.adding(["sub": "other", "groups": ["keepers"]]) }
        #expect(throws: OpenIDFault.otherSubject) { try token.adding(["groups": ["keepers"]]) }
    }
}
