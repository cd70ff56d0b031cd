package import Instants
package import PushClient
package import Secrets
import ServiceKit
package import WaterQuality

/// A way to reach people's endpoints: webhooks now; others differ in what they send and what they make of an answer.
package protocol DeliveryChannel: Sendable {
    /// Sends a message once. It does not throw: whatever happens is an answer, and what follows from it is decided by
    /// `Verdict`, the same for all channels.
    /// - Parameter time: Of this attempt, by the database's clock.
    func send(_ alert: RenderedAlert, to endpoint: Destination, at time: Timestamp) async -> PushAnswer
}

extension Endpoint.Channel: MetricLabel {
    package static let labelName = "channel"
}

/// Where a person wants to be told.
package struct Destination: Sendable {
    package var id: Endpoint.ID
    /// Whose it is.
    package var account: Account.ID
    /// A capability, which belongs into no log.
    package var target: String
    /// The secret in use, and while it is being changed the one before it.
    package var secrets: [SealedSecret]

    package init(id: Endpoint.ID, account: Account.ID, target: String, secrets: [SealedSecret]) {
        self.id = id
        self.account = account
        self.target = target
        self.secrets = secrets
    }
}
