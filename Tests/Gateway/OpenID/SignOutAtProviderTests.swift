import Foundation
import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// Signing out at the provider, from here and from there.
@Suite(.timeLimit(.minutes(5))) struct SignOutAtProviderTests {
    private static func offers(_ scene: ProviderScene, _ person: GatewayUnderTest.Person) async throws -> Bool? {
        try await scene.gateway.request(.GET, "/api/v1/account/identities", person).json?["signsOutThere"]?.bool
    }

    @Test func `whoever came in by the provider may sign out there as well`() async throws {
        try await ProviderScene.with { scene in
            let (provider, gateway) = (scene.provider, scene.gateway)
            provider.change { $0.description = ["end_session_endpoint": .string("\(provider.origin)/out")] }
            let ada = try await gateway.person("ada@example.org")
            try await scene.link(ada)
            #expect(try await Self.offers(scene, ada) == false, "she came in by her password")
            #expect(try await Self.offers(scene, scene.person(scene.signIn())) == true)

            let left = try await gateway.request(.GET, "/oidc/sign-out")
            #expect(left.status == 303)
            let address = try #require(left[header: "Location"])
            #expect(address.hasPrefix("\(provider.origin)/out?client_id=aqua&post_logout_redirect_uri="))
            let query = Query(String(address.drop { $0 != "?" }.dropFirst())).parameters
            let state = try #require(query.first { $0.name == "state" }?.value)
            let cookie = try #require(left.headers["Set-Cookie"].first { $0.hasPrefix(ProviderScene.cookieName) })
            let taken: HTTPHeaders = ["Cookie": String(cookie.prefix { $0 != ";" })]
            func back(_ state: String, _ headers: HTTPHeaders = [:]) async throws -> GatewayUnderTest.Reply {
                try await gateway.request(.GET, "/oidc/signed-out?state=\(state)", headers: headers)
            }
            // A link to there may be anybody's.
            #expect(try await back(state)[header: "Location"] == "/sign-in")
            #expect(try await back("other", taken)[header: "Location"] == "/sign-in")
            let told = try await back(state, taken)
            #expect(told[header: "Location"] == "/sign-in#signedOut")
            #expect(told.headers["Set-Cookie"].contains { $0.hasPrefix("\(ProviderScene.cookieName)=;") })
            // Neither way leads to the other's end.
            let departed = try await scene.leave()
            #expect(
                try await back(departed.state, ["Cookie": departed.cookie])[header: "Location"] == "/sign-in")
            let entered = try await gateway.request(
                .GET, "/oidc/callback?code=\(provider.code(for: departed.query))&state=\(state)", headers: taken)
            #expect(entered[header: "Location"] == "/sign-in#lost")
            let foreign = try await gateway.request(
                .GET, "/oidc/sign-out", headers: ["Sec-Fetch-Site": "cross-site"])
            #expect(foreign.status == 403)
        }
    }

    @Test func `a provider that ends no sessions is not offered`() async throws {
        try await ProviderScene.with { scene in
            let ada = try await scene.gateway.person("ada@example.org")
            try await scene.link(ada)
            #expect(try await Self.offers(scene, scene.person(scene.signIn())) == false)
            let left = try await scene.gateway.request(.GET, "/oidc/sign-out")
            #expect(left[header: "Location"] == "/sign-in#unreachable")
        }
    }

    /// A provider that does not answer would keep them waiting.
    @Test func `whoever came in by a password does not ask the provider`() async throws {
        try await ProviderScene.with { scene in
            let ada = try await scene.gateway.person("ada@example.org")
            #expect(try await Self.offers(scene, ada) == false)
            #expect(scene.provider.count(of: "/.well-known/openid-configuration") == 0)
        }
    }

    @Test func `the provider's word ends what it opened, and nothing else`() async throws {
        try await ProviderScene.with { scene in
            let (provider, gateway) = (scene.provider, scene.gateway)
            let (ada, ben) = (try await gateway.person("ada@example.org"), try await gateway.person("ben@example.org"))
            try await scene.link(ada)
            provider.change { $0.claims = ["sid": "house-7"] }
            let (phone, desk) = (try await scene.person(scene.signIn()), try await scene.person(scene.signIn()))
            provider.change { $0.claims = ["sid": "house-8"] }
            let tablet = try await scene.person(scene.signIn())
            provider.change { ($0.subject, $0.claims) = ("s-2", [:]) }
            try await scene.link(ben)
            let bens = try await scene.person(scene.signIn())
            provider.change { $0.subject = "s-1" }

            func say(_ token: String) async throws -> Int {
                try await gateway.request(
                    .POST, "/oidc/back-channel-logout",
                    body: Array("logout_token=\(token)".utf8),
                    headers: ["Content-Type": "application/x-www-form-urlencoded"]
                ).status
            }
            func living(_ people: GatewayUnderTest.Person...) async throws -> [Bool] {
                var found: [Bool] = []
                for person in people {
                    found.append(try await gateway.request(.GET, "/api/v1/account", person).status == 200)
                }
                return found
            }
            for token in ["x", provider.logout(["aud": "other"]), provider.logout(["nonce": "n"])] {
                #expect(try await say(token) == 400)
            }
            // Another's session of the same name is another's.
            #expect(try await say(provider.logout(["sub": "s-2", "sid": "house-7"])) == 204)
            // One of long ago: what began since goes on.
            let past = JSON.integer(Int64(Date().timeIntervalSince1970) - 3600)
            #expect(try await say(provider.logout(["iat": past])) == 204)
            #expect(try await living(phone, desk, tablet, ada, bens) == [true, true, true, true, true])
            #expect(try await say(provider.logout(["sub": .some(nil), "sid": "house-7"])) == 204)
            #expect(try await living(phone, desk, tablet, ada, bens) == [false, false, true, true, true])
            #expect(try await say(provider.logout()) == 204)
            #expect(try await living(tablet, ada, bens) == [false, true, true], "who came in by a password stays in")
            #expect(try await say(provider.logout()) == 204, "the same answer, whoever is signed in")
            #expect(
                try await gateway.ask(
                    """
                    SELECT string_agg(concat_ws(' ', e.actor, a.email), ', ' ORDER BY e.entry_id)
                    FROM audit_entry e JOIN account a ON a.account_id = e.account_id
                    WHERE e.action = 'session.end'
                    """) == "system ada@example.org, system ada@example.org, system ada@example.org",
                "each is in the person's log")
        }
    }
}
