import Routes
import WaterQuality
import Webhooks

/// The form of what a webhook is sent, as its person sees it.
struct EndpointForm: Sendable {
    let form: Word<Endpoint.Form>
    let template: String?
    let type: String?

    static let output = Output<EndpointForm>.object(
        "EndpointForm", "The form of what a webhook is sent.",
        [
            .member("form", .choice(Word<Endpoint.Form>.self), "The form.", example: "template") { $0.form },
            .member(
                "template", .optional(of: .text), "The text of a template; null for other forms.",
                example: "{\"text\": {{title}}}"
            ) { $0.template },
            .member(
                "templateType", .optional(of: .text), "What a template makes.",
                example: .string(MessageTemplate.ContentType.json.rawValue)
            ) { $0.type },
        ])
}

/// A message that a webhook would be sent.
struct WebhookPreview: Sendable {
    let id: String
    let body: WebhookBody

    static let output = Output<WebhookPreview>.object(
        "WebhookPreview", "What a webhook would be sent.",
        [
            .member("contentType", .text, "The header content-type.", example: "application/json") {
                $0.body.contentType
            },
            .member(
                "webhookId", .text, "The header webhook-id. The time and the signature are made with each attempt.",
                example: .string("alert_\(Alert.exampleID)_0")
            ) { $0.id },
            .member("body", .text, "The body.", example: "{\"text\": \"Koi: Temperature is high\"}") {
                String(decoding: $0.body.bytes, as: UTF8.self)
            },
        ])
}
