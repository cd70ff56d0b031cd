import Foundation
import NIOHTTP1
import Routes
import Secrets
import TestSupport
import Testing

@testable import Gateway

/// Mailboxes: added by a code that comes by mail, shown by their first letter, and ended by the link of a mail.
@Suite struct MailTests {
    @Test func `a code that arrives by mail makes a mailbox a way`() async throws {
        try await TestMailServer.with { server in
            try await PersonScene.with(mail: server) { scene in
                let services = try await scene.call("listMessagingServices", as: scene.ada).json["items"]?.array
                #expect(services?.first?["channel"]?.string == "email")
                let sent = try await scene.sendCode("Ada@example.org", as: scene.ada)
                #expect(sent.status == 202, "\(sent.json.text)")
                let mail = try #require(try await server.mails(1).first)
                #expect(mail.header("auto-submitted") == "auto-generated")
                let added = try await scene.confirm(sent, mail, as: scene.ada)
                #expect(added.status == 201, "\(added.json.text)")
                let item = try #require(try await scene.call("listEndpoints", as: scene.ada).json["items"]?[0])
                #expect(item["channel"]?.string == "email" && item["host"]?.string == "a…@example.org", "\(item.text)")
                #expect(
                    try await scene.ask("SELECT target ~ '^mailto:a…@example\\.org/#[0-9a-f]{64}$' FROM endpoint")
                        == "t")
                #expect(
                    try await scene.ask("SELECT subject FROM account_event WHERE kind = 'endpointAdded'")
                        == "a…@example.org")
                // The same mailbox, spelled otherwise, is the same way, and nobody else's.
                let again = try await scene.sendCode("ada@EXAMPLE.org", as: scene.ada)
                let repeated = try await scene.confirm(again, try await server.mails(2)[1], as: scene.ada)
                #expect(repeated.json["id"] == added.json["id"])
            }
        }
    }

    @Test func `nobody fills another one's mailbox`() async throws {
        try await TestMailServer.with { server in
            try await PersonScene.with(mail: server) { scene in
                var statuses: [Int] = []
                for _ in 0..<5 { statuses.append(try await scene.sendCode("eve@example.org", as: scene.ada).status) }
                #expect(statuses == [202, 202, 202, 429, 429])
                // Neither by spelling it otherwise, nor with another account.
                #expect(try await scene.sendCode("EVE+1@example.org", as: scene.bob).status == 429)
                #expect(try server.received.count == 3)
                // And strangers who try do not keep a person from their own.
                for _ in 0..<5 { _ = try await scene.sendCode("bob@example.com", as: scene.ada) }
                #expect(try await scene.sendCode("bob@example.com", as: scene.bob).status == 202)
            }
        }
    }

    @Test(arguments: [
        ("unknown", "service-refused"), ("busy", "service-refused"), ("hang", "endpoint-unreachable"),
        ("silent", "endpoint-unanswered"),
    ])
    func `a mailbox that takes no code is none`(name: String, code: String) async throws {
        try await TestMailServer.with { server in
            try await PersonScene.with(mail: server) { scene in
                let reply = try await scene.sendCode("\(name)@example.org", as: scene.ada)
                #expect(reply.status == 422 && reply.code == code, "\(reply.json.text)")
            }
        }
    }

    @Test func `without a mail server there is no such way`() async throws {
        try await PersonScene.with { scene in
            let services = try await scene.call("listMessagingServices", as: scene.ada).json["items"]?.array
            #expect(services?.contains { $0["channel"]?.string == "email" } == false)
            let reply = try await scene.sendCode("ada@example.org", as: scene.ada)
            #expect(reply.status == 409 && reply.code == "mail-off")
            #expect(try await scene.call("showService", as: scene.ada).json["resetsPasswords"] == .bool(false))
        }
    }

    @Test func `the link of a mail ends the mails, and does nothing else`() async throws {
        try await TestMailServer.with { server in
            try await PersonScene.with(mail: server) { scene in
                let sent = try await scene.sendCode("ada@example.org", as: scene.ada)
                #expect(try await scene.confirm(sent, try await server.mails(1)[0], as: scene.ada).status == 201)
                #expect(try await scene.register(as: scene.ada).status == 201)
                let (mailbox, webhook) = (
                    "SELECT endpoint_id FROM endpoint WHERE channel = 'email'",
                    "SELECT endpoint_id FROM endpoint WHERE channel = 'webhook'"
                )
                let link = try await scene.link(of: mailbox)
                // A link that was changed, or made up with one of its two keys, is nobody's.
                let number = try await scene.ask(mailbox)
                let token = try await scene.ask("SELECT stop_token((\(mailbox)), 1)")
                let other = try #require(SecretKey(String(repeating: "6b", count: 32)))
                let forged = [
                    "x", token, "\(link)A", try SealedLink.stop.text(of: token, sealedWith: other),
                    try SealedLink.stop.text(
                        of: "\(number)-" + String(repeating: "0", count: 64), sealedWith: PersonScene.key),
                    try SealedLink.stop.text(of: "99-\(token.split(separator: "-")[1])", sealedWith: PersonScene.key),
                ]
                for forged in forged { #expect(try await scene.stop(forged).status == 404, "\(forged)") }
                #expect(try await scene.ask("SELECT count(*) FROM endpoint WHERE retired_at IS NULL") == "2")
                // As mail programs do it (RFC 8058), and again.
                for _ in 0..<2 { #expect(try await scene.stop(link).status == 204) }
                #expect(
                    try await scene.ask("SELECT string_agg(channel, ',') FROM endpoint WHERE retired_at IS NULL")
                        == "webhook")
                // The person is told, once: a mail can be forwarded.
                #expect(
                    try await scene.ask("SELECT string_agg(kind || ' ' || subject, ',') FROM account_mail")
                        == "stopped a…@example.org")
                #expect(
                    try await scene.ask("SELECT count(*) FROM account_event WHERE kind = 'endpointRemoved'") == "1")
                // A link of a webhook ends nothing, even with both seals.
                #expect(try await scene.stop(try await scene.link(of: webhook)).status == 204)
                #expect(try await scene.ask("SELECT count(*) FROM endpoint WHERE retired_at IS NULL") == "1")
                // Nor does a mail from before the mailbox was registered anew.
                let again = try await scene.sendCode("ada@example.org", as: scene.ada)
                #expect(try await scene.confirm(again, try await server.mails(2)[1], as: scene.ada).status == 201)
                #expect(try await scene.stop(link).status == 404)
                #expect(try await scene.ask("SELECT count(*) FROM endpoint WHERE retired_at IS NULL") == "2")
                // Opening the link, as programs that look at mails do, changes nothing.
                #expect(try await scene.gateway.request(.GET, "/api/v1/unsubscriptions/\(link)").status == 405)
            }
        }
    }
}

extension PersonScene {
    fileprivate func sendCode(_ address: String, as person: Person) async throws -> Reply {
        try await call("sendEndpointCode", as: person, body: ["channel": "email", "email": .string(address)])
    }

    fileprivate func confirm(_ sent: Reply, _ mail: TestMailServer.Mail, as person: Person) async throws -> Reply {
        let code = try #require(mail.header("subject")?.firstMatch(of: /[0-9]{6}/)).output
        let proof = try #require(sent.json["proof"]?.string)
        return try await call(
            "addMessagingEndpoint", as: person, body: ["proof": .string(proof), "code": .string(String(code))])
    }

    fileprivate static var key: SecretKey {
        get throws { try #require(SecretKey(GatewayUnderTest.secretKey)) }
    }

    /// What a mail to an endpoint has as its link.
    fileprivate func link(of endpoint: String) async throws -> String {
        let token = try await ask(
            "SELECT stop_token(endpoint_id, registration) FROM endpoint WHERE endpoint_id = (\(endpoint))")
        return try SealedLink.stop.text(of: token, sealedWith: Self.key)
    }

    fileprivate func stop(_ token: String) async throws -> GatewayUnderTest.Reply {
        try await gateway.request(
            .POST, "/api/v1/unsubscriptions/\(token)", body: Array("List-Unsubscribe=One-Click".utf8),
            headers: ["content-type": "application/x-www-form-urlencoded"])
    }
}
