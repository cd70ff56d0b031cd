import HTTPTypes
import Routes
import Secrets
import WaterQuality
import Webhooks

/// Routes of webhooks whose receivers answer no challenge.
enum CodedRoutes {
    static let all = [send, add]

    /// The forms of others, whose receivers know nothing of challenges. Who builds one for ours can have it answer.
    private enum Form: String, CaseIterable, Sendable {
        case cloudEvents, alertmanager, template

        var known: Endpoint.Form {
            switch self {
            case .cloudEvents: .cloudEvents
            case .alertmanager: .alertmanager
            case .template: .template
            }
        }
    }

    private static let form = Input<Form>.field(
        "form", .choice(Form.self).example("alertmanager"),
        "As addEndpoint takes it, but for standard: the receiver of our own form answers its challenge.")

    private static let send = Route<Caller>(
        .post, "/webhook-codes", id: "sendWebhookCode", tag: EndpointRoutes.tag.name, access: .fresh,
        "Send a code to a webhook",
        text:
            "For receivers that cannot answer a challenge, and show people what they are sent. A message of the chosen form, signed like "
            + "every other, is sent there, with a code of six digits in its title. addCodedWebhook takes the code within ten minutes, and only "
            + "then is the webhook registered. A template has to have a place for the title.",
        inputs: [EndpointInputs.url, EndpointInputs.secret, form, FormInputs.template, FormInputs.templateType],
        answers: .json(.accepted, SentCode.output),
        problems: [
            .tooManyEndpoints, .endpointUnreachable, .endpointUnanswered, .serviceRefused, .tooManyChallenges,
        ],
        limit: .heavy,
        handle: { caller, inputs in
            let webhook = CodedWebhook(
                url: inputs[EndpointInputs.url], secret: inputs[EndpointInputs.secret] ?? .generate(),
                form: try WebhookForm(inputs, as: inputs[form].known))
            return .value(try await CodedRegistration(scope: caller.scope).begin(webhook))
        })

    private static let add = Route<Caller>(
        .post, "/coded-webhooks", id: "addCodedWebhook", tag: EndpointRoutes.tag.name, access: .fresh,
        "Register a webhook by its code",
        text:
            "Alerts go there from now on. An address of the person's own that is registered already gets what was given "
            + "this time.",
        inputs: [CodeInputs.proof, CodeInputs.code, Input<String?>.idempotencyKey],
        answers: .json(.created, RegisteredEndpoint.output, headers: [.location]),
        problems: [
            .codeWrong, .codeExpired, .endpointTaken, .tooManyEndpoints, .tooManyChallenges, .sessionEnded,
        ],
        creates: { caller, inputs, encoding in
            try await CodedRegistration(scope: caller.scope)
                .complete(inputs[CodeInputs.proof], inputs[CodeInputs.code], session: caller.session, encoding)
        })
}
