import WaterQuality
import Words

/// ntfy, the public server or one's own (docs.ntfy.sh/publish): a topic, whose name is the secret, or a token where the server has
/// accounts.
struct Ntfy: WebService {
    static let channel = Endpoint.Channel.ntfy
    static let name = "ntfy"
    static let fields = [
        ServiceField(.topic, pattern: "[-_A-Za-z0-9]{1,64}", example: "koi-pond-7f3a9c"),
        ServiceField(.server, pattern: ServerAddress.pattern, standard: "https://ntfy.sh", example: "https://ntfy.sh"),
        ServiceField(
            .token, pattern: "[!-~]{1,256}", isSecret: true, isRequired: false,
            example: "tk_7eevizlsiwf9yi4uxsrs83r4352o0"),
    ]

    private let server: ServerAddress
    private let topic: String
    private let token: String?

    init(_ values: ServiceValues) throws(ServiceFault) {
        server = try ServerAddress(values)
        topic = try values.required(.topic)
        token = values[.token]
    }

    var identity: String { "\(server.url)/\(topic)" }

    /// Without a token, messages are counted by where they come from: for all of an installation.
    var credential: String? { token }

    func request(for message: ServiceMessage) throws -> ServiceRequest {
        let (priority, tag) =
            switch message.urgency {
            case .low: (3, "droplet")
            case .high: (4, "warning")
            case .critical: (5, "rotating_light")
            }
        // As JSON to the root, because headers hold no title beyond ASCII.
        return try .json(
            "\(server.url)/",
            [
                "topic": topic, "title": message.title, "message": message.body, "priority": priority, "tags": [tag],
                "click": message.tapped, "actions": try actions(of: message),
            ],
            token: token)
    }

    /// Buttons below the message: an answer is posted by the phone itself.
    private func actions(of message: ServiceMessage) throws -> [JSONObject]? {
        guard let answer = message.answer else { return nil }
        return try answer.subject.answers.map { said in
            let body = try (["token": answer.token, "answer": said] as JSONObject).bytes()
            return [
                "action": "http", "label": message.language.text("answer.\(said)"), "url": answer.posted,
                "method": "POST",
                "headers": ["content-type": "application/json"] as JSONObject,
                "body": String(decoding: body, as: UTF8.self),
            ]
        }
    }
}
