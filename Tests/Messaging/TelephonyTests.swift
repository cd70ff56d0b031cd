import Foundation
import Messaging
import PushClient
import TestSupport
import Testing
import WaterQuality
import Words

/// Text messages and calls, before a stand-in for the provider that takes nothing but what is documented.
@Suite struct TelephonyTests {
    private static let provider = TelephonyProvider()
    private static let values: ServiceValues = [
        .account: provider.account, .token: provider.token, .from: provider.from, .to: provider.to,
    ]
    private static let page = "https://water.example.org/answer#\(String(repeating: "aB3-_", count: 42))"
    private static let keyed = "https://water.example.org/api/v1/call-answers/\(String(repeating: "aB3-_", count: 42))"

    private static func message(
        _ language: Language = .en, title: String = "Koi: pH is low", body: String = "5.9; your minimum is 6.5."
    ) -> ServiceMessage {
        ServiceMessage(
            id: "1", title: title, body: body,
            link: "https://water.example.org/alerts/0198f3a2-5c1e-7b90-8d7e-3f4a5b6c7d8e", urgency: .critical, time: 0,
            language: language,
            answer: AnswerLinks(page: page, posted: "https://water.example.org/api/v1/answers", token: "t"),
            keyed: keyed)
    }

    private static func request(
        _ channel: Endpoint.Channel, _ message: ServiceMessage, _ values: ServiceValues = values
    ) throws -> ServiceRequest {
        let service = try #require(MessagingServices[channel: channel]).checked(values)
        return try #require(service as? any WebService).request(for: message)
    }

    private static func order(
        _ request: ServiceRequest, at provider: TelephonyProvider = provider
    ) throws -> TelephonyProvider.Order {
        let server = "https://api.twilio.com"
        #expect(request.url.hasPrefix(server))
        let headers = Dictionary(uniqueKeysWithValues: request.headers.map { ($0.name, $0.value) })
        return try provider.order(
            method: request.method == .post ? "POST" : "PUT", path: String(request.url.dropFirst(server.count)),
            authorization: headers["authorization"], contentType: headers["content-type"], body: request.body)
    }

    private static func text(_ message: ServiceMessage) throws -> String {
        guard case .message(let text) = try order(request(.sms, message)) else { throw Unexpected() }
        return text
    }

    private static func call(_ message: ServiceMessage) throws -> SpokenDocument {
        guard case .call(let document) = try order(request(.call, message)) else { throw Unexpected() }
        return document
    }

    private struct Unexpected: Error {}

    @Test func aMessageHasItsTitleItsTextAndItsLink() throws {
        let text = try Self.text(Self.message())
        #expect(text == "Koi: pH is low\n5.9; your minimum is 6.5.\n\(Self.page)")
    }

    @Test func aMessagingServiceMaySendIt() throws {
        var (values, provider) = (Self.values, Self.provider)
        provider.from = "MG0123456789abcdef0123456789ABCDEF"
        values[.from] = provider.from
        guard case .message = try Self.order(Self.request(.sms, Self.message(), values), at: provider) else {
            throw Unexpected()
        }
        #expect(throws: ServiceFault.self) { try Self.request(.call, Self.message(), values) }
    }

    /// Another server may have a path of its own; what a person gives gets into no other place of the address.
    @Test func anyServerThatSpeaksLikeIt() throws {
        var values = Self.values
        values[.server] = "https://space.example.org/api/laml/"
        let url = try Self.request(.call, Self.message(), values).url
        #expect(url == "https://space.example.org/api/laml/2010-04-01/Accounts/AC-stand-in/Calls.json")
        for (field, value) in [
            (ServiceField.Name.account, "AC/../x"), (.account, "AC?x"), (.to, "0049301234"), (.to, "+49 30 1234"),
            (.from, "+0123456789"), (.token, "a b c d e f g h"), (.token, "short"), (.to, "+1555010030012345"),
        ] {
            var values = Self.values
            values[field] = value
            #expect(throws: ServiceFault.self, "\(value)") { try Self.request(.sms, Self.message(), values) }
        }
    }

    /// A new token, or another sender, is the same telephone.
    @Test(arguments: [Endpoint.Channel.sms, .call]) func aTelephoneIsOne(channel: Endpoint.Channel) throws {
        let service = try #require(MessagingServices[channel: channel])
        var values = Self.values
        values[.token] = "another-of-the-tokens"
        values[.from] = "+15550100201"
        #expect(try service.checked(values).identity == service.checked(Self.values).identity)
        values[.to] = "+15550100301"
        #expect(try service.checked(values).identity != service.checked(Self.values).identity)
    }

    @Test(
        arguments: [
            ("", 1), (String(repeating: "a", count: 160), 1), (String(repeating: "a", count: 161), 2),
            (String(repeating: "a", count: 306), 2), (String(repeating: "a", count: 307), 3),
            (String(repeating: "a", count: 459), 3), (String(repeating: "a", count: 460), 4),
            // Two septets each, of which one half would not fit.
            (String(repeating: "€", count: 80), 1), (String(repeating: "€", count: 81), 2),
            (String(repeating: "a", count: 152) + "€" + String(repeating: "a", count: 152), 3),
            (String(repeating: "鯉", count: 70), 1), (String(repeating: "鯉", count: 71), 2),
            (String(repeating: "鯉", count: 201), 3), (String(repeating: "鯉", count: 202), 4),
            (String(repeating: "🐟", count: 35), 1), (String(repeating: "🐟", count: 36), 2),
            (String(repeating: "🐟", count: 66), 2), (String(repeating: "🐟", count: 67), 3),
            ("á" + String(repeating: "a", count: 69), 1), ("á" + String(repeating: "a", count: 70), 2),
        ])
    func segmentsAreCounted(text: String, count: Int) {
        #expect(TextAlphabet.segments(of: text) == count)
    }

    @Test func whatLooksAlikeIsWrittenBriefly() throws {
        let spanish = try #require(Language(rawValue: "es"))
        let text = try Self.text(
            Self.message(spanish, title: "Estanque: temperatura fría", body: "11,5 °C – tu mínimo es 12 °C…"))
        #expect(text == "Estanque: temperatura fria\n11,5 C - tu minimo es 12 C...\n\(Self.page)")
        #expect(TextAlphabet(of: text) == .brief)
        #expect(TextAlphabet.look(of: "Größe: ñandú ß") == "Größe: ñandu ß" && TextAlphabet.look(of: "鯉") == nil)
    }

    /// Whatever is told, it takes three segments at most, and a link is whole or not there.
    @Test func textIsCutAndALinkIsNot() throws {
        for body in [String(repeating: "Temperature is high. ", count: 90), String(repeating: "水温が高い。", count: 90)] {
            for title in ["Koi: 3 alerts", "鯉：水温", String(repeating: "鯉", count: 40)] {
                for count in [0, 5, 40, 200, 400, body.count] {
                    let message = Self.message(title: title, body: String(body.prefix(count)))
                    let text = try Self.text(message)
                    #expect(TextAlphabet.segments(of: text) <= 3 && text.hasPrefix(title))
                    #expect(text.hasSuffix("\n\(Self.page)") || text.hasSuffix("\n\(message.link!)"), "\(text)")
                }
            }
        }
        // Of a name of two hundred characters as many as fit.
        let text = try Self.text(Self.message(title: String(repeating: "鯉", count: 300)))
        #expect(text == String(repeating: "鯉", count: 200) + "…")
        var plain = Self.message()
        (plain.link, plain.answer) = (nil, nil)
        #expect(try Self.text(plain) == "Koi: pH is low\n5.9; your minimum is 6.5.")
    }

    @Test(
        arguments: [
            ("en", "en-US", "This is AquaMonitor. ", "Press 1"),
            ("es", "es-ES", "Te llama AquaMonitor. ", "Pulsa 1"),
            ("ja", "ja-JP", "AquaMonitorからのお知らせです。", "1を"), ("de", "de-DE", "Hier ist AquaMonitor. ", "Drücke 1"),
        ])
    func aCallSaysItTwiceAndTakesAKey(code: String, voice: String, opening: String, keys: String) throws {
        let language = try #require(Language(rawValue: code))
        let heard = try Self.call(Self.message(language))
        #expect(heard.said.count == 2 && heard.said[0] == heard.said[1])
        #expect(heard.said.allSatisfy { $0.language == voice })
        #expect(heard.said[0].text.hasPrefix("\(opening)Koi: pH is low. 5.9; your minimum is 6.5."), "\(heard.said)")
        #expect(heard.said[0].text.contains(keys))
        #expect(heard.gather?["action"] == Self.keyed)
        var deaf = Self.message(language)
        deaf.keyed = nil
        let told = try Self.call(deaf)
        #expect(told.gather == nil && told.said.count == 2 && !told.said[0].text.contains(keys))
    }

    @Test(arguments: Language.allCases) func aCodeIsSpokenDigitByDigit(language: Language) throws {
        var message = Self.message(language, title: "482913")
        (message.code, message.keyed) = ("482913", nil)
        let heard = try Self.call(message)
        #expect(heard.said.count == 2 && heard.said.allSatisfy { $0.text.contains("4, 8, 2, 9, 1, 3") })
        #expect(!heard.said[0].text.contains("482913"))
    }

    @Test func namesBecomeNoMarkup() throws {
        let name = #"</Say><Dial>+1900</Dial>&amp; "x" 'y'"# + "\u{1}\u{fffe}"
        let heard = try Self.call(Self.message(title: name))
        #expect(heard.said[0].text.contains(#"</Say><Dial>+1900</Dial>&amp; "x" 'y'  "#), "\(heard.said)")
        // Long ones of characters that take more in XML stay below the provider's bound, which the stand-in checks.
        for character in ["&", "\"", "a", "鯉"] {
            let long = try Self.call(Self.message(body: String(repeating: character, count: 3000)))
            #expect(long.said[0].text.contains(String(repeating: character, count: 150)))
            #expect(long.gather != nil)
        }
    }

    @Test(
        arguments: [
            (400, #"{"code":21610,"message":"unsubscribed","status":400}"#, .response(status: 410)),
            (400, #"{"code":21211}"#, .response(status: 400)), (400, #"{"code":21614}"#, .response(status: 400)),
            (401, #"{"code":20003}"#, .response(status: 401)), (404, #"{"code":20404}"#, .response(status: 404)),
            (429, #"{"code":20429}"#, .response(status: 429)), (503, "", .response(status: 503)),
            (410, "gone", .response(status: 400)), (201, #"{"code":21610}"#, .response(status: 201)),
        ] as [(Int, String, PushAnswer)])
    func nothingButAStopIsForGood(status: Int, body: String, answer: PushAnswer) throws {
        for channel in [Endpoint.Channel.sms, .call] {
            let service = try #require(MessagingServices[channel: channel] as? any WebService.Type)
            #expect(service.answer(to: PushReply(.response(status: status), body: Array(body.utf8))) == answer)
        }
        let service = try #require(MessagingServices[channel: .sms] as? any WebService.Type)
        #expect(service.answer(to: PushReply(.silence)) == .silence)
        let wait = PushAnswer.response(status: 429, retryAfter: "7")
        #expect(service.answer(to: PushReply(wait, body: nil)) == wait)
    }
}
