import Instants
import PushClient
import PushTargets
import Secrets
import ServiceKit
import WaterQuality

/// Sends alerts to people's webhooks.
struct WebhookChannel: DeliveryChannel {
    let keys: Renewable<SecretKeys>
    let client: PushClient

    func send(_ alert: RenderedAlert, to endpoint: Destination, at time: Timestamp) async -> PushAnswer {
        let target: PushTarget
        do {
            // Registered under the rules of its time; those of now decide.
            target = try client.policy.register(endpoint.target)
        } catch {
            return .unusable("the target is not permitted: \(error.rawValue)")
        }
        let message: WebhookMessage
        do {
            // The one in use has to open; the one before it only adds a signature.
            let former = endpoint.secrets.dropFirst().compactMap { try? open($0, of: endpoint) }
            message = try WebhookMessage(
                alert, secrets: try endpoint.secrets.prefix(1).map { try open($0, of: endpoint) } + former, at: time)
        } catch {
            return .unusable("\(error)")
        }
        return await client.post(message.body, headers: message.headers, to: target, for: endpoint.account)
    }

    private func open(_ sealed: SealedSecret, of endpoint: Destination) throws -> WebhookSecret {
        guard let secret = WebhookSecret(bytes: try keys.open(sealed, of: endpoint, on: .webhook)) else {
            throw Malformed()
        }
        return secret
    }

    private struct Malformed: Error, CustomStringConvertible {
        let description = "the stored secret is malformed"
    }
}
