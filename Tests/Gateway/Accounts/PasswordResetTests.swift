import Foundation
import Mail
import NIOHTTP1
import Routes
import Secrets
import TestSupport
import Testing

@testable import Gateway

/// A forgotten password, set by a link that only whoever reads the person's mail has.
@Suite struct PasswordResetTests {
    private static let fresh = "a heron stands at the weir"

    private static func with(_ body: @Sendable @escaping (GatewayUnderTest) async throws -> Void) async throws {
        try await GatewayUnderTest.with(
            GatewayUnderTest.adjusting {
                $0.mail = MailServer(
                    host: "127.0.0.1", port: 9, encryption: .none, sender: MailSender("alerts@example.org")!)
            }, body)
    }

    private static func ask(_ gateway: GatewayUnderTest, _ email: String) async throws -> GatewayUnderTest.Reply {
        try await gateway.request(.POST, "/api/v1/password-resets", json: ["email": .string(email)])
    }

    private static func complete(
        _ gateway: GatewayUnderTest, _ token: String, _ password: String = fresh
    ) async throws -> GatewayUnderTest.Reply {
        try await gateway.request(
            .POST, "/api/v1/password-resets/completion",
            json: ["token": .string(token), "newPassword": .string(password)])
    }

    /// The link's token, made as a Notifier does.
    private static func token(_ gateway: GatewayUnderTest) async throws -> ResetToken {
        let token = ResetToken.generate()
        let hash = token.hash.map { String(format: "%02x", $0) }.joined()
        #expect(try await gateway.ask("SELECT count(*) FROM take_account_mail('\\x\(hash)')") == "1")
        return token
    }

    @Test func `the link sets the password once, and whoever was in is out`() async throws {
        try await Self.with { gateway in
            let ada = try await gateway.person("ada@example.com")
            let bob = try await gateway.person("bob@example.com")
            let personal = try await gateway.request(
                .POST, "/api/v1/tokens", ada, json: ["name": "House", "scope": "read"])
            let program = try #require(
                personal.json?["secret"]?.string ?? personal.json?["token"]?.string, "\(personal.text)")
            #expect(try await gateway.request(.GET, "/api/v1/devices", token: program).status == 200)
            // What a stranger may have linked.
            try await gateway.database.sql(
                "INSERT INTO account_identity (account_id, issuer, subject) SELECT account_id, 'i', email FROM account")
            #expect(try await Self.ask(gateway, "Ada@example.com").status == 202)
            let token = try await Self.token(gateway)
            #expect(try await Self.complete(gateway, token.text).status == 204)
            #expect(try await signInReply(gateway, "ada@example.com", password: Self.fresh).status == 201)
            #expect(try await signInReply(gateway, "ada@example.com").status == 401)
            #expect(try await gateway.request(.GET, "/api/v1/devices", token: program).status == 401)
            #expect(try await gateway.request(.GET, "/api/v1/devices", ada).status == 401)
            #expect(try await gateway.ask("SELECT string_agg(subject, ' ') FROM account_identity") == "bob@example.com")
            // Others are as before.
            #expect(try await gateway.request(.GET, "/api/v1/devices", bob).status == 200)
            // The person sees that it happened.
            #expect(
                try await gateway.ask("SELECT count(*) FROM account_event WHERE kind = 'passwordChanged'") == "1")
            let again = try await Self.complete(gateway, token.text, "another quiet weir at four")
            #expect(again.status == 422 && again.json?["code"]?.string == "reset-expired")
        }
    }

    @Test func `an address without an account is answered alike`() async throws {
        try await Self.with { gateway in
            _ = try await gateway.person("ada@example.com")
            let known = try await Self.ask(gateway, "ada@example.com")
            let unknown = try await Self.ask(gateway, "eve@example.com")
            #expect(known.status == 202 && unknown.status == 202)
            #expect(known.text.replacing("ada", with: "eve") == unknown.text)
            #expect(try await gateway.ask("SELECT count(*) FROM account_mail") == "1")
        }
    }

    @Test func `a link that is over, another's, or made up sets nothing`() async throws {
        try await Self.with { gateway in
            _ = try await gateway.person("ada@example.com")
            _ = try await Self.ask(gateway, "ada@example.com")
            let token = try await Self.token(gateway)
            let secret = token.text.dropFirst(4)
            let other = "aqf_" + (secret.first == "A" ? "B" : "A") + secret.dropFirst()
            for text in [ResetToken.generate().text, "aqf_x", token.text + "0", other] {
                #expect(try await Self.complete(gateway, text).json?["code"]?.string == "reset-expired")
            }
            _ = try await gateway.ask("UPDATE account_mail SET expires_at = now()")
            #expect(try await Self.complete(gateway, token.text).json?["code"]?.string == "reset-expired")
            #expect(try await signInReply(gateway, "ada@example.com").status == 201)
        }
    }

    @Test func `a newer link's password stays when an older one is used`() async throws {
        try await Self.with { gateway in
            _ = try await gateway.person("ada@example.com")
            _ = try await Self.ask(gateway, "ada@example.com")
            let first = try await Self.token(gateway)
            _ = try await Self.ask(gateway, "ada@example.com")
            let second = try await Self.token(gateway)
            #expect(try await Self.complete(gateway, second.text).status == 204)
            #expect(try await Self.complete(gateway, first.text, "another quiet weir at four").status == 422)
            #expect(try await signInReply(gateway, "ada@example.com", password: Self.fresh).status == 201)
        }
    }

    @Test func `a password that is changed ends the links on their way`() async throws {
        try await Self.with { gateway in
            let ada = try await gateway.person("ada@example.com")
            _ = try await Self.ask(gateway, "ada@example.com")
            let token = try await Self.token(gateway)
            let changed = try await gateway.request(
                .PUT, "/api/v1/account/password", ada,
                json: [
                    "currentPassword": .string(GatewayUnderTest.Person.password), "newPassword": .string(Self.fresh),
                ])
            #expect(changed.status == 204, "\(changed.text)")
            #expect(try await Self.complete(gateway, token.text, "another quiet weir at four").status == 422)
        }
    }

    /// A person whose only way is a browser must not lose it by a password that somebody had mailed.
    @Test func `browsers go on being told`() async throws {
        try await PersonScene.with(mail: .unreachable) { scene in
            #expect(try await scene.register(as: scene.ada).status == 201)
            _ = try await scene.ask(
                "UPDATE endpoint SET client_id = (SELECT client_id FROM session WHERE account_id = \(scene.ada.account))"
            )
            _ = try await Self.ask(scene.gateway, scene.ada.email)
            let token = try await Self.token(scene.gateway)
            #expect(try await Self.complete(scene.gateway, token.text).status == 204)
            #expect(
                try await scene.ask(
                    "SELECT count(*) FROM session WHERE account_id = \(scene.ada.account) AND ended_at IS NULL") == "0")
            #expect(try await scene.ask("SELECT count(*) FROM endpoint WHERE paused_at IS NOT NULL") == "0")
        }
    }

    @Test func `a weak password leaves the link as it is`() async throws {
        try await Self.with { gateway in
            _ = try await gateway.person("ada@example.com")
            _ = try await Self.ask(gateway, "ada@example.com")
            let token = try await Self.token(gateway)
            let weak = try await Self.complete(gateway, token.text, "ada@example.com!!")
            #expect(
                weak.status == 422 && weak.json?["errors"]?[0]?["pointer"]?.string == "/newPassword", "\(weak.text)")
            #expect(try await Self.complete(gateway, token.text).status == 204)
        }
    }

    @Test func `nobody fills a mailbox with links`() async throws {
        try await Self.with { gateway in
            _ = try await gateway.person("ada@example.com")
            var statuses: [Int] = []
            for _ in 0..<5 { statuses.append(try await Self.ask(gateway, "ada@example.com").status) }
            #expect(statuses == [202, 202, 202, 429, 429])
            #expect(try await gateway.ask("SELECT count(*) FROM account_mail") == "3")
            // Nor by another Gateway, which has counted nothing.
            _ = try await gateway.ask("SELECT ask_password_reset('ada@example.com', 'en')")
            #expect(try await gateway.ask("SELECT count(*) FROM account_mail") == "3")
        }
    }

    @Test func `without a mail server it is said`() async throws {
        try await GatewayUnderTest.with { gateway in
            let refused = try await Self.ask(gateway, "ada@example.com")
            #expect(refused.status == 409 && refused.json?["code"]?.string == "mail-off")
        }
    }

    /// Whoever has a Gateway's rights in the database sees no link and makes none.
    @Test func `a Gateway sets nobody's password by itself`() async throws {
        try await Self.with { gateway in
            _ = try await gateway.person("ada@example.com")
            _ = try await Self.ask(gateway, "ada@example.com")
            for statement in [
                "SELECT * FROM take_account_mail(decode(repeat('00', 32), 'hex'))", "SELECT * FROM account_mail",
                "UPDATE account_mail SET token_hash = decode(repeat('00', 32), 'hex')", "SELECT stop_token(1, 1)",
                "INSERT INTO account_mail (account_id, kind, locale) SELECT 1, 'reset', 'en'",
            ] {
                let refused = try await gateway.ask(
                    """
                    DO $$ BEGIN SET LOCAL ROLE aqua_gateway; EXECUTE '\(statement.replacing("'", with: "''"))';
                    RAISE EXCEPTION 'not refused'; EXCEPTION WHEN insufficient_privilege THEN RESET ROLE; END $$;
                    SELECT 'refused'
                    """)
                #expect(refused.hasSuffix("refused"), "\(statement)")
            }
        }
    }
}
