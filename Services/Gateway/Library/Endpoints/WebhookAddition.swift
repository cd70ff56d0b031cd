import HTTPTypes
import Postgres
import PushTargets
import Routes
import Secrets
import ServiceKit
import Store
import WaterQuality
import Webhooks

/// A webhook that has proven to be the person's, about to be stored with its form.
struct WebhookAddition: Sendable {
    let target: PushTarget
    let secret: WebhookSecret
    /// nil: the one that it has, or the standard one.
    let form: WebhookForm?

    static let channel = Endpoint.Channel.webhook

    /// - Parameter session: The session from which it is registered: signing out on its client pauses the endpoint.
    /// - Throws: `Problem` where it is somebody else's, or the person has no room for it.
    func add(
        from session: SessionID?, _ scope: Scope, _ encoding: AnswerEncoding<RegisteredEndpoint>
    ) async throws -> Answer<RegisteredEndpoint> {
        let key = scope.services.secretKeys.renewed().newest
        let addition = EndpointAddition(channel: Self.channel, address: target.url, secret: secret.bytes)
        return try await scope.creation(encoding) { transaction, account in
            let endpoint = try addition.add(to: account, sealedWith: key, from: session, in: transaction)
            if let form {
                let stored = try form.stored(for: endpoint, sealedWith: key)
                _ = try transaction.execute(SetEndpointForm(endpoint, of: account, to: stored))
            }
            let registered = RegisteredEndpoint(
                endpoint: try transaction.endpoint(endpoint, of: account), secret: secret.text)
            return .value(registered, headers: [.location: "\(GatewayAPI.base)/endpoints/\(endpoint)"])
        }
    }
}

extension PushTargetPolicy {
    /// The target of an address that a person gave.
    /// - Throws: `Problem`, which names what is wrong with it.
    func target(of url: String) throws -> PushTarget {
        do {
            return try register(url)
        } catch {
            throw Problem(EndpointInputs.url, Fault(error))
        }
    }
}
