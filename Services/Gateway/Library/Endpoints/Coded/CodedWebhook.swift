import FoundationEssentials
import Secrets
import WaterQuality
import Webhooks

/// A webhook whose receiver shows people what it is sent, and answers no challenge.
struct CodedWebhook: ProvenPlace {
    let url: String
    let secret: WebhookSecret
    let form: WebhookForm

    static func context(of account: Account.ID) -> SealedSecret.Context { .webhookProof(account: account.rawValue) }

    private struct Stored: Codable {
        var url: String
        var secret: String
        var form: String
        /// As bytes: a template is full of what JSON escapes.
        var template: Data?
        var type: String?
    }

    init(url: String, secret: WebhookSecret, form: WebhookForm) {
        self.url = url
        self.secret = secret
        self.form = form
    }

    init(from decoder: any Decoder) throws {
        let stored = try Stored(from: decoder)
        guard let secret = WebhookSecret(stored.secret),
            let form = WebhookForm(
                Endpoint.Form(rawValue: stored.form),
                template: stored.template.map { String(decoding: $0, as: UTF8.self) },
                type: stored.type)
        else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no webhook"))
        }
        self.init(url: stored.url, secret: secret, form: form)
    }

    func encode(to encoder: any Encoder) throws {
        try Stored(
            url: url, secret: secret.text, form: form.name.rawValue, template: form.template.map { Data($0.text.utf8) },
            type: form.template?.type.rawValue
        ).encode(to: encoder)
    }
}
