import Crypto
import Foundation
import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// Signing in by the house's provider: who gets in, and what is told to whoever does not.
@Suite(.timeLimit(.minutes(5))) struct SignInByProviderTests {
    typealias Wishes = ProviderScene.Wishes

    @Test func `whoever is linked gets in, by issuer and subject alone`() async throws {
        try await ProviderScene.with { scene in
            let (provider, gateway) = (scene.provider, scene.gateway)
            // Nobody is linked: an address that fits opens nothing.
            let ada = try await gateway.person("ada@example.org")
            #expect(try await scene.signIn()[header: "Location"] == "/sign-in#noAccount")
            try await scene.link(ada)
            let reply = try await scene.signIn(client: "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e")
            #expect(reply.status == 303 && reply[header: "Location"] == "/signed-in", "\(reply.headers)")
            #expect(reply.headers["Set-Cookie"].contains { $0.hasPrefix("\(ProviderScene.cookieName)=;") })
            #expect(try await scene.person(reply).account == ada.account)
            let stored = try await gateway.ask(
                "SELECT client_id, provider_session IS NULL FROM session WHERE identity_id IS NOT NULL")
            #expect(stored == "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e|t")
            // Another address changes nothing; another subject is somebody else, whatever their address.
            provider.change { $0.claims = ["email": "new@example.org", "sid": "house-7"] }
            #expect(try await scene.person(scene.signIn()).account == ada.account)
            #expect(try await gateway.ask("SELECT count(*) FROM session WHERE provider_session = 'house-7'") == "1")
            provider.change { ($0.claims, $0.subject) = ([:], "s-2") }
            #expect(try await scene.signIn()[header: "Location"] == "/sign-in#noAccount")
            let events = try await gateway.request(.GET, "/api/v1/account/events", ada)
            let kinds = events.json?["items"]?.array?.compactMap { $0["kind"]?.string } ?? []
            #expect(kinds.contains("identityLinked") && kinds.count { $0 == "signedIn" } >= 2, "\(kinds)")
        }
    }

    @Test func `what comes back is bound to the browser that left, and comes once`() async throws {
        try await ProviderScene.with { scene in
            let ada = try await scene.gateway.person("ada@example.org")
            try await scene.link(ada)
            let lost = "/sign-in#lost"
            let (mine, thief) = (try await scene.leave(), try await scene.leave())
            // A code of one's own, in somebody else's browser: login CSRF.
            let code = scene.provider.code(for: thief.query)
            #expect(try await scene.comeBack(thief, code: code, cookie: "a=b")[header: "Location"] == lost)
            #expect(try await scene.comeBack(thief, code: code, cookie: mine.cookie)[header: "Location"] == lost)
            #expect(try await scene.comeBack(mine, code: code, state: "other")[header: "Location"] == lost)
            // A cookie that was changed on the way.
            let changed = String(mine.cookie.dropLast(4)) + "AAAA"
            #expect(try await scene.comeBack(mine, code: code, cookie: changed)[header: "Location"] == lost)
            #expect(scene.provider.count(of: "/token") == 1, "only the link was exchanged")
            // Somebody else's code, injected into one's own departure: the verifier does not fit.
            let injected = try await scene.comeBack(mine, code: code)
            #expect(injected[header: "Location"] == "/sign-in#refused")
            // And the departure is over, also for a code that would fit.
            #expect(try await scene.comeBack(mine)[header: "Location"] == lost)
            let again = try await scene.leave()
            #expect(try await scene.comeBack(again)[header: "Location"] == "/signed-in")
            #expect(try await scene.comeBack(again)[header: "Location"] == lost)
            let denied = try await scene.leave()
            let reply = try await scene.gateway.request(
                .GET, "/oidc/callback?error=access_denied&error_description=no&state=\(denied.state)",
                headers: ["Cookie": denied.cookie])
            #expect(reply[header: "Location"] == "/sign-in#declined")
        }
    }

    /// Each is well signed, or looks so.
    @Test func `a token that does not hold lets nobody in`() async throws {
        try await ProviderScene.with { scene in
            let provider = scene.provider
            try await scene.link(scene.gateway.person("ada@example.org"))
            let past = JSON.integer(Int64(Date().timeIntervalSince1970) - 7200)
            let claims: [[String: JSON?]] = [
                ["aud": "other"], ["aud": ["aqua", "other"]], ["azp": "other"], ["iss": "https://evil.example"],
                ["exp": past], ["nonce": "one of before"], ["nonce": .some(nil)], ["at_hash": "AAAA"],
                ["sub": .some(nil)],
            ]
            for changes in claims {
                provider.change { $0.claims = changes }
                #expect(try await scene.signIn()[header: "Location"] == "/sign-in#refused", "\(changes)")
            }
            provider.change { $0.claims = [:] }
            for header: [String: JSON] in [
                ["alg": "none"], ["alg": "HS256", "kid": "k1"], ["alg": "RS256", "kid": "k1"],
            ] {
                provider.change { $0.header = header }
                #expect(try await scene.signIn()[header: "Location"] == "/sign-in#refused", "\(header)")
            }
            provider.change { $0.header = ["alg": "ES256", "kid": "k1"] }
            // The name of the provider's key, and another's signature.
            provider.change { state in
                state.keys = ["keys": [FakeProvider.key(state.key.publicKey)]]
                state.key = .init()
            }
            #expect(try await scene.signIn()[header: "Location"] == "/sign-in#refused")
            #expect(try await scene.gateway.ask("SELECT count(*) FROM session WHERE identity_id IS NOT NULL") == "0")
        }
    }

    @Test func `another provider's answer is not brought to this one`() async throws {
        try await ProviderScene.with { scene in
            scene.provider.change { $0.description = ["authorization_response_iss_parameter_supported": true] }
            let without = try await scene.leave()
            #expect(try await scene.comeBack(without)[header: "Location"] == "/sign-in#refused")
            let evil = try await scene.leave()
            let mixed = try await scene.comeBack(evil, more: "&iss=https%3A%2F%2Fevil.example")
            #expect(mixed[header: "Location"] == "/sign-in#refused")
            #expect(scene.provider.count(of: "/token") == 0)
            let right = try await scene.leave()
            let issuer = percentEncoded(scene.provider.origin)
            let reply = try await scene.comeBack(right, more: "&iss=\(issuer)&session_state=x&scope=openid")
            #expect(reply[header: "Location"] == "/sign-in#noAccount")
        }
    }

    @Test func `the group is looked for at each sign-in, in the token and in userinfo`() async throws {
        try await ProviderScene.with(Wishes(signsUp: true, group: "keepers")) { scene in
            let provider = scene.provider
            for claims: [String: JSON?] in [["groups": ["others"]], ["groups": "keepers-of-bees"], ["groups": []]] {
                provider.change { $0.claims = claims }
                let refused = try await scene.signIn()
                #expect(refused[header: "Location"] == "/sign-in#notInGroup", "\(claims)")
            }
            // Not in the token, and userinfo knows nothing either; or is about somebody else.
            provider.change { ($0.claims, $0.userInfo) = ([:], ["sub": "s-1"]) }
            #expect(try await scene.signIn()[header: "Location"] == "/sign-in#notInGroup")
            provider.change { $0.userInfo = ["sub": "s-9", "groups": ["keepers"]] }
            #expect(try await scene.signIn()[header: "Location"] == "/sign-in#refused")
            #expect(try await scene.gateway.ask("SELECT count(*) FROM account") == "0")
            provider.change { $0.userInfo = ["sub": "s-1", "groups": ["others", "keepers"]] }
            #expect(try await scene.signIn()[header: "Location"] == "/signed-in")
            provider.change { $0.claims = ["groups": ["others"]] }
            #expect(try await scene.signIn()[header: "Location"] == "/sign-in#notInGroup")
        }
    }

    @Test func `an account is opened for an address that the provider vouches for, and taken over by nobody`()
        async throws
    {
        try await ProviderScene.with(Wishes(signsUp: true)) { scene in
            let (provider, gateway) = (scene.provider, scene.gateway)
            provider.change { $0.claims = ["email_verified": false] }
            #expect(try await scene.signIn()[header: "Location"] == "/sign-in#noAddress")
            let ada = try await gateway.person("ada@example.org")
            provider.change { $0.claims = [:] }
            #expect(try await scene.signIn()[header: "Location"] == "/sign-in#taken")
            #expect(try await gateway.ask("SELECT count(*) FROM account_identity") == "0")
            provider.change { $0.claims = ["email": "Ben@Example.org"] }
            let ben = try await scene.person(scene.signIn())
            #expect(ben.email == "ben@example.org" && ben.account != ada.account)
            let ways = try await gateway.request(.GET, "/api/v1/account/identities", ben)
            #expect(ways.json?["hasPassword"] == .bool(false))
            #expect(ways.json?["identities"]?[0]?["name"]?.string == "Ben@Example.org")
            #expect(ways.json?["identities"]?[0]?["isInUse"] == .bool(true))
            // Without a password nobody gets in by one, the empty one neither.
            #expect(try await signInReply(gateway, "ben@example.org").code == "wrong-credentials")
            let export = try await gateway.database.sql("SELECT count(*) FROM account WHERE password_hash IS NULL")
            #expect(export.hasPrefix("1"))
        }
    }

    @Test func `a provider that is slow, floods or redirects is waited for no longer than it may take`() async throws {
        try await ProviderScene.with(Wishes(limit: .milliseconds(500))) { scene in
            let (provider, path) = (scene.provider, "/.well-known/openid-configuration")
            let unreachable = "/sign-in#unreachable"
            func left() async throws -> String? {
                try await scene.gateway.request(.GET, "/oidc/sign-in")[header: "Location"]
            }
            let elsewhere = WebhookSink.Answer.status(302, location: "http://169.254.169.254/")
            for answer in [.hang, .status(500), elsewhere, .close, .stall] as [WebhookSink.Answer] {
                provider.change { $0.answers = [path: answer] }
                let location = try await left()
                #expect(location == unreachable || location == "/sign-in#refused", "\(answer)")
            }
            provider.change { $0.answers = [path: .flood(bytes: 1 << 20)] }
            #expect(try await left() == "/sign-in#refused")
            provider.change { $0.answers = [path: .body("{\"issuer\":\"https://evil.example\"}")] }
            #expect(try await left() == "/sign-in#refused")
            // Nothing of that was kept.
            provider.change { $0.answers = [:] }
            try await scene.link(scene.gateway.person("ada@example.org"))
            let asked = provider.count(of: path)
            provider.change { $0.answers = ["/token": .hang] }
            #expect(try await scene.signIn()[header: "Location"] == unreachable)
            provider.change { $0.answers = ["/token": .body("{}")] }
            #expect(try await scene.signIn()[header: "Location"] == "/sign-in#refused")
            provider.change { $0.answers = [:] }
            #expect(try await scene.signIn()[header: "Location"] == "/signed-in")
            #expect(provider.count(of: path) == asked, "it is read once an hour")
        }
    }

    @Test func `a new key is asked for, a made-up one at most once a minute`() async throws {
        try await ProviderScene.with { scene in
            let provider = scene.provider
            // A set that is far too long is no set.
            provider.change { $0.answers = ["/keys": .flood(bytes: 1 << 20)] }
            let flooded = try await scene.signIn()
            #expect(flooded[header: "Location"] == "/sign-in#refused")
            provider.change { $0.answers = [:] }
            #expect(try await scene.signIn()[header: "Location"] == "/sign-in#noAccount")
            let asked = provider.count(of: "/keys")
            for name in 0..<5 {
                provider.change { $0.header = ["alg": "ES256", "kid": .string("made-up-\(name)")] }
                #expect(try await scene.signIn()[header: "Location"] == "/sign-in#refused")
            }
            #expect(provider.count(of: "/keys") == asked)
        }
    }

    @Test func `nobody is led to the provider by another site`() async throws {
        try await ProviderScene.with { scene in
            let reply = try await scene.gateway.request(
                .GET, "/oidc/sign-in", headers: ["Sec-Fetch-Site": "cross-site"])
            #expect(reply.code == "cross-origin" && reply.headers["Set-Cookie"].isEmpty)
            _ = try await scene.leave(headers: ["Sec-Fetch-Site": "same-origin"])
            #expect(try await scene.gateway.request(.GET, "/api/v1/service").json?["provider"]?.string == "Koi Club")
        }
        try await GatewayUnderTest.with { gateway in
            for path in ["/oidc/sign-in", "/oidc/callback?code=a&state=b"] {
                #expect(try await gateway.request(.GET, path).status == 404)
            }
            #expect(try await gateway.request(.GET, "/api/v1/service").json?["provider"] == .null)
            let ada = try await gateway.person()
            #expect(try await gateway.request(.POST, "/api/v1/account/identities", ada).code == "no-provider")
        }
    }
}
