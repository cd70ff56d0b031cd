import NIOHTTP1
import Routes
import Secrets
import Store
import TestSupport
import Testing

@testable import Gateway

@Suite struct SessionRoutesTests {
    private static func isLive(_ gateway: GatewayUnderTest, _ accessToken: String) async throws -> Bool {
        try await gateway.request(.GET, "/api/v1/account", token: accessToken).status == 200
    }

    @Test func `a wrong password and an unknown address look the same`() async throws {
        try await GatewayUnderTest.with { gateway in
            _ = try await gateway.person("ada@example.org")
            let wrong = try await signInReply(gateway, "ada@example.org", password: "not the password at all")
            let unknown = try await signInReply(gateway, "eve@example.org", password: "not the password at all")
            #expect(wrong.status == 401)
            #expect(wrong.code == "wrong-credentials")
            #expect(unknown.status == wrong.status)
            let parts = { (reply: GatewayUnderTest.Reply) in
                ["type", "title", "status", "detail", "code"].map { reply.json?[$0] }
            }
            #expect(parts(unknown) == parts(wrong))
            #expect(
                Set(unknown.headers.map { $0.name.lowercased() }) == Set(wrong.headers.map { $0.name.lowercased() }))
            #expect(try await gateway.ask("SELECT count(*) FROM refresh_token") == "0")
        }
    }

    @Test func `a person signs in, and the token is of their session`() async throws {
        try await GatewayUnderTest.with { gateway in
            _ = try await gateway.person("ada@example.org")
            let reply = try await signInReply(gateway, "ADA@example.org", headers: ["User-Agent": "Tank/1"])
            #expect(reply.status == 201)
            let tokens = try signedIn(reply)
            #expect(try await Self.isLive(gateway, tokens.accessToken))
            let client = try await gateway.ask("SELECT client FROM session WHERE session_id = '\(tokens.session)'")
            #expect(client == "Tank/1")
            // No stored text can sign anybody in.
            let stored = try await gateway.ask("SELECT encode(token_hash, 'escape') FROM refresh_token")
            #expect(!stored.contains(tokens.refreshToken))
            #expect(!"\(gateway.log.lines)".contains(tokens.refreshToken))
            #expect(!"\(gateway.log.lines)".contains(tokens.accessToken))
        }
    }

    @Test func `two tabs that renew at once both stay signed in`() async throws {
        try await GatewayUnderTest.with { gateway in
            _ = try await gateway.person("ada@example.org")
            let tokens = try await signIn(gateway, "ada@example.org")
            async let one = renew(gateway, tokens.refreshToken)
            async let other = renew(gateway, tokens.refreshToken)
            let (first, second) = (try signedIn(try await one), try signedIn(try await other))
            #expect(first.refreshToken == second.refreshToken)
            #expect(first.refreshToken != tokens.refreshToken)
            #expect(try await Self.isLive(gateway, first.accessToken))
            #expect(try await Self.isLive(gateway, second.accessToken))
            #expect(try await renew(gateway, first.refreshToken).status == 200)
        }
    }

    @Test func `a refresh token that comes back ends the session`() async throws {
        try await GatewayUnderTest.with { gateway in
            _ = try await gateway.person("ada@example.org")
            let tokens = try await signIn(gateway, "ada@example.org")
            let next = try signedIn(try await renew(gateway, tokens.refreshToken))
            // The token is used by another client, or later than ten seconds.
            let stolen = try await renew(gateway, tokens.refreshToken, headers: ["User-Agent": "Thief/1"])
            #expect(stolen.status == 401)
            #expect(stolen.code == "session-ended")
            #expect(try await !Self.isLive(gateway, next.accessToken))
            #expect(try await renew(gateway, next.refreshToken).status == 401)
            #expect(try await gateway.ask("SELECT ended_because FROM session WHERE ended_at IS NOT NULL") == "reused")

            let again = try await signIn(gateway, "ada@example.org")
            let later = try signedIn(try await renew(gateway, again.refreshToken))
            try await gateway.database.sql(
                "UPDATE refresh_token SET used_at = used_at - interval '11 s' WHERE used_at IS NOT NULL")
            #expect(try await renew(gateway, again.refreshToken).status == 401)
            #expect(try await !Self.isLive(gateway, later.accessToken))
        }
    }

    @Test(arguments: ["", "aqr_", "nonsense", "aqp_0000000000000000000000000000000000000000000000000"])
    func `what is no refresh token renews nothing`(text: String) async throws {
        try await GatewayUnderTest.with { gateway in
            let reply = try await renew(gateway, text)
            #expect(reply.status == (text.isEmpty ? 422 : 401))
        }
    }

    @Test func `a cookie is hidden from scripts and from other sites`() async throws {
        try await GatewayUnderTest.with { gateway in
            _ = try await gateway.person("ada@example.org")
            let same: HTTPHeaders = ["Sec-Fetch-Site": "same-origin"]
            let elsewhere = try await signInReply(
                gateway, "ada@example.org", cookie: true, headers: ["Sec-Fetch-Site": "cross-site"])
            #expect(elsewhere.status == 403)
            let reply = try await signInReply(gateway, "ada@example.org", cookie: true, headers: same)
            #expect(reply.status == 201)
            #expect(reply.json?["refreshToken"] == .null)
            let cookie = try #require(reply[header: "Set-Cookie"])
            #expect(cookie.hasPrefix("__Host-aqua_refresh=aqr_"))
            for attribute in ["Path=/", "Secure", "HttpOnly", "SameSite=Strict"] {
                #expect(cookie.contains("; \(attribute)"))
            }
            #expect(!cookie.contains("Domain"))
            let pair = String(cookie.prefix { $0 != ";" })

            let foreign: [HTTPHeaders] = [
                ["Cookie": pair, "Sec-Fetch-Site": "cross-site"], ["Cookie": pair, "Sec-Fetch-Site": "same-site"],
                ["Cookie": pair, "Origin": "https://evil.example"], ["Cookie": pair, "Origin": "null"],
            ]
            for headers in foreign {
                for path in ["/api/v1/sessions/renewal", "/api/v1/sessions/sign-out"] {
                    let refused = try await gateway.request(.POST, path, headers: headers)
                    #expect(refused.status == 403)
                    #expect(refused.code == "cross-origin")
                }
            }
            let renewed = try await gateway.request(
                .POST, "/api/v1/sessions/renewal", headers: ["Cookie": pair, "Sec-Fetch-Site": "same-origin"])
            #expect(renewed.status == 200)
            #expect(renewed.json?["refreshToken"] == .null)
            let next = String(try #require(renewed[header: "Set-Cookie"]).prefix { $0 != ";" })
            #expect(next != pair)

            let out = try await gateway.request(
                .POST, "/api/v1/sessions/sign-out", headers: ["Cookie": next, "Origin": "https://water.example"])
            #expect(out.status == 204)
            #expect(try #require(out[header: "Set-Cookie"]).contains("Max-Age=0"))
            let ended = try await gateway.request(
                .POST, "/api/v1/sessions/renewal", headers: ["Cookie": next, "Sec-Fetch-Site": "same-origin"])
            #expect(ended.status == 401)
            #expect(try #require(ended[header: "Set-Cookie"]).contains("Max-Age=0"))
        }
    }

    @Test func `a person ends their own sessions and nobody else's`() async throws {
        try await GatewayUnderTest.with { gateway in
            let ada = try await gateway.person("ada@example.org")
            let eve = try await gateway.person("eve@example.org")
            let other = try await signIn(gateway, "ada@example.org")
            let listed = try await gateway.request(.GET, "/api/v1/sessions", ada)
            let sessions = try #require(listed.json?.array)
            #expect(sessions.count == 2)
            #expect(
                sessions.filter { $0["isThis"] == .bool(true) }.map { $0["id"]?.string } == [ada.session.description])
            #expect(!listed.text.contains(eve.session.description))

            #expect(try await gateway.request(.DELETE, "/api/v1/sessions/\(ada.session)", eve).status == 404)
            #expect(try await Self.isLive(gateway, ada.token))
            #expect(try await gateway.request(.DELETE, "/api/v1/sessions/\(other.session)", ada).status == 204)
            #expect(try await !Self.isLive(gateway, other.accessToken))
            #expect(try await gateway.request(.DELETE, "/api/v1/sessions/\(other.session)", ada).status == 404)

            let third = try await signIn(gateway, "ada@example.org")
            #expect(try await gateway.request(.DELETE, "/api/v1/sessions?keepThis=true", ada).status == 204)
            #expect(try await !Self.isLive(gateway, third.accessToken))
            #expect(try await Self.isLive(gateway, ada.token))
            #expect(try await gateway.request(.DELETE, "/api/v1/sessions", ada).status == 204)
            #expect(try await !Self.isLive(gateway, ada.token))
            #expect(try await Self.isLive(gateway, eve.token))
        }
    }

    @Test func `signing out stops the alerts of that client, signing in resumes them`() async throws {
        try await GatewayUnderTest.with { gateway in
            let ada = try await gateway.person("ada@example.org")
            let client = "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e"
            let tokens = try await signIn(gateway, "ada@example.org", client: client)
            try await gateway.database.sql(
                """
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret, client_id) VALUES
                    (nextval('endpoint_id'), \(ada.account), 'webhook', 'https://phone.example/', '\\x00', '\(client)'),
                    (nextval('endpoint_id'), \(ada.account), 'webhook', 'https://house.example/', '\\x00', NULL)
                """)
            func usable() async throws -> String {
                try await gateway.ask("SELECT string_agg(target, ' ' ORDER BY target) FROM usable_endpoint")
            }
            #expect(try await usable() == "https://house.example/ https://phone.example/")
            let out = try await gateway.request(
                .POST, "/api/v1/sessions/sign-out", json: ["refreshToken": .string(tokens.refreshToken)])
            #expect(out.status == 204)
            #expect(try await usable() == "https://house.example/")
            _ = try await signIn(gateway, "ada@example.org", client: client)
            #expect(try await usable() == "https://house.example/ https://phone.example/")
        }
    }

    @Test func `a stranger's guesses do not keep a client out that was here before`() async throws {
        try await GatewayUnderTest.with { gateway in
            _ = try await gateway.person("ada@example.org")
            let client = "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e"
            _ = try await signIn(gateway, "ada@example.org", client: client)
            // From the same network, which proves nothing: it may be a café's.
            var refused: GatewayUnderTest.Reply?
            for _ in 0..<11 {
                refused = try await signInReply(gateway, "ada@example.org", password: "not the password at all")
            }
            #expect(refused?.status == 429)
            #expect(refused?[header: "Retry-After"] != nil)
            // Refused even with the right password.
            #expect(try await signInReply(gateway, "ada@example.org").status == 429)
            #expect(try await signInReply(gateway, "ada@example.org", client: client).status == 201)
        }
    }

    @Test func `a hash of other costs is made anew at sign-in`() async throws {
        try await GatewayUnderTest.with(GatewayUnderTest.adjusting { $0.settings.passwordCost = .standard }) {
            gateway in
            _ = try await gateway.person("ada@example.org")
            #expect(try await gateway.ask("SELECT password_hash FROM account").hasPrefix("scrypt$16$"))
            #expect(try await signInReply(gateway, "ada@example.org").status == 201)
            #expect(try await gateway.ask("SELECT password_hash FROM account").hasPrefix("scrypt$32768$"))
            #expect(try await signInReply(gateway, "ada@example.org").status == 201)
        }
    }
}
