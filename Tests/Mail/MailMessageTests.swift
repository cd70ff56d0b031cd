import Foundation
import Mail
import Testing
import Words

/// What a mail looks like, and what no name and no text can make of it. That real parsers read it shows `MailClientTests`.
@Suite struct MailMessageTests {
    static func message(
        to: String = "ada@example.org", title: String = "Koi: temperature is high",
        text: String = "25.6 °C, your maximum is 24 °C."
    ) throws -> MailMessage {
        MailMessage(
            to: try #require(MailAddress(to)), id: "0198f3a2-7", thread: "episode-5-1", language: "en", title: title,
            text: text,
            action: .init("Open", "https://water.example.org/alerts/0198f3a2"), reason: "You asked for it.",
            stop: .init("Stop these mails", "https://water.example.org/unsubscribe#7-ab"),
            unsubscribe: "https://water.example.org/api/v1/unsubscriptions/7-ab", isUrgent: true, time: 1_790_000_000)
    }

    private static func lines(_ message: MailMessage) throws -> [String] {
        let sender = try #require(MailSender("Koi Club <alerts@example.org>"))
        let text = String(decoding: message.written(from: sender), as: UTF8.self)
        #expect(!text.replacing("\r\n", with: "").contains { $0 == "\r" || $0 == "\n" })
        return text.components(separatedBy: "\r\n")
    }

    @Test func theHeadersThatMailProgramsGoBy() throws {
        let lines = try Self.lines(try Self.message())
        let head = lines.prefix { !$0.isEmpty }
        #expect(head.contains("Date: Mon, 21 Sep 2026 14:13:20 +0000"))
        #expect(head.contains("From: Koi Club <alerts@example.org>"))
        #expect(head.contains("To: <ada@example.org>"))
        #expect(head.contains("Message-ID: <0198f3a2-7@example.org>"))
        #expect(head.contains("References: <episode-5-1@example.org>"))
        #expect(head.contains("Auto-Submitted: auto-generated"))
        #expect(head.contains("List-Unsubscribe: <https://water.example.org/api/v1/unsubscriptions/7-ab>"))
        #expect(head.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click"))
        #expect(head.contains("Importance: high"))
    }

    @Test(arguments: [
        "Koi\r\nBcc: eve@example.org", "Koi\nX: 1", "Koi\u{2028}Bcc: eve@example.org", "=?utf-8?q?=0D=0ABcc:_eve?=",
        String(repeating: "鯉", count: 200), "\u{1F41F}\r", "", "Koi, <b>\"pond\"</b> (1)",
    ])
    func noNameBeginsAnotherHeader(title: String) throws {
        let head = try Self.lines(try Self.message(title: title)).prefix { !$0.isEmpty }
        let names = head.filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != ":" } }
        #expect(
            names == [
                "Date", "From", "To", "Subject", "Message-ID", "In-Reply-To", "References", "Auto-Submitted",
                "List-Unsubscribe",
                "List-Unsubscribe-Post", "Importance", "MIME-Version", "Content-Type",
            ])
        #expect(
            head.allSatisfy {
                ($0.utf8.count <= 76 || $0.hasPrefix("List-Unsubscribe"))
                    && $0.utf8.allSatisfy { (0x20...0x7e).contains($0) }
            })
    }

    @Test func linesAreShort() throws {
        let lines = try Self.lines(
            try Self.message(text: String(repeating: "péché ", count: 300) + "\n.\nFrom here on = "))
        let body = lines.drop { !$0.isEmpty }
        #expect(body.allSatisfy { $0.utf8.count <= 76 })
        #expect(body.allSatisfy { !$0.hasSuffix(" ") })
    }

    @Test func namesAreNoMarkup() throws {
        let lines = try Self.lines(try Self.message(title: "<img src=x>", text: "<script>alert(1)</script> & \"more\""))
        let html = lines.drop { !$0.hasPrefix("Content-Type: text/html") }.joined()
        #expect(html.contains("&lt;img") && !html.contains("<img") && !html.contains("<script"))
    }

    @Test(arguments: [
        "ada", "@example.org", "ada@", "a b@example.org", "ada@example..org", ".ada@example.org", "ada@ex ample.org",
        "ada@b@c.org",
        "ada\r\n@example.org", "<ada@example.org>", "ada@example.org>", "\"a b\"@example.org", "jürgen@example.org",
        "a/b@example.org",
        "a#b@example.org", "ada@[127.0.0.1]", String(repeating: "a", count: 65) + "@example.org",
    ])
    func noAddress(text: String) {
        #expect(MailAddress(text) == nil)
    }

    @Test(arguments: ["ada@example.org", "a.b+tank@sub.example.org", "o'hara@example.org", "ada@localhost"])
    func addresses(text: String) {
        #expect(MailAddress(text)?.text == text)
    }

    @Test func buttonsHaveTheAccent() throws {
        var ours = Brand.product
        ours.accents = try Accents(of: try #require(Colour("#1976d2")))
        for (brand, colour) in [(Brand.product, "#005d6f"), (ours, "#0064bb")] {
            let sender = try #require(MailSender("alerts@example.org", of: brand))
            let text = String(decoding: try Self.message().written(from: sender), as: UTF8.self).replacing(
                "=\r\n", with: "")
            #expect(text.contains("background:\(colour);color:#ffffff"))
        }
    }

    @Test func senders() throws {
        #expect(try #require(MailSender("alerts@example.org")).name == "AquaMonitor")
        let ours = try #require(Brand(named: "Reef"))
        #expect(try #require(MailSender("alerts@example.org", of: ours)).name == "Reef")
        #expect(try #require(MailSender("Koi Club <alerts@example.org>", of: ours)).name == "Koi Club")
        let named = try #require(MailSender("Koi  Club <alerts@example.org>"))
        #expect(named.name == "Koi Club" && named.address.text == "alerts@example.org")
        for text in ["", "Koi Club", "<>", "Koi <alerts>", "<alerts@example.org>"] { #expect(MailSender(text) == nil) }
    }
}
