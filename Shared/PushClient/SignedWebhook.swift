package import Instants
package import Secrets

/// A message as Standard Webhooks requires: a body, and the headers that identify and sign it.
package struct SignedWebhook: Sendable {
    package let body: [UInt8]
    /// `webhook-id`, `webhook-timestamp`, `webhook-signature` and the body's type.
    package let headers: [(name: String, value: String)]

    /// Signs a message. Each attempt signs anew, because its time is part of the signature.
    /// - Parameters:
    ///   - id: The same in every attempt; contains no dot.
    ///   - body: The exact bytes that are sent.
    ///   - contentType: What they are.
    ///   - secrets: Each of them signs.
    package init(
        id: String, body: [UInt8], contentType: String = "application/json", secrets: [WebhookSecret],
        at time: Timestamp
    ) {
        self.body = body
        let seconds = time.microseconds / 1_000_000
        headers = [
            ("content-type", contentType),
            ("user-agent", "AquaMonitor"),
            ("webhook-id", id),
            ("webhook-timestamp", "\(seconds)"),
            ("webhook-signature", secrets.signature(id: id, timestamp: seconds, body: body)),
        ]
    }
}
