import HTTPTypes
import Messaging
import Routes
import WaterQuality

/// Routes of services that bring messages to people.
enum MessagingRoutes {
    static let all = [list, send, add]

    private static let field = Output<ServiceField>.object(
        "MessagingField", "What a person gives to be reached by a service.",
        [
            .member("name", .choice(ServiceField.Name.self), "As sendEndpointCode takes it.") { $0.name },
            .member("isRequired", .boolean, "Whether it must be given.") { $0.isRequired },
            .member("isSecret", .boolean, "Whether it should be hidden while it is typed.") { $0.isSecret },
            .member("standard", .optional(of: .text), "What counts where it is not given.", example: "https://ntfy.sh")
            {
                $0.standard
            },
            .member("example", .text, "How it looks.", example: "koi-pond-7f3a9c") { $0.example },
        ])

    private static let service = Output<any MessagingService.Type>.object(
        "MessagingService", "A service that brings messages to phones or into chats.",
        [
            .member("channel", .choice(MessagingInputs.Service.self), "The channel of its endpoints.") {
                MessagingInputs.Service(rawValue: $0.channel.rawValue) ?? MessagingInputs.Service.allCases[0]
            },
            .member("name", .text, "Its own name.", example: "ntfy") { $0.name },
            .member("fields", .list(of: field), "In the order in which they are asked for.") { $0.fields },
        ])

    private static let listed = Output<[any MessagingService.Type]>.object(
        "MessagingServices", "The services that bring messages.",
        [.member("items", .list(of: service), "All of them.") { $0 }])

    private static let list = Route<Caller>(
        .get, "/messaging-services", id: "listMessagingServices", tag: EndpointRoutes.tag.name, access: .read,
        "List the services that bring messages",
        text: "With what a person gives to be reached by each.",
        answers: .json(.ok, listed),
        handle: { caller, _ in .value(MessagingServices.offered(hasMail: caller.scope.services.hasMail)) })

    private static let send = Route<Caller>(
        .post, "/endpoint-codes", id: "sendEndpointCode", tag: EndpointRoutes.tag.name, access: .fresh,
        "Send a code by a service",
        text:
            "A message with a code of six digits is sent there. addMessagingEndpoint takes the code within ten minutes, and only "
            + "then is the service registered: whoever cannot read the message does not own the way.",
        inputs: [MessagingInputs.channel] + ServiceField.Name.allCases.compactMap { MessagingInputs.fields[$0] },
        answers: .json(.accepted, SentCode.output),
        problems: [
            .tooManyEndpoints, .endpointUnreachable, .endpointUnanswered, .serviceRefused, .tooManyChallenges, .mailOff,
            .tooManyRequests,
        ],
        limit: .heavy,
        handle: { caller, inputs in
            var values: ServiceValues = [:]
            for (name, input) in MessagingInputs.fields { values[name] = inputs[input] }
            return .value(
                try await MessagingRegistration(scope: caller.scope)
                    .begin(inputs[MessagingInputs.channel].channel, values))
        })

    private static let add = Route<Caller>(
        .post, "/messaging-endpoints", id: "addMessagingEndpoint", tag: EndpointRoutes.tag.name, access: .fresh,
        "Register a service by its code",
        text: "Alerts go there from now on. What is registered already gets what was given this time.",
        inputs: [CodeInputs.proof, CodeInputs.code, Input<String?>.idempotencyKey],
        answers: .json(.created, ShownEndpoint.output, headers: [.location]),
        problems: [
            .codeWrong, .codeExpired, .endpointTaken, .tooManyEndpoints, .tooManyChallenges, .sessionEnded,
        ],
        creates: { caller, inputs, encoding in
            try await MessagingRegistration(scope: caller.scope)
                .complete(
                    inputs[CodeInputs.proof], inputs[CodeInputs.code], session: caller.session, encoding)
        })
}
