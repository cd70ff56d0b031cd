package import Instants
package import Secrets
import ServiceKit
package import WaterQuality

/// A way to reach people's endpoints: webhooks now; others differ in what they send and what they make of an answer.
package protocol DeliveryChannel: Sendable {
    /// Sends a message once. It does not throw: whatever happens is an answer, and what follows from it is decided by
    /// `Verdict`, the same for all channels.
    /// - Parameter time: Of this attempt, by the database's clock.
    func send(_ alert: RenderedAlert, to endpoint: Destination, at time: Timestamp) async -> Answer
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

/// What came of one request.
package enum Answer: Hashable, Sendable {
    /// - Parameter retryAfter: The header as it came.
    case response(status: Int, retryAfter: String? = nil)
    /// Nothing was sent, as there was no connection.
    case noConnection(Cause)
    /// The connection ended after the request had begun, and no answer came.
    case broken
    /// The request was sent and no answer came in time: it may have been taken.
    case silence
    /// The target's name leads to an address that must not be called; nothing was sent.
    case notPermitted
    /// The stored target or secret cannot be used; nothing was sent.
    case unusable(String)

    /// No more than this is told of a failed connection: a person who registers targets would learn from it what
    /// stands in our network.
    package enum Cause: String, Hashable, Sendable {
        case timeout = "no connection in time"
        case refused = "no connection"
        case encryption = "no encrypted connection: the certificate or the protocol does not fit"
    }
}
