import FoundationEssentials
import PushClient
import WaterQuality
import Words

/// Telegram, by a bot of the person's own (core.telegram.org/bots/api#sendmessage): the bot's token, and the chat that it writes into.
struct Telegram: WebService {
    static let channel = Endpoint.Channel.telegram
    static let name = "Telegram"
    static let fields = [
        ServiceField(
            .token, pattern: "[0-9]{1,16}:[A-Za-z0-9_-]{20,64}", isSecret: true,
            example: "123456789:AAF-exampleOfATokenThatABotHas00000"),
        ServiceField(.chat, pattern: "-?[0-9]{1,20}|@[A-Za-z0-9_]{5,32}", example: "-1001234567890"),
        // Whoever keeps a Bot API server of their own gives its address.
        ServiceField(
            .server, pattern: ServerAddress.pattern, standard: "https://api.telegram.org",
            example: "https://api.telegram.org"),
    ]

    private let server: ServerAddress
    private let token: String
    private let chat: String

    init(_ values: ServiceValues) throws(ServiceFault) {
        server = try ServerAddress(values)
        token = try values.required(.token)
        chat = try values.required(.chat)
    }

    var identity: String { "\(server.url)/bot\(token)/sendMessage?chat_id=\(chat.percentEncoded)" }

    var credential: String? { token }

    func request(for message: ServiceMessage) throws -> ServiceRequest {
        // The title is marked by its place in the text, in UTF-16 units: no markup that a device's name could break.
        let title: JSONObject = ["type": "bold", "offset": 0, "length": message.title.utf16.count]
        return try .json(
            "\(server.url)/bot\(token)/sendMessage",
            [
                "chat_id": chat, "text": message.lines, "entities": [title],
                "link_preview_options": ["is_disabled": true] as JSONObject,
                "disable_notification": message.urgency == .low,
                "reply_markup": Self.button(below: message),
            ])
    }

    /// A button that leads to where an alarm is answered. A host without a dot, which the text may well have, is none that a button may lead to.
    private static func button(below message: ServiceMessage) -> JSONObject? {
        guard let answer = message.answer, case let page = answer.page,
            let host = page.firstMatch(of: /^https?:\/\/([^\/]+)/)?.1,
            host.contains(".") || host.hasPrefix("[")
        else { return nil }
        let button: JSONObject = ["text": message.language.text(answer.subject.page), "url": page]
        return ["inline_keyboard": [[button]]]
    }

    /// How long to wait is said in the body alone.
    static func answer(to reply: PushReply) -> PushAnswer {
        struct Refusal: Decodable {
            struct Parameters: Decodable {
                enum CodingKeys: String, CodingKey { case retryAfter = "retry_after" }
                var retryAfter: Int?
            }
            var parameters: Parameters?
        }
        guard case .response(429, nil) = reply.answer, let body = reply.body,
            let seconds = (try? JSONDecoder().decode(Refusal.self, from: Data(body)))?.parameters?.retryAfter
        else { return reply.answer }
        return .response(status: 429, retryAfter: "\(seconds)")
    }
}
