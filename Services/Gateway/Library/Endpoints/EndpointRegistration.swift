import PushTargets
import Routes
import Secrets
import Store
import WaterQuality
import Webhooks

/// Registers a webhook once its receiver has proven that it wants alerts.
struct EndpointRegistration: Sendable {
    let scope: Scope
    /// The session from which it is registered: signing out on its client pauses the endpoint.
    let session: SessionID?
    let url: String
    let secret: WebhookSecret
    /// nil: the one that it has, or the standard one.
    let form: WebhookForm?

    /// - Throws: `Problem`. Nothing is stored then. Whether the address is in use by somebody else is told only after
    ///   the receiver has proven to be the person's.
    func run(_ encoding: AnswerEncoding<RegisteredEndpoint>) async throws -> Answer<RegisteredEndpoint> {
        let challenger = scope.services.challenger
        let target = try challenger.policy.target(of: url)
        let (account, now) = try await EndpointAddition.require(
            roomFor: target.url, on: WebhookAddition.channel, scope)
        let outcome = try await challenger.challenge(target, for: account, signedWith: secret, at: now)
        if let problem = outcome.problem { throw Problem(problem) }
        return try await WebhookAddition(target: target, secret: secret, form: form).add(from: session, scope, encoding)
    }
}
