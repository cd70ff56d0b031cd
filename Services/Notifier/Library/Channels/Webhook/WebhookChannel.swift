import PushTargets
import Secrets
import WaterQuality

/// Sends alerts to people's webhooks.
struct WebhookChannel: DeliveryChannel {
    let key: SecretKey
    let client: PushClient

    func send(_ alert: RenderedAlert, to endpoint: Endpoint, at time: Timestamp) async -> Answer {
        let target: PushTarget
        do {
            // Registered under the rules of its time; those of now decide.
            target = try client.policy.register(endpoint.target)
        } catch {
            return .unusable("the target is not permitted: \(error.rawValue)")
        }
        let message: WebhookMessage
        do {
            let opened = try endpoint.secret.open(
                with: key, channel: ChannelName.webhook.rawValue, endpoint: endpoint.id)
            guard let secret = WebhookSecret(bytes: opened) else { return .unusable("the stored secret is malformed") }
            message = try WebhookMessage(alert, secret: secret, at: time)
        } catch {
            return .unusable("\(error)")
        }
        return await client.post(message.body, headers: message.headers, to: target)
    }
}
