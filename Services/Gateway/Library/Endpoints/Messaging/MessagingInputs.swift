import Messaging
import Routes
import WaterQuality

/// The inputs of routes about services that bring messages.
enum MessagingInputs {
    /// The services by their channels, as a choice in the document.
    struct Service: CaseIterable, RawRepresentable, Hashable, Sendable {
        let channel: Endpoint.Channel

        static let allCases = MessagingServices.all.map { Service(channel: $0.channel) }

        var rawValue: String { channel.rawValue }

        private init(channel: Endpoint.Channel) { self.channel = channel }

        init?(rawValue: String) {
            guard let service = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
            self = service
        }
    }

    static let channel = Input<Service>.field(
        "channel", .choice(Service.self), "The service, as listMessagingServices names it.")

    /// The inputs of the services' fields, by the names of these.
    static let fields: [ServiceField.Name: Input<String?>] = Dictionary(
        uniqueKeysWithValues: ServiceField.Name.allCases.map { name in
            (
                name,
                Input<String?>.optionalField(
                    name.rawValue,
                    .text(1...ServiceField.longest, pattern: "^[!-~]+$", example: example(of: name)), text(of: name))
            )
        })

    private static func example(of name: ServiceField.Name) -> String {
        MessagingServices.all.flatMap { $0.fields }.first { $0.name == name }?.example ?? "text"
    }

    private static func text(of name: ServiceField.Name) -> String {
        switch name {
        case .server: "The address of the service's server."
        case .topic: "The topic that messages are published to."
        case .token: "The token by which the service takes messages: of a bot, an application or an account."
        case .user: "The key of the person or the group there."
        case .chat: "The number of the chat, or the name of the channel with its @."
        case .room: "The id of the room."
        case .address: "The address of the incoming webhook."
        case .email: "The e-mail address."
        case .account: "The id of the person's account at the provider (Account SID)."
        case .from:
            "The number that messages and calls come from, as in +15550100200, or for messages the id of a Messaging Service."
        case .to: "The person's number, as in +15550100300."
        }
    }
}

extension ServiceFault.Reason {
    var fault: Fault {
        switch self {
        case .missing: .missing
        case .malformed: .pattern
        case .target(let fault): Fault(fault)
        }
    }
}
