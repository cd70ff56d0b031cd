import Foundation
import Mail
import Messaging
import PushClient
import Testing
import WaterQuality
import Words

/// What each service is sent, by its documentation, and what its answers mean.
@Suite struct MessagingServicesTests {
    private static let message = ServiceMessage(
        id: "0198f3a2-7", title: "Koi: pH 5.9 <low> & \"falling\"", body: "Your minimum is 6.5.\r\nX-Evil: 1",
        link: "https://water.example.org/alerts/0198f3a2", urgency: .high, time: 1_790_000_000,
        language: .en, thread: "episode-5-1",
        stop: StopLinks(
            page: "https://water.example.org/unsubscribe#7-ab",
            posted: "https://water.example.org/api/v1/unsubscriptions/7-ab"))

    private static let given: [Endpoint.Channel: ServiceValues] = [
        .ntfy: [.topic: "koi-7f3a", .token: "tk_abc"],
        .gotify: [.server: "https://gotify.example.org/push/", .token: "AzyoeNS.D4iJLVa"],
        .telegram: [.token: "123456789:AAF-exampleOfATokenThatABotHas00000", .chat: "-1001234567890"],
        .matrix: [.server: "https://matrix.example.org", .room: "!koi/pond:example.org", .token: "syt_YXF1YQ_example"],
        .email: [.email: "Ada@example.org"],
        .slack: [.address: "https://hooks.slack.com/services/T000/B000/XXXX"],
        .sms: [.account: "AC-1", .token: "an-auth-token", .from: "+15550100200", .to: "+15550100300"],
        .call: [.account: "AC-1", .token: "an-auth-token", .from: "+15550100200", .to: "+15550100300"],
        .pushover: [.user: "uQiRzpo4DXghDmr9QzzfQu27cmVRsG", .token: "azGDORePK8gMaC0QOYAMyEEuzJnyUi"],
    ]

    private static func service(
        _ channel: Endpoint.Channel, _ values: ServiceValues? = nil
    ) throws -> any MessagingService {
        let service = try #require(MessagingServices[channel: channel])
        return try service.checked(values ?? given[channel] ?? [:])
    }

    private static func request(
        _ channel: Endpoint.Channel, _ urgency: ServiceMessage.Urgency = .high
    ) throws -> (request: ServiceRequest, json: [String: Any], headers: [String: String]) {
        var message = message
        message.urgency = urgency
        let request = try #require(try service(channel) as? any WebService).request(for: message)
        let json = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any] ?? [:]
        return (request, json, Dictionary(uniqueKeysWithValues: request.headers.map { ($0.name, $0.value) }))
    }

    @Test func everyServiceIsTried() {
        #expect(Set(MessagingServices.all.map { $0.channel }) == Set(Self.given.keys))
        #expect(MessagingServices[channel: .webhook] == nil && MessagingServices[channel: .webPush] == nil)
    }

    /// Whoever has the message answers from it: by buttons where the service has them, else by the page behind the link.
    @Test(arguments: given.keys) func anAlarmIsAnsweredFromItsMessage(_ channel: Endpoint.Channel) throws {
        var message = Self.message
        let page = "https://water.example.org/answer#AbC-1"
        message.answer = AnswerLinks(
            page: page, posted: "https://water.example.org/api/v1/answers", token: "AbC-1")
        message.keyed = "https://water.example.org/api/v1/call-answers/AbC-1"
        let place = channel == .call ? message.keyed : page
        switch try Self.service(channel).dispatch(of: message) {
        case .mail(let mail): #expect(mail.answer?.url == page && mail.action?.url == message.link)
        case .request(let request, _):
            let body = String(decoding: request.body, as: UTF8.self)
            let plain = [body, body.replacing("\\/", with: "/"), body.removingPercentEncoding ?? ""]
            #expect(plain.contains { $0.contains(place ?? page) }, "\(body)")
        }
        guard channel == .ntfy || channel == .telegram else { return }
        let request = try #require(try Self.service(channel) as? any WebService).request(for: message)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any])
        if channel == .telegram {
            // Telegram refuses a message whose button leads to a host without a dot; the text has the link.
            message.answer = AnswerLinks(page: "http://localhost:8080/answer#AbC-1", posted: "", token: "AbC-1")
            let plain = try #require(try Self.service(channel) as? any WebService).request(for: message)
            #expect(try JSONSerialization.jsonObject(with: Data(plain.body)) as? [String: Any] != nil)
            #expect(!String(decoding: plain.body, as: UTF8.self).contains("reply_markup"))
            let markup = try #require(json["reply_markup"] as? [String: [[[String: String]]]])
            #expect(markup == ["inline_keyboard": [[["text": "I'm on it, or snooze", "url": page]]]])
            return
        }
        // docs.ntfy.sh/publish, "Send HTTP request"
        let actions = try #require(json["actions"] as? [[String: Any]])
        #expect(actions.map { $0["label"] as? String } == ["I'm on it", "Snooze 1 h"])
        for (action, said) in zip(actions, ["onIt", "snooze"]) {
            #expect(action["action"] as? String == "http" && action["method"] as? String == "POST")
            #expect(action["url"] as? String == "https://water.example.org/api/v1/answers")
            #expect((action["headers"] as? [String: String]) == ["content-type": "application/json"])
            let body = try #require((action["body"] as? String)?.data(using: .utf8))
            #expect(
                try JSONSerialization.jsonObject(with: body) as? [String: String] == ["token": "AbC-1", "answer": said])
        }
    }

    @Test func ntfy() throws {
        let (request, json, headers) = try Self.request(.ntfy)
        #expect(request.url == "https://ntfy.sh/" && request.method == .post)
        #expect(headers["authorization"] == "Bearer tk_abc")
        #expect(json["topic"] as? String == "koi-7f3a" && json["title"] as? String == Self.message.title)
        #expect(json["message"] as? String == Self.message.body && json["click"] as? String == Self.message.link)
        #expect(json["priority"] as? Int == 4 && json["tags"] as? [String] == ["warning"])
        #expect(try Self.request(.ntfy, .critical).json["priority"] as? Int == 5)
        #expect(try Self.request(.ntfy, .low).json["priority"] as? Int == 3)
    }

    @Test func gotify() throws {
        let (request, json, headers) = try Self.request(.gotify)
        #expect(
            request.url == "https://gotify.example.org/push/message" && headers["x-gotify-key"] == "AzyoeNS.D4iJLVa")
        #expect(json["priority"] as? Int == 8 && json["title"] as? String == Self.message.title)
        let click = (json["extras"] as? [String: [String: [String: String]]])?["client::notification"]?["click"]?["url"]
        #expect(click == Self.message.link)
    }

    @Test func telegram() throws {
        let (request, json, _) = try Self.request(.telegram)
        #expect(request.url == "https://api.telegram.org/bot123456789:AAF-exampleOfATokenThatABotHas00000/sendMessage")
        #expect(json["chat_id"] as? String == "-1001234567890" && json["parse_mode"] == nil)
        #expect((json["text"] as? String)?.hasPrefix(Self.message.title + "\n") == true)
        let bold = try #require((json["entities"] as? [[String: Any]])?.first)
        #expect(bold["length"] as? Int == Self.message.title.utf16.count)
        #expect(json["disable_notification"] as? Bool == false)
    }

    @Test func matrix() throws {
        let (request, json, headers) = try Self.request(.matrix)
        #expect(
            request.url
                == "https://matrix.example.org/_matrix/client/v3/rooms/%21koi%2Fpond%3Aexample.org/send/m.room.message/0198f3a2-7"
        )
        #expect(request.method == .put && headers["authorization"] == "Bearer syt_YXF1YQ_example")
        #expect(json["msgtype"] as? String == "m.text" && json["format"] == nil)
    }

    @Test func slackAndWhatTakesItsForm() throws {
        let (request, json, _) = try Self.request(.slack)
        #expect(request.url == "https://hooks.slack.com/services/T000/B000/XXXX")
        #expect((json["text"] as? String)?.hasPrefix("Koi: pH 5.9 &lt;low&gt; &amp;") == true)
        let discord = try Self.service(.slack, [.address: "https://discord.com/api/webhooks/1/abc"])
        #expect(
            try (discord as? any WebService)?.request(for: Self.message).url
                == "https://discord.com/api/webhooks/1/abc/slack")
        let same = try Self.service(.slack, [.address: "https://discord.com/api/webhooks/1/abc/slack"])
        #expect(same.identity == discord.identity)
    }

    @Test func pushover() throws {
        let (request, _, headers) = try Self.request(.pushover, .critical)
        #expect(request.url == "https://api.pushover.net/1/messages.json")
        #expect(headers["content-type"] == "application/x-www-form-urlencoded")
        let form = try #require(URLComponents(string: "?" + String(decoding: request.body, as: UTF8.self))?.queryItems)
        let values = Dictionary(uniqueKeysWithValues: form.map { ($0.name, $0.value) })
        #expect(values["title"] == Self.message.title && values["message"] == Self.message.body)
        #expect(values["priority"] == "2" && values["retry"] == "60" && values["expire"] == "1800")
        #expect(values["timestamp"] == "1790000000" && values["url"] == Self.message.link)
    }

    @Test func email() throws {
        let service = try Self.service(.email)
        #expect(service.identity == "mailto:ada@example.org")
        guard case .mail(let mail) = try service.dispatch(of: Self.message) else {
            throw ServiceFault(.email, .missing)
        }
        #expect(mail.to.text == "Ada@example.org" && mail.id == "0198f3a2-7" && mail.thread == "episode-5-1")
        #expect(
            mail.title == Self.message.title && mail.text == Self.message.body && mail.action?.url == Self.message.link)
        #expect(mail.unsubscribe == "https://water.example.org/api/v1/unsubscriptions/7-ab" && !mail.isUrgent)
        var critical = Self.message
        critical.urgency = .critical
        guard case .mail(let urgent) = try service.dispatch(of: critical) else { throw ServiceFault(.email, .missing) }
        #expect(urgent.isUrgent)
    }

    /// What a device is called gets into no header and no address.
    @Test(arguments: given.keys.filter { $0 != .email }.sorted { $0.rawValue < $1.rawValue })
    func textsStayInTheBody(channel: Endpoint.Channel) throws {
        let (request, _, headers) = try Self.request(channel)
        #expect(headers.allSatisfy { !$0.value.contains("\n") && !$0.value.contains("Koi") })
        #expect(!request.url.contains("Koi") && request.url.utf8.allSatisfy { (0x21...0x7e).contains($0) })
    }

    /// What a service counts messages by: an account of the person's own, or where they come from.
    @Test func whoseLimitsAreMeant() throws {
        #expect(try Self.service(.sms).credential == "AC-1:an-auth-token")
        #expect(try Self.service(.call).credential == Self.service(.sms).credential)
        var elsewhere = try #require(Self.given[.sms])
        elsewhere[.to] = "+15550100400"
        #expect(try Self.service(.sms, elsewhere).credential == Self.service(.sms).credential)
        elsewhere[.token] = "guessed-by-others"
        #expect(try Self.service(.sms, elsewhere).credential != Self.service(.sms).credential)
        for channel in [Endpoint.Channel.telegram, .matrix, .gotify, .pushover, .ntfy] {
            #expect(try Self.service(channel).credential == Self.given[channel]?[.token])
        }
        #expect(try Self.service(.slack).credential == Self.given[.slack]?[.address])
        #expect(try Self.service(.ntfy, [.topic: "koi-7f3a"]).credential == nil)
        #expect(try Self.service(.email).credential == nil)
    }

    /// Where many people are served by one, whose delays are not all of them everybody's.
    @Test func whoServesEverybody() {
        let hosts = Dictionary(uniqueKeysWithValues: MessagingServices.all.map { ($0.channel, $0.publicHosts) })
        #expect(hosts[.sms] == ["api.twilio.com"] && hosts[.call] == ["api.twilio.com"])
        #expect(hosts[.telegram] == ["api.telegram.org"] && hosts[.ntfy] == ["ntfy.sh"])
        #expect(hosts[.pushover] == ["api.pushover.net"])
        #expect(hosts[.slack] == ["hooks.slack.com", "discord.com", "discordapp.com"])
        #expect(hosts[.matrix] == [] && hosts[.gotify] == [] && hosts[.email] == [])
    }

    /// A destination is one, however it is written, and another one is another.
    @Test(arguments: given.keys.sorted { $0.rawValue < $1.rawValue })
    func anotherDestinationIsAnother(channel: Endpoint.Channel) throws {
        let service = try Self.service(channel)
        let values = try #require(Self.given[channel])
        let stored = try #require(ServiceValues(stored: try values.stored()))
        #expect(try Self.service(channel, stored).identity == service.identity)
        // The rest says by which account or sender it is reached, and may change.
        let telling: Set<ServiceField.Name>? =
            switch channel {
            case .matrix, .telegram: []
            case .sms, .call: [.account, .to]
            default: nil
            }
        for field in type(of: service).fields where field.isRequired && telling?.contains(field.name) != false {
            guard var other = values[field.name] else { continue }
            let (one, another) = other.last?.isNumber == true ? ("1", "2") : ("a", "b")
            other = String(other.dropLast()) + (other.hasSuffix(one) ? another : one)
            var changed = values
            changed[field.name] = other
            #expect(try Self.service(channel, changed).identity != service.identity, "\(field.name)")
        }
    }

    @Test(
        arguments: [
            (.ntfy, [:], .topic), (.ntfy, [.topic: "no blanks"], .topic), (.ntfy, [.topic: "a/../b"], .topic),
            (.ntfy, [.topic: "koi", .server: "https://user:word@ntfy.sh"], .server),
            (.ntfy, [.topic: "koi", .server: "https://ntfy.sh/?x=1"], .server),
            (.gotify, [.server: "https://gotify.example.org", .token: "a\r\nx: y"], .token),
            (.gotify, [.token: "AzyoeNS.D4iJLVa"], .server),
            (.telegram, [.token: "123:short", .chat: "1"], .token),
            (.telegram, [.token: "123456789:AAF-exampleOfATokenThatABotHas00000", .chat: "../2"], .chat),
            (.matrix, [.server: "https://matrix.example.org", .room: "koi", .token: "syt_YXF1YQ"], .room),
            (.pushover, [.user: "short", .token: "azGDORePK8gMaC0QOYAMyEEuzJnyUi"], .user),
            (.slack, [.address: "ftp://hooks.slack.com/"], .address),
            (.sms, [.account: "AC-1", .token: "an-auth-token", .from: "+15550100200", .to: "5550100300"], .to),
            (.call, [.account: "AC-1", .token: "an-auth-token", .from: "AquaMonitor", .to: "+15550100300"], .from),
            (.email, [.email: "ada"], .email), (.email, [.email: "ada@example..org"], .email),
            (.email, [.email: "ada@example.org\r\nBcc:eve@example.org"], .email),
        ] as [(Endpoint.Channel, ServiceValues, ServiceField.Name)])
    func whatCannotBeIsSaidOfItsField(channel: Endpoint.Channel, values: ServiceValues, field: ServiceField.Name) {
        #expect { try Self.service(channel, values) } throws: { ($0 as? ServiceFault)?.field == field }
    }

    @Test func examplesArePossible() throws {
        for service in MessagingServices.all {
            let values = Dictionary(uniqueKeysWithValues: service.fields.map { ($0.name, $0.example) })
            #expect(throws: Never.self, "\(service.name)") { try service.checked(values) }
        }
    }

    @Test(
        arguments: [
            (
                .telegram, 429, #"{"ok":false,"error_code":429,"parameters":{"retry_after":7}}"#,
                .response(status: 429, retryAfter: "7")
            ),
            (.telegram, 429, "busy", .response(status: 429)),
            (
                .matrix, 429, #"{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":2500}"#,
                .response(status: 429, retryAfter: "3")
            ),
            (.slack, 404, "no_service", .response(status: 410)),
            (.slack, 404, #"{"message":"Unknown Webhook","code":10015}"#, .response(status: 410)),
            (.slack, 404, "channel_not_found", .response(status: 404)),
            (.slack, 403, "action_prohibited", .response(status: 403)),
            (.ntfy, 404, #"{"code":10015}"#, .response(status: 404)),
        ] as [(Endpoint.Channel, Int, String, PushAnswer)])
    func answersInTheTermsOfHTTP(channel: Endpoint.Channel, status: Int, body: String, answer: PushAnswer) throws {
        let service = try #require(MessagingServices[channel: channel] as? any WebService.Type)
        #expect(service.answer(to: PushReply(.response(status: status), body: Array(body.utf8))) == answer)
    }

    /// What a version stores, a later one reads, and what a later one adds, this one leaves aside.
    @Test func aFieldOfANewerVersionIsLeftOut() {
        let values = ServiceValues(stored: Array(#"{"topic":"koi","tomorrow":"x"}"#.utf8))
        #expect(values == [.topic: "koi"])
        #expect(ServiceValues(stored: [1, 2, 3]) == nil)
    }
}
