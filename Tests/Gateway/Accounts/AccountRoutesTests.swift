import NIOHTTP1
import Routes
import Secrets
import ServiceKit
import TestSupport
import Testing

@testable import Gateway

@Suite struct AccountRoutesTests {
    private static let password = GatewayUnderTest.Person.password

    private static func signUp(
        _ gateway: GatewayUnderTest, _ email: String, password: String = password, invitation: String? = nil
    ) async throws -> GatewayUnderTest.Reply {
        var body: [JSON.Member] = [.init("email", .string(email)), .init("password", .string(password))]
        if let invitation { body.append(.init("invitation", .string(invitation))) }
        return try await gateway.request(.POST, "/api/v1/accounts", json: .object(body))
    }

    @Test func `an address that has an account is answered like a fresh one`() async throws {
        try await GatewayUnderTest.with { gateway in
            let fresh = try await Self.signUp(gateway, "Ada@Example.org")
            #expect(fresh.status == 202)
            let hash = try await gateway.ask("SELECT password_hash FROM account")
            let known = try await Self.signUp(gateway, "ada@example.org", password: "another long password")
            #expect(known.status == fresh.status)
            #expect(known.body == fresh.body)
            let names = { (reply: GatewayUnderTest.Reply) in
                Set(reply.headers.map { $0.name.lowercased() })
            }
            #expect(names(known) == names(fresh))
            #expect(try await gateway.ask("SELECT password_hash FROM account") == hash)
        }
    }

    @Test func `weak passwords and bad inputs are named`() async throws {
        try await GatewayUnderTest.with { gateway in
            for (password, code) in [
                ("tiny words", "too-short"), ("aaaaaaaaaaaaaaaaaa", "password-repetition"),
                ("Password1234567!", "password-guessed-first"), ("ada@example.org!!", "password-email-address"),
            ] {
                let reply = try await Self.signUp(gateway, "ada@example.org", password: password)
                #expect(reply.status == 422)
                #expect(reply.json?["errors"]?[0]?["pointer"]?.string == "/password")
                #expect(reply.json?["errors"]?[0]?["code"]?.string == code)
                #expect(!reply.text.contains(password))
            }
            #expect(try await Self.signUp(gateway, "nobody").status == 422)
            let zone = try await gateway.request(
                .POST, "/api/v1/accounts",
                json: ["email": "ada@example.org", "password": .string(Self.password), "timeZone": "Mars/Olympus"])
            #expect(zone.json?["errors"]?[0]?["code"]?.string == "unknown-time-zone")
            #expect(try await gateway.ask("SELECT count(*) FROM account") == "0")
        }
    }

    @Test func `an invitation opens one account`() async throws {
        try await GatewayUnderTest.with(
            GatewayUnderTest.adjusting { $0.signUp = .invitation }
        ) { gateway in
            let token = SignUpInvitation.generate()
            let hash = token.hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            try await gateway.database.sql(
                """
                INSERT INTO account_invitation (token_hash, email, expires_at)
                VALUES ('\\x\(hash)', 'ada@example.org', now() + interval '1 day')
                """)
            #expect(try await Self.signUp(gateway, "ada@example.org").status == 422)
            for (email, invitation) in [
                ("eve@example.org", token.text), ("ada@example.org", SignUpInvitation.generate().text),
                ("ada@example.org", "aqi_nonsense"),
            ] {
                let refused = try await Self.signUp(gateway, email, invitation: invitation)
                #expect(refused.status == 403)
                #expect(refused.code == "invitation-not-valid")
            }
            let look: JSON = ["invitation": .string(token.text)]
            let before = try await gateway.request(.POST, "/api/v1/accounts/invitation", json: look)
            #expect(before.json?["isValid"] == .bool(true))
            #expect(before.json?["email"]?.string == "ada@example.org")
            #expect(try await Self.signUp(gateway, "ada@example.org", invitation: token.text).status == 202)
            let after = try await gateway.request(.POST, "/api/v1/accounts/invitation", json: look)
            #expect(after.json?["isValid"] == .bool(false))
            #expect(after.json?["email"] == .null)
            #expect(try await gateway.ask("SELECT string_agg(email, ',') FROM account") == "ada@example.org")
        }
    }

    @Test func `nobody signs up where that is closed`() async throws {
        try await GatewayUnderTest.with(GatewayUnderTest.adjusting { $0.signUp = .closed }) { gateway in
            let reply = try await Self.signUp(gateway, "ada@example.org")
            #expect(reply.status == 403)
            #expect(reply.code == "sign-up-closed")
        }
    }

    @Test func `each person is shown their own account`() async throws {
        try await GatewayUnderTest.with { gateway in
            let ada = try await gateway.person("ada@example.org", locale: "ja")
            let eve = try await gateway.person("eve@example.org")
            let shown = try await gateway.request(.GET, "/api/v1/account", ada)
            #expect(shown.json?["email"]?.string == "ada@example.org")
            #expect(shown.json?["language"]?.string == "ja")
            #expect(try await gateway.request(.GET, "/api/v1/account", eve).json?["email"]?.string == "eve@example.org")
            #expect(!shown.text.contains("scrypt"))
        }
    }

    @Test func `another password ends the other sessions`() async throws {
        try await GatewayUnderTest.with { gateway in
            let ada = try await gateway.person("ada@example.org")
            let other = try await signIn(gateway, "ada@example.org")
            let eve = try await signIn(gateway, (try await gateway.person("eve@example.org")).email)
            let fresh = "an entirely new sentence"
            func change(_ current: String, _ next: String) async throws -> GatewayUnderTest.Reply {
                try await gateway.request(
                    .PUT, "/api/v1/account/password", ada,
                    json: ["currentPassword": .string(current), "newPassword": .string(next)])
            }
            let wrong = try await change("not the password at all", fresh)
            #expect(wrong.status == 403)
            #expect(wrong.code == "wrong-password")
            #expect(try await change(Self.password, "aaaaaaaaaaaaaaaaaa").status == 422)
            #expect(try await gateway.request(.GET, "/api/v1/account", token: other.accessToken).status == 200)

            #expect(try await change(Self.password, fresh).status == 204)
            #expect(try await gateway.request(.GET, "/api/v1/account", ada).status == 200)
            #expect(try await gateway.request(.GET, "/api/v1/account", token: other.accessToken).status == 401)
            #expect(try await gateway.request(.GET, "/api/v1/account", token: eve.accessToken).status == 200)
            #expect(try await signInReply(gateway, "ada@example.org").status == 401)
            #expect(try await signInReply(gateway, "ada@example.org", password: fresh).status == 201)
        }
    }

    @Test func `another password stops the alerts of clients that it signs out`() async throws {
        try await GatewayUnderTest.with { gateway in
            let ada = try await gateway.person("ada@example.org")
            let client = "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e"
            _ = try await signIn(gateway, "ada@example.org", client: client)
            try await gateway.database.sql(
                """
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret, client_id) VALUES
                    (nextval('endpoint_id'), \(ada.account), 'webhook', 'https://phone.example/', '\\x00', '\(client)'),
                    (nextval('endpoint_id'), \(ada.account), 'webhook', 'https://house.example/', '\\x00', NULL)
                """)
            let changed = try await gateway.request(
                .PUT, "/api/v1/account/password", ada,
                json: ["currentPassword": .string(Self.password), "newPassword": "an entirely new sentence"])
            #expect(changed.status == 204)
            let usable = "SELECT string_agg(target, ' ' ORDER BY target) FROM usable_endpoint"
            #expect(try await gateway.ask(usable) == "https://house.example/")
        }
    }
}
