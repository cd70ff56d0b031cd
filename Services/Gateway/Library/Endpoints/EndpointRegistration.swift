import HTTPTypes
import Postgres
import PushTargets
import Routes
import Secrets
import ServiceKit
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
    let form: WebhookForm

    private static let channel = Endpoint.Channel.webhook

    /// - Throws: `Problem`. Nothing is stored then. Whether the address is in use by somebody else is told only after
    ///   the receiver has proven to be the person's.
    func run(_ encoding: AnswerEncoding<RegisteredEndpoint>) async throws -> Answer<RegisteredEndpoint> {
        let challenger = scope.services.challenger
        let target = try permitted(by: challenger.policy)
        let (account, now) = try await EndpointAddition.require(roomFor: target.url, on: Self.channel, scope)
        let outcome = try await challenger.challenge(target, for: account, signedWith: secret, at: now)
        if let problem = outcome.problem { throw Problem(problem) }
        let keys = scope.services.secretKeys.renewed()
        let addition = EndpointAddition(channel: Self.channel, address: target.url, secret: secret.bytes)
        return try await scope.creation(encoding) { transaction, account in
            let endpoint = try addition.add(
                to: account, sealedWith: keys.newest, from: session, in: transaction)
            let stored = try form.stored(for: endpoint, sealedWith: keys.newest)
            _ = try transaction.execute(SetEndpointForm(endpoint, of: account, to: stored))
            let registered = RegisteredEndpoint(
                endpoint: try transaction.endpoint(endpoint, of: account), secret: secret.text)
            return .value(registered, headers: [.location: "\(GatewayAPI.base)/endpoints/\(endpoint)"])
        }
    }

    private func permitted(by policy: PushTargetPolicy) throws -> PushTarget {
        do {
            return try policy.register(url)
        } catch {
            throw Problem(EndpointInputs.url, Fault(error))
        }
    }
}
