package import Instants
import PushClient
package import Secrets
package import Webhooks

/// An alert as a webhook is sent it: a body in the form that its person chose, and the headers of Standard Webhooks, which identify and
/// sign it whatever the form.
package struct WebhookMessage: Sendable {
    package let body: [UInt8]
    /// `webhook-id`, `webhook-timestamp`, `webhook-signature` and the body's type.
    package let headers: [(name: String, value: String)]

    /// Signed anew in each attempt, because the attempt's time is part of it.
    /// - Parameters:
    ///   - origin: The installation's public origin.
    ///   - secrets: Each signs.
    package init(
        _ alert: RenderedAlert, as form: WebhookForm, from origin: String?, secrets: [WebhookSecret],
        at time: Timestamp
    ) throws {
        let made = try form.body(of: WebhookContent(alert), from: origin)
        let message = SignedWebhook(
            id: alert.id, body: made.bytes, contentType: made.contentType, secrets: secrets, at: time)
        body = message.body
        headers = message.headers
    }
}

extension WebhookContent {
    fileprivate init(_ rendered: RenderedAlert) {
        self.init(
            id: rendered.id, collapseKey: rendered.collapseKey, alerts: rendered.alerts, title: rendered.title,
            text: rendered.body, path: rendered.path)
    }
}
