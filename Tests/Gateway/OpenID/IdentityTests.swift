import Foundation
import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// Identities of a person: linked from within, never the last way in, and what a fresh session is without a password.
@Suite(.timeLimit(.minutes(5))) struct IdentityTests {
    typealias Wishes = ProviderScene.Wishes

    private static func identity(_ scene: ProviderScene, _ person: GatewayUnderTest.Person) async throws -> String {
        try await scene.gateway.ask("SELECT identity_id FROM account_identity WHERE account_id = \(person.account)")
    }

    @Test func `linking is asked for in a fresh session, and is the person's who asked`() async throws {
        try await ProviderScene.with { scene in
            let gateway = scene.gateway
            let (ada, ben) = (try await gateway.person("ada@example.org"), try await gateway.person("ben@example.org"))
            // Ben's browser brings back what Ada has begun: his has left for nothing.
            let departed = try await scene.leave("/account/identities", ada)
            let bens = try await scene.leave("/account/identities", ben)
            #expect(
                try await scene.comeBack(departed, cookie: bens.cookie)[header: "Location"] == "/settings/account#lost")
            try await scene.link(ada)
            try await scene.link(ada)
            #expect(try await gateway.ask("SELECT count(*) FROM account_identity") == "1")
            let taken = try await scene.comeBack(scene.leave("/account/identities", ben))
            #expect(taken[header: "Location"] == "/settings/account#linkedElsewhere")
            // Five, and no more.
            for number in 2...6 {
                scene.provider.change { $0.subject = "s-\(number)" }
                let reply = try await scene.comeBack(scene.leave("/account/identities", ada))
                let outcome = number < 6 ? "linked" : "full"
                #expect(reply[header: "Location"] == "/settings/account#\(outcome)")
            }
            // A session that has ended meanwhile links nothing.
            scene.provider.change { $0.subject = "s-7" }
            let late = try await scene.leave("/account/identities", ben)
            try await gateway.database.sql(
                "UPDATE session SET ended_at = now(), ended_because = 'signedOut' WHERE session_id = '\(ben.session)'")
            #expect(try await scene.comeBack(late)[header: "Location"] == "/settings/account#ended")
            try await gateway.age()
            let stale = try await gateway.request(.POST, "/api/v1/account/identities", ada)
            #expect(stale.code == "password-needed")
        }
    }

    @Test func `what is unlinked lets nobody in, and ends what it had opened`() async throws {
        try await ProviderScene.with { scene in
            let gateway = scene.gateway
            let ada = try await gateway.person("ada@example.org")
            try await scene.link(ada)
            let elsewhere = try await scene.person(scene.signIn())
            let path = "/api/v1/account/identities/\(try await Self.identity(scene, ada))"
            #expect(try await gateway.request(.DELETE, path, gateway.person("ben@example.org")).status == 404)
            #expect(try await gateway.request(.DELETE, path, ada).status == 204)
            #expect(try await gateway.request(.GET, "/api/v1/account", elsewhere).status == 401)
            #expect(try await gateway.request(.GET, "/api/v1/account", ada).status == 200)
            #expect(try await scene.signIn()[header: "Location"] == "/sign-in#noAccount")
            #expect(try await gateway.request(.DELETE, path, ada).status == 404)
        }
    }

    @Test func `the last way in stays, until there is another`() async throws {
        try await ProviderScene.with(Wishes(signsUp: true)) { scene in
            let gateway = scene.gateway
            scene.provider.change { $0.claims = ["auth_time": .integer(Int64(Date().timeIntervalSince1970))] }
            let ada = try await scene.person(scene.signIn())
            let path = "/api/v1/account/identities/\(try await Self.identity(scene, ada))"
            #expect(try await gateway.request(.DELETE, path, ada).code == "last-way-in")
            // The first password, of somebody who has just proven who they are.
            let password: JSON = ["newPassword": "a heron stands at the weir"]
            #expect(try await gateway.request(.PUT, "/api/v1/account/password", ada, json: password).status == 204)
            let second = try await gateway.request(.PUT, "/api/v1/account/password", ada, json: password)
            #expect(second.code == "wrong-password", "whoever has one gives it: \(second.text)")
            #expect(try await gateway.request(.DELETE, path, ada).status == 204)
            #expect(try await signInReply(gateway, ada.email, password: "a heron stands at the weir").status == 201)
        }
    }

    @Test func `a session is fresh when the provider says that the person has just proven themselves`() async throws {
        try await ProviderScene.with(Wishes(signsUp: true)) { scene in
            let gateway = scene.gateway
            let now = Int64(Date().timeIntervalSince1970)
            let token: JSON = ["name": "x", "scope": "read"]
            // Let in without being asked, or asked long ago.
            for claims: [String: JSON?] in [[:], ["auth_time": .integer(now - 3600)]] {
                scene.provider.change { $0.claims = claims }
                let person = try await scene.person(scene.signIn())
                #expect(
                    try await gateway.request(.POST, "/api/v1/tokens", person, json: token).code == "password-needed")
            }
            let ada = try await scene.person(scene.signIn())
            let proof: JSON = ["path": "/settings/account"]
            func prove(_ claims: [String: JSON?], subject: String = "s-1") async throws -> String? {
                scene.provider.change { ($0.claims, $0.subject) = (claims, subject) }
                let departed = try await scene.leave("/sessions/proof/provider", ada, json: proof)
                #expect(departed.query["prompt"] == "login" && departed.query["max_age"] == "60")
                return try await scene.comeBack(departed)[header: "Location"]
            }
            #expect(try await prove([:]) == "/settings/account#notRecent")
            #expect(try await prove(["auth_time": .integer(now - 3600)]) == "/settings/account#notRecent")
            #expect(
                try await prove(["auth_time": .integer(now + 3)], subject: "s-2") == "/settings/account#otherPerson")
            #expect(try await gateway.request(.POST, "/api/v1/tokens", ada, json: token).code == "password-needed")
            #expect(try await prove(["auth_time": .integer(now + 3)]) == "/settings/account")
            #expect(try await gateway.request(.POST, "/api/v1/tokens", ada, json: token).status == 201)
            let elsewhere: JSON = ["path": "//evil.example"]
            let refused = try await gateway.request(.POST, "/api/v1/sessions/proof/provider", ada, json: elsewhere)
            #expect(refused.status == 422, "\(refused.text)")
        }
    }

    @Test func `an account without a password is closed in a fresh session, and nothing is left of its identity`()
        async throws
    {
        try await ProviderScene.with(Wishes(signsUp: true)) { scene in
            let gateway = scene.gateway
            let ada = try await scene.person(scene.signIn())
            let stale = try await gateway.request(.POST, "/api/v1/account/close", ada, json: [:])
            #expect(stale.code == "password-needed", "\(stale.text)")
            scene.provider.change { $0.claims = ["auth_time": .integer(Int64(Date().timeIntervalSince1970))] }
            let fresh = try await scene.person(scene.signIn())
            #expect(try await gateway.request(.POST, "/api/v1/account/close", fresh, json: [:]).status == 200)
            let left = "SELECT (SELECT count(*) FROM account_identity) + (SELECT count(*) FROM account_event)"
            #expect(try await gateway.ask(left) == "0")
            // Whoever has a password gives it.
            let ben = try await gateway.person("ben@example.org")
            #expect(try await gateway.request(.POST, "/api/v1/account/close", ben, json: [:]).code == "wrong-password")
        }
    }

    @Test func `what a session linked is shown, and goes with it when it is taken back`() async throws {
        try await ProviderScene.with { scene in
            let gateway = scene.gateway
            let ada = try await gateway.person("ada@example.org")
            let thief = try await signIn(gateway, ada.email)
            let asThief = GatewayUnderTest.Person(
                account: ada.account, email: ada.email, session: ada.session, token: thief.accessToken)
            try await scene.link(asThief)
            let inside = try await scene.person(scene.signIn())
            let path = "/api/v1/sessions/\(thief.session)"
            let made = try await gateway.request(.GET, "\(path)/made", ada)
            #expect(made.json?.array?.compactMap { $0["kind"]?.string } == ["identity"], "\(made.text)")
            #expect(try await gateway.request(.POST, "\(path)/undo", ada).status == 204)
            #expect(try await gateway.request(.GET, "/api/v1/account", inside).status == 401)
            #expect(try await scene.signIn()[header: "Location"] == "/sign-in#noAccount")
        }
    }

    @Test func `what follows from a session goes with it, and cannot take it back itself`() async throws {
        try await ProviderScene.with { scene in
            let gateway = scene.gateway
            let ada = try await gateway.person("ada@example.org")
            let thief = try await signIn(gateway, ada.email)
            let asThief = GatewayUnderTest.Person(
                account: ada.account, email: ada.email, session: ada.session, token: thief.accessToken)
            try await scene.link(asThief)
            scene.provider.change { $0.claims = ["auth_time": .integer(Int64(Date().timeIntervalSince1970))] }
            let second = try await scene.person(scene.signIn())
            // Another identity is linked in the session that the first one opened, and the first one is taken away.
            scene.provider.change { $0.subject = "s-2" }
            try await scene.link(second)
            try await gateway.database.sql("DELETE FROM account_identity WHERE subject = 's-1'")
            let third = try await scene.person(scene.signIn())
            let path = "/api/v1/sessions/\(thief.session)"
            let refused = try await gateway.request(.POST, "\(path)/undo", third)
            #expect(refused.code == "session-follows", "\(refused.text)")
            #expect(try await gateway.request(.POST, "\(path)/undo", ada).status == 204)
            for gone in [second, third] {
                #expect(try await gateway.request(.GET, "/api/v1/account", gone).status == 401)
            }
            #expect(try await gateway.ask("SELECT count(*) FROM account_identity") == "0")
            #expect(try await scene.signIn()[header: "Location"] == "/sign-in#noAccount")
        }
    }

    @Test func `where the house takes no passwords, the operator makes a way back in`() async throws {
        try await ProviderScene.with(Wishes(takesPasswords: false)) { scene in
            let gateway = scene.gateway
            let ada = try await gateway.person("ada@example.org")
            try await scene.link(ada)
            // Right or wrong: the answer is the same.
            #expect(try await signInReply(gateway, ada.email).code == "passwords-off")
            #expect(try await signInReply(gateway, ada.email, password: "another").code == "passwords-off")
            #expect(try await signInReply(gateway, "nobody@example.org").code == "passwords-off")
            #expect(try await gateway.prove(ada).code == "passwords-off")
            let account: JSON = ["email": "ben@example.org", "password": "a heron stands at the weir"]
            #expect(try await gateway.request(.POST, "/api/v1/accounts", json: account).code == "passwords-off")
            let reset: JSON = ["email": .string(ada.email)]
            #expect(try await gateway.request(.POST, "/api/v1/password-resets", json: reset).code == "passwords-off")
            let service = try await gateway.request(.GET, "/api/v1/service")
            #expect(service.json?["takesPasswords"] == .bool(false) && service.json?["signUp"]?.string == "closed")
            // The password, which lets nobody in, is no other way in.
            let path = "/api/v1/account/identities/\(try await Self.identity(scene, ada))"
            #expect(try await gateway.request(.DELETE, path, ada).code == "last-way-in")
            try await gateway.database.sql("UPDATE account SET password_until = now() + interval '1 hour'")
            #expect(try await signInReply(gateway, ada.email, password: "another").code == "passwords-off")
            #expect(try await signInReply(gateway, ada.email).status == 201)
            #expect(try await gateway.prove(ada).status == 204)
            try await gateway.database.sql("UPDATE account SET password_until = now() - interval '1 s'")
            #expect(try await signInReply(gateway, ada.email).code == "passwords-off")
            #expect(try await scene.signIn()[header: "Location"] == "/signed-in")
        }
    }
}
