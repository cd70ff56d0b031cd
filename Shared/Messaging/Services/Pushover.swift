import PushClient
import WaterQuality

/// Pushover (pushover.net/api): the token of an application of the person's, and the key of the person or the group.
struct Pushover: WebService {
    static let channel = Endpoint.Channel.pushover
    static let name = "Pushover"
    static let fields = [
        ServiceField(.user, pattern: "[A-Za-z0-9]{30}", isSecret: true, example: "uQiRzpo4DXghDmr9QzzfQu27cmVRsG"),
        ServiceField(.token, pattern: "[A-Za-z0-9]{30}", isSecret: true, example: "azGDORePK8gMaC0QOYAMyEEuzJnyUi"),
    ]

    private static let url = "https://api.pushover.net/1/messages.json"

    private let user: String
    private let token: String

    init(_ values: ServiceValues) throws(ServiceFault) {
        user = try values.required(.user)
        token = try values.required(.token)
    }

    var identity: String { "\(Self.url)?token=\(token)&user=\(user)" }

    /// Messages are counted by the application.
    var credential: String? { token }
    static let publicHosts: Set = ["api.pushover.net"]

    func request(for message: ServiceMessage) throws -> ServiceRequest {
        var form = [
            ("token", token), ("user", user), ("title", message.title), ("message", message.body),
            ("timestamp", "\(message.time)"),
        ]
        if let link = message.tapped { form.append(("url", link)) }
        switch message.urgency {
        case .low: form.append(("priority", "0"))
        case .high: form.append(("priority", "1"))
        // Repeats every minute for half an hour, until somebody confirms it.
        case .critical: form += [("priority", "2"), ("retry", "60"), ("expire", "1800")]
        }
        return .form(Self.url, form)
    }
}
