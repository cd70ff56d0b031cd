import WaterQuality

/// Gotify, on one's own server (gotify.net/docs/pushmsg): the token of an application there.
struct Gotify: WebService {
    static let channel = Endpoint.Channel.gotify
    static let name = "Gotify"
    static let fields = [
        ServiceField(.server, pattern: ServerAddress.pattern, example: "https://gotify.example.org"),
        ServiceField(.token, pattern: "[-_.A-Za-z0-9]{4,128}", isSecret: true, example: "AzyoeNS.D4iJLVa"),
    ]

    private let server: ServerAddress
    private let token: String

    init(_ values: ServiceValues) throws(ServiceFault) {
        server = try ServerAddress(values)
        token = try values.required(.token)
    }

    var identity: String { "\(server.url)/message?token=\(token)" }

    var credential: String? { token }

    func request(for message: ServiceMessage) throws -> ServiceRequest {
        // From 4 on the app makes a sound, from 8 on it shows the message above others.
        let priority =
            switch message.urgency {
            case .low: 4
            case .high: 8
            case .critical: 10
            }
        let click = message.tapped.map { ["click": ["url": $0] as JSONObject] as JSONObject }
        return try .json(
            "\(server.url)/message",
            [
                "title": message.title, "message": message.body, "priority": priority,
                "extras": click.map { ["client::notification": $0] as JSONObject },
            ],
            headers: [("x-gotify-key", token)])
    }
}
