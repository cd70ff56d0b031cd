import Instants
import Testing
import Words

@testable import WaterQuality

/// Notes about a person's account, which have no device.
@Suite struct AccountWordingTests {
    private static func message(_ content: Alert.Content, in language: String) throws -> Notice.Message {
        let language = try #require(Language(rawValue: language))
        let now = try #require(CivilTime(year: 2026, month: 5, day: 4, hour: 7, minute: 0))
        let since = try #require(CivilTime(year: 2026, month: 5, day: 3, hour: 22, minute: 10))
        return Notice(deviceName: nil, .note, content, since: since, at: now, now: now).message(in: language)
    }

    @Test func `a way that refuses is named with its status and since when`() throws {
        let way = Alert.Content.way(WayContent(name: "ntfy.sh", isBrowser: false, failure: .refused, status: "403"))
        let message = try Self.message(way, in: "en")
        #expect(message.title == "Alerts do not reach ntfy.sh")
        #expect(message.body.hasPrefix("It has refused them since 3 May, 22:10 (it answered 403). Your other ways"))
        let german = try Self.message(way, in: "de")
        #expect(german.body.hasPrefix("Abgelehnt seit 3. Mai, 22:10 Uhr (Antwort 403). Deine anderen"))
    }

    @Test func `a browser that is gone, and one that does not answer`() throws {
        let gone = WayContent(name: "push.example", isBrowser: true, failure: .gone)
        #expect(try Self.message(.way(gone), in: "es").title == "Los avisos no llegan a un navegador (push.example)")
        #expect(try Self.message(.way(gone), in: "ja").title == "ブラウザ（push.example）に通知が届きません")
        var silent = gone
        silent.failure = .unanswered
        #expect(try Self.message(.way(silent), in: "en").body.hasPrefix("It has not answered since 3 May, 22:10."))
        silent.failure = .unconfirmed
        #expect(try Self.message(.way(silent), in: "en").body.contains("has not confirmed since 3 May, 22:10"))
        silent.failure = .unsent
        #expect(
            try Self.message(.way(silent), in: "en").body.hasPrefix("Nothing could be sent there since 3 May, 22:10."))
        silent.failure = .moved
        #expect(
            try Self.message(.way(silent), in: "en").body
                == "Another account was registered there at 3 May, 22:10: you are told nothing there any more. "
                + "If the device is yours, sign in there again.")
    }

    @Test(arguments: [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox · Linux"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1",
            "Safari · iPhone"
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36 Edg/130.0",
            "Edge · Windows"
        ),
        ("Tank/1", "Tank/1"), (String(repeating: "x", count: 500), String(repeating: "x", count: 60)),
    ])
    func `a client is called as people call it`(userAgent: String, name: String) throws {
        let message = try Self.message(.signIn(SignInContent(userAgent: userAgent)), in: "en")
        #expect(message.title == "A new sign-in to your account")
        #expect(message.body.hasPrefix("\(name) signed in at 07:00. If that was not you"))
    }

    @Test(arguments: [nil, ""]) func `a client without a name is an unknown app`(userAgent: String?) throws {
        let message = try Self.message(.signIn(SignInContent(userAgent: userAgent)), in: "en")
        #expect(message.body.hasPrefix("Somebody signed in at 07:00, with an unknown app."))
    }
}
