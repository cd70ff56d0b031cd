import Instants
import PushClient
import PushTargets
import Secrets
import ServiceKit
import WaterQuality
import Webhooks

/// Sends alerts to people's webhooks.
struct WebhookChannel: DeliveryChannel {
    /// Where what is sent says that it comes from; nil where the installation has no public address.
    let origin: PublicOrigin?
    let keys: Renewable<SecretKeys>
    let client: PushClient
    let metrics: NotifierMetrics

    func send(_ alert: RenderedAlert, to endpoint: Destination, at time: Timestamp) async -> PushReply {
        let (address, message): (String, WebhookMessage)
        do {
            let opened = try keys.openEndpoint(endpoint, on: .webhook)
            guard let secret = WebhookSecret(bytes: opened.secret) else { throw Malformed() }
            address = opened.address
            message = try WebhookMessage(
                alert, as: form(of: endpoint), from: origin?.text, secrets: [secret] + former(of: endpoint), at: time)
        } catch {
            return PushReply(.unusable("\(error)"))
        }
        let target: PushTarget
        do {
            // Registered under the rules of its time; those of now decide.
            target = try client.policy.register(address)
        } catch {
            return PushReply(.unusable("the target is not permitted: \(error.rawValue)"))
        }
        return await client.exchange(
            message.body, headers: message.headers, to: target, for: AskerID(rawValue: endpoint.account.rawValue))
    }

    /// The form of what is sent, by the keys of now where those of before open no template. One that cannot be read is the standard form: an
    /// alert in another form is better than none.
    private func form(of endpoint: Destination) -> WebhookForm {
        for keys in [{ keys.current }, keys.renewed] {
            if let form = WebhookForm(endpoint.form, of: endpoint.id, openedWith: keys()) { return form }
        }
        metrics.unreadableForms.increment()
        return .standard
    }

    /// The secret before the one in use only adds a signature.
    private func former(of endpoint: Destination) -> [WebhookSecret] {
        endpoint.secrets.dropFirst().compactMap { sealed in
            (try? keys.open(sealed, of: endpoint, on: .webhook)).flatMap(WebhookSecret.init(bytes:))
        }
    }

    private struct Malformed: Error, CustomStringConvertible {
        let description = "the stored secret is malformed"
    }
}
