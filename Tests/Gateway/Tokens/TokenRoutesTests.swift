import NIOHTTP1
import Routes
import Secrets
import TestSupport
import Testing

@testable import Gateway

@Suite struct TokenRoutesTests {
    private static func create(
        _ gateway: GatewayUnderTest, _ person: GatewayUnderTest.Person, scope: String, expiresAt: String? = nil
    ) async throws -> GatewayUnderTest.Reply {
        try await gateway.request(
            .POST, "/api/v1/tokens", person,
            json: [
                "name": "Home Assistant", "scope": .string(scope), "expiresAt": expiresAt.map { .string($0) } ?? .null,
            ])
    }

    @Test func `a token is shown once, acts for its person, and is revoked`() async throws {
        try await GatewayUnderTest.with { gateway in
            let ada = try await gateway.person("ada@example.org")
            let eve = try await gateway.person("eve@example.org")
            let created = try await Self.create(gateway, ada, scope: "read")
            #expect(created.status == 201)
            let token = try #require(created.json?["token"]?.string)
            let id = try #require(created.json?["details"]?["id"]?.string)
            #expect(PersonalToken(token) != nil)
            #expect(created[header: "Location"] == "/api/v1/tokens/\(id)")
            let shown = try await gateway.request(.GET, "/api/v1/account", token: token)
            #expect(shown.json?["email"]?.string == "ada@example.org")

            let listed = try await gateway.request(.GET, "/api/v1/tokens", ada)
            #expect(!listed.text.contains(token))
            #expect(listed.json?[0]?["lastFour"]?.string == String(token.suffix(4)))
            #expect(listed.json?[0]?["usedOn"]?.string?.hasSuffix("T00:00:00Z") == true)
            #expect(try await gateway.request(.GET, "/api/v1/tokens", eve).json?.array?.isEmpty == true)

            #expect(try await gateway.request(.DELETE, "/api/v1/tokens/\(id)", eve).status == 404)
            #expect(try await gateway.request(.GET, "/api/v1/account", token: token).status == 200)
            #expect(try await gateway.request(.DELETE, "/api/v1/tokens/\(id)", ada).status == 204)
            #expect(try await gateway.request(.GET, "/api/v1/account", token: token).status == 401)
            #expect(try await gateway.request(.DELETE, "/api/v1/tokens/\(id)", ada).status == 404)
            #expect(!"\(gateway.log.lines)".contains(token))
        }
    }

    @Test func `no token manages tokens, sessions or the password`() async throws {
        try await GatewayUnderTest.with { gateway in
            let ada = try await gateway.person("ada@example.org")
            let token = try await gateway.personalToken(ada, scope: "write")
            let password = JSON.string(GatewayUnderTest.Person.password)
            for reply in [
                try await gateway.request(.GET, "/api/v1/tokens", token: token),
                try await gateway.request(.POST, "/api/v1/tokens", token: token, json: ["name": "x", "scope": "read"]),
                try await gateway.request(.GET, "/api/v1/sessions", token: token),
                try await gateway.request(.DELETE, "/api/v1/sessions", token: token),
                try await gateway.request(.DELETE, "/api/v1/sessions/\(ada.session)", token: token),
                try await gateway.request(
                    .PUT, "/api/v1/account/password", token: token,
                    json: ["currentPassword": password, "newPassword": "an entirely new sentence"]),
            ] {
                #expect(reply.status == 403)
                #expect(reply.code == "insufficient-scope")
            }
            #expect(try await gateway.request(.GET, "/api/v1/account", ada).status == 200)
        }
    }

    @Test func `an expired token is refused, and none expires at once`() async throws {
        try await GatewayUnderTest.with { gateway in
            let ada = try await gateway.person("ada@example.org")
            let past = try await Self.create(gateway, ada, scope: "read", expiresAt: "2020-01-01T00:00:00Z")
            #expect(past.status == 422)
            #expect(past.json?["errors"]?[0]?["code"]?.string == "not-future")
            let created = try await Self.create(gateway, ada, scope: "read", expiresAt: "2099-01-01T00:00:00Z")
            let token = try #require(created.json?["token"]?.string)
            #expect(try await gateway.request(.GET, "/api/v1/account", token: token).status == 200)
            try await gateway.database.sql(
                """
                UPDATE personal_token SET created_at = now() - interval '2 days', expires_at = now() - interval '1 day'
                """)
            #expect(try await gateway.request(.GET, "/api/v1/account", token: token).status == 401)
            let listed = try await gateway.request(.GET, "/api/v1/tokens", ada)
            #expect(listed.json?[0]?["hasExpired"] == .bool(true))
        }
    }
}
