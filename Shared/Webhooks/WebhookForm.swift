import Instants
import Messaging
package import Secrets
package import Store
package import WaterQuality

/// The form of what a webhook is sent. All forms are signed alike, by headers that no form can touch.
package enum WebhookForm: Hashable, Sendable {
    case standard
    case cloudEvents
    case alertmanager
    case template(MessageTemplate)
}

/// What is sent: the bytes, and their type as the header says it.
package struct WebhookBody: Hashable, Sendable {
    package let contentType: String
    package let bytes: [UInt8]
}

extension WebhookForm {
    /// - Parameter origin: The installation's public origin; `nil` where it has none.
    package func body(of content: WebhookContent, from origin: String?) throws -> WebhookBody {
        switch self {
        case .standard: WebhookBody(contentType: "application/json", bytes: try content.standard.bytes())
        case .cloudEvents:
            WebhookBody(
                contentType: "application/cloudevents+json", bytes: try content.cloudEvent(from: origin).bytes())
        case .alertmanager:
            WebhookBody(
                contentType: "application/json", bytes: try AlertmanagerPayload(content, from: origin).bytes())
        case .template(let template):
            WebhookBody(contentType: template.type.header, bytes: template.written(try content.templateValues))
        }
    }
}

extension WebhookContent {
    /// Our own form.
    var standard: JSONObject { ["type": type, "timestamp": alert.decidedAt.iso8601, "data": data] }
}

extension WebhookForm {
    /// The form that is stored of an endpoint; nil for what cannot be read: a form or a template of a newer version, or a template that none
    /// of the keys opens.
    package init?(_ stored: StoredForm, of endpoint: Endpoint.ID, openedWith keys: SecretKeys) {
        self.init(
            stored.form.known, template: try? stored.template(of: endpoint, openedWith: keys), type: stored.templateType
        )
    }

    /// The form by its name, with the text and the type of a template; nil for what this version cannot read.
    package init?(_ name: Endpoint.Form?, template: @autoclosure () -> String?, type: String?) {
        switch name {
        case .standard: self = .standard
        case .cloudEvents: self = .cloudEvents
        case .alertmanager: self = .alertmanager
        case .template:
            guard let text = template(), let type = type.flatMap(MessageTemplate.ContentType.init(rawValue:)),
                let template = try? MessageTemplate(text, type: type)
            else { return nil }
            self = .template(template)
        case nil: return nil
        }
    }

    package var name: Endpoint.Form {
        switch self {
        case .standard: .standard
        case .cloudEvents: .cloudEvents
        case .alertmanager: .alertmanager
        case .template: .template
        }
    }

    /// The text of the person's own; nil for other forms.
    package var template: MessageTemplate? {
        guard case .template(let template) = self else { return nil }
        return template
    }

    /// The form as it is stored.
    package func stored(for endpoint: Endpoint.ID, sealedWith key: SecretKey) throws -> StoredForm {
        guard let template else { return StoredForm(form: .known(name)) }
        return StoredForm(
            form: .known(name),
            sealedTemplate: try SealedSecret.seal(
                Array(template.text.utf8), with: key, for: .template(of: endpoint.rawValue)
            ).bytes,
            templateType: template.type.rawValue)
    }
}

extension StoredForm {
    /// The text of a template, whether or not this version can read it; `nil` for other forms.
    /// - Throws: `SealedSecret.CannotOpen`.
    package func template(
        of endpoint: Endpoint.ID, openedWith keys: SecretKeys
    ) throws(SealedSecret.CannotOpen) -> String? {
        guard let sealedTemplate else { return nil }
        let opened = try keys.open(SealedSecret(stored: sealedTemplate), for: .template(of: endpoint.rawValue))
        return String(decoding: opened.secret, as: UTF8.self)
    }
}
