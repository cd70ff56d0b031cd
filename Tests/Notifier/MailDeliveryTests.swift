import Foundation
import Mail
import Messaging
import Secrets
import ServiceKit
import TestSupport
import Testing
import WaterQuality
import Words

@testable import Notifier

/// Alerts, and mails about accounts, by a real mail server.
@Suite struct MailDeliveryTests {
    private static let origin = PublicOrigin("https://water.example.org")

    @Test func `an alarm and its end are one thread, and can be ended from either`() async throws {
        try await Scene.with { scene in
            try await scene.mailbox(1)
            let mails = try await TestMailServer.with { server in
                try await scene.notifying(origin: Self.origin, mail: server.settings) {
                    try await scene.alarms()
                    _ = try await server.mails(1)
                    try await scene.alarms(2...2, purpose: "recovery")
                    return try await server.mails(2)
                }
            }
            #expect(mails.allSatisfy { $0.to == ["ada@example.org"] && $0.header("subject")?.contains("Koi") == true })
            #expect(
                mails[0].header("references") != nil && mails[0].header("references") == mails[1].header("references"))
            #expect(Set(mails.map { $0.header("message-id") }).count == 2)
            #expect(mails.allSatisfy { $0.link("https://water.example.org/alerts/") != nil })
            // An alarm is answered by its link, what is over is not.
            let answer = try #require(mails[0].link("https://water.example.org/answer#"))
            #expect(
                SealedLink.answer.token(
                    of: String(answer.split(separator: "#")[1]), openedWith: SecretKeys(try Scene.key)) != nil)
            #expect(mails[1].link("https://water.example.org/answer#") == nil)
            let token = try await scene.ask("SELECT stop_token(1, registration) FROM endpoint")
            let page = try #require(mails[0].link("https://water.example.org/unsubscribe#"))
            let link = String(page.split(separator: "#")[1])
            #expect(SealedLink.stop.token(of: link, openedWith: SecretKeys(try Scene.key)) == token)
            #expect(
                mails[0].header("list-unsubscribe") == "<https://water.example.org/api/v1/unsubscriptions/\(link)>")
            // In the person's language.
            #expect(mails[0].text.contains("Dejar de recibir") || mails[0].text.contains("correo"))
        }
    }

    @Test func `words of alarms and of accounts have the installation's name`() async throws {
        let brand = try #require(Brand(named: "Koi Club"))
        try await Scene.with { scene in
            try await scene.mailbox(1)
            let mails = try await TestMailServer.with { server in
                try await scene.notifying(origin: Self.origin, mail: server.settings, brand: brand) {
                    try await scene.alarms()
                    _ = try await server.mails(1)
                    _ = try await scene.ask("SELECT ask_password_reset('a@example.com', 'en')")
                    return try await server.mails(2)
                }
            }
            for mail in mails { #expect(mail.text.contains("Koi Club") && !mail.text.contains("AquaMonitor")) }
        }
    }

    @Test func `only an address that does not exist is retired`() async throws {
        try await Scene.with { scene in
            try await scene.mailbox(1, "unknown@example.org")
            try await scene.mailbox(2, "policy@example.org")
            try await scene.mailbox(3, "full@example.org")
            try await TestMailServer.with { server in
                try await scene.notifying(origin: Self.origin, mail: server.settings) {
                    try await scene.alarms()
                    try await scene.await("gone,retry,retry", Self.outcomes)
                }
            }
            #expect(try await scene.ask("SELECT string_agg(endpoint_id::text, ',') FROM endpoint_retirement") == "1")
            #expect(
                try await scene.ask(
                    "SELECT string_agg(DISTINCT status::text, ',' ORDER BY status::text) FROM delivery_attempt")
                    == "410,452,550")
        }
    }

    private static let outcomes = """
        SELECT string_agg(outcome, ',' ORDER BY endpoint_id) FROM (
            SELECT DISTINCT ON (endpoint_id) endpoint_id, outcome FROM delivery_attempt ORDER BY endpoint_id, started_at) t
        """

    @Test func `a server that is too busy rests for all`() async throws {
        try await Scene.with { scene in
            try await scene.mailbox(1, "busy@example.org")
            try await TestMailServer.with { server in
                try await scene.notifying(origin: Self.origin, mail: server.settings) {
                    try await scene.alarms()
                    try await scene.await("503", "SELECT status FROM delivery_attempt LIMIT 1")
                    try await scene.mailbox(2)
                    try await scene.alarms(2...2)
                    try await scene.await(
                        "1",
                        "SELECT count(*) FROM delivery WHERE endpoint_id = 2 AND next_attempt_at > now() + interval '20 s'"
                    )
                }
                #expect(try server.received.isEmpty)
            }
        }
    }

    @Test func `an installation without a mail server says so, and loses nothing`() async throws {
        try await Scene.with { scene in
            try await scene.mailbox(1)
            try await scene.notifying(origin: Self.origin) {
                try await scene.alarms()
                try await scene.await("refused", "SELECT outcome FROM delivery_attempt LIMIT 1")
            }
            #expect(try await scene.ask("SELECT detail FROM delivery_attempt LIMIT 1").contains("AQUA_SMTP_URL"))
            #expect(try await scene.ask("SELECT state FROM delivery") == "pending")
        }
    }

    @Test func `a link that sets a password is mailed, and only its hash is kept`() async throws {
        try await Scene.with { scene in
            let mail = try await TestMailServer.with { server in
                try await scene.notifying(origin: Self.origin, mail: server.settings) {
                    _ = try await scene.ask(
                        "SELECT ask_password_reset('a@example.com', 'de'), ask_password_reset('b@example.com', 'de')")
                    let mail = try #require(try await server.mails(1).first)
                    try await scene.await("t", "SELECT sent_at IS NOT NULL FROM account_mail")
                    return mail
                }
            }
            #expect(mail.to == ["a@example.com"])
            let link = try #require(mail.link("https://water.example.org/reset-password#"))
            let token = try #require(ResetToken(String(link.split(separator: "#")[1])))
            let hash = token.hash.map { String(format: "%02x", $0) }.joined()
            #expect(try await scene.ask("SELECT look_at_password_reset('\\x\(hash)')") == "a@example.com")
            #expect(mail.header("list-unsubscribe") == nil)
        }
    }

    @Test func `a mail about an account that was refused goes out later, and never twice`() async throws {
        try await Scene.with { scene in
            _ = try await scene.ask(
                "UPDATE account SET email = 'full@example.org'; SELECT ask_password_reset('full@example.org', 'en')")
            try await TestMailServer.with { server in
                try await scene.notifying(origin: Self.origin, mail: server.settings) {
                    try await scene.await("t", "SELECT due_at > now() AND sent_at IS NULL FROM account_mail")
                    _ = try await scene.ask(
                        "UPDATE account SET email = 'ada@example.org'; UPDATE account_mail SET due_at = now()")
                    try await scene.await("t", "SELECT sent_at IS NOT NULL FROM account_mail")
                    _ = try await scene.ask("UPDATE account_mail SET due_at = now()")
                    _ = try await scene.ask("SELECT ask_password_reset('ada@example.org', 'en')")
                    try await scene.await("2", "SELECT count(*) FROM account_mail WHERE sent_at IS NOT NULL")
                }
                #expect(try server.received.count == 2)
            }
        }
    }
}

extension TestMailServer {
    var settings: MailServer {
        MailServer(
            host: "127.0.0.1", port: port, encryption: .none, sender: MailSender("alerts@example.org")!)
    }
}

extension Scene {
    func mailbox(_ number: Int64, _ address: String = "ada@example.org") async throws {
        try await register(number, by: .email, [.email: address])
    }
}
