package import Instants
package import PushClient
package import Secrets
import ServiceKit
package import Store
package import WaterQuality

/// A way to reach people's endpoints: webhooks, browsers and apps, which differ in what they are sent and in what an answer means.
package protocol DeliveryChannel: Sendable {
    /// Sends a message once. It does not throw: whatever happens is an answer.
    /// - Parameter time: Of this attempt, by the database's clock.
    func send(_ alert: RenderedAlert, to endpoint: Destination, at time: Timestamp) async -> PushReply

    /// What follows from an answer for the endpoint that it came from.
    /// - Parameter now: The time of the answer.
    func verdict(on reply: PushReply, of endpoint: Destination, now: Timestamp) -> Verdict

    /// The time from which an answer of a host counts as slow; nil where it is that of all.
    func slow(at host: String) -> Duration?

    /// For how long nothing must be sent to this endpoint because those who take its messages asked for a pause; nil when it may be.
    func pause(before endpoint: Destination) -> Duration?
}

extension DeliveryChannel {
    package func verdict(on reply: PushReply, of endpoint: Destination, now: Timestamp) -> Verdict {
        Verdict(reply.answer, now: now)
    }
    package func slow(at host: String) -> Duration? { nil }
    package func pause(before endpoint: Destination) -> Duration? { nil }
}

extension Endpoint.Channel: MetricLabel {
    package static let labelName = "channel"
}

/// Where a person wants to be told.
package struct Destination: Sendable {
    package var id: Endpoint.ID
    /// The person whose endpoint it is.
    package var account: Account.ID
    /// When whoever is there said last that it is theirs.
    package var registeredAt: Timestamp
    /// The name of where it is: its host, and a hash of its address, which is sealed with the secret in use. Of an endpoint of the
    /// version before the address itself, a capability, which belongs into no log.
    package var target: String
    /// The secret in use, and while it is being changed the one before it.
    package var secrets: [SealedSecret]
    /// The id of the key that a browser subscribed with.
    package var vapidKey: String?
    /// Of a mailbox, the text by which its person ends such mails.
    package var stopToken: String?
    /// Of a webhook, the form of what it is sent.
    package var form: StoredForm

    package init(
        id: Endpoint.ID, account: Account.ID, registeredAt: Timestamp, target: String,
        secrets: [SealedSecret], vapidKey: String? = nil,
        stopToken: String? = nil, form: StoredForm = .standard
    ) {
        self.id = id
        self.account = account
        self.registeredAt = registeredAt
        self.target = target
        self.secrets = secrets
        self.vapidKey = vapidKey
        self.stopToken = stopToken
        self.form = form
    }
}
