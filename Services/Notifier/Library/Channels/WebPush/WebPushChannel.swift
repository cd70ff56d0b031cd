import Instants
import PushClient
import PushTargets
import Secrets
import ServiceKit
import WaterQuality
import WebPush

/// Sends alerts to people's browsers, through the push services of those who make the browsers (RFC 8030).
struct WebPushChannel: DeliveryChannel {
    /// nil when nothing is sent to browsers.
    let settings: WebPushSettings?
    let keys: Renewable<SecretKeys>
    let client: PushClient
    let metrics: NotifierMetrics
    private let tokens: VAPIDTokens
    private let pauses = OriginPauses()

    init(
        settings: WebPushSettings?, keys: Renewable<SecretKeys>, client: PushClient, metrics: NotifierMetrics
    ) {
        self.settings = settings
        self.keys = keys
        self.client = client
        self.metrics = metrics
        tokens = VAPIDTokens(subject: settings?.subject)
    }

    func send(_ alert: RenderedAlert, to endpoint: Destination, at time: Timestamp) async -> PushReply {
        let request: Request
        do {
            request = try makeRequest(alert, endpoint, at: time)
        } catch {
            return PushReply(.unusable("\(error)"))
        }
        let reply = await client.exchange(
            request.body, headers: request.headers, to: request.target,
            for: AskerID(rawValue: endpoint.account.rawValue))
        metrics.pushAnswers[PushService(of: request.target), PushServiceAnswer(reply.answer)].increment()
        pauses.note(reply.answer, from: request.target.origin, to: endpoint.account, receivedAt: time)
        return reply
    }

    func verdict(on reply: PushReply, of endpoint: Destination, now: Timestamp) -> Verdict {
        .webPush(reply.answer, now: now)
    }

    func pause(before endpoint: Destination) -> Duration? {
        guard let target = try? PushTarget(endpoint.target) else { return nil }
        return pauses.rest(of: target.origin, for: endpoint.account)
    }

    private struct Request {
        let target: PushTarget
        let headers: [(name: String, value: String)]
        let body: [UInt8]
    }

    /// Everything is checked again that was when the browser was registered: the rules of now decide.
    private func makeRequest(_ alert: RenderedAlert, _ endpoint: Destination, at time: Timestamp) throws -> Request {
        guard let settings else { throw Obstacle.switchedOff }
        let opened = try keys.openEndpoint(endpoint, on: .webPush)
        let target = try permitted(opened.address, by: settings.hosts)
        guard let id = endpoint.vapidKey, let key = settings.keys.current[id] ?? settings.keys.renewed()[id] else {
            throw Obstacle.unknownKey
        }
        guard let subscription = SubscriptionKeys(stored: opened.secret) else { throw Obstacle.malformed }
        let message = try WebPushMessage(
            alert, origin: settings.origin,
            answer: alert.answerLinks(origin: settings.origin, sealedWith: keys.current.newest), at: time)
        return Request(
            target: target,
            headers: message.headers + [("authorization", try tokens.authorization(for: target, key: key, at: time))],
            body: try EncryptedMessage(message.text, to: subscription).body)
    }

    private func permitted(_ text: String, by hosts: PushHosts) throws -> PushTarget {
        do {
            let target = try client.policy.register(text)
            guard hosts.permit(target) else { throw Obstacle.notPermitted }
            return target
        } catch {
            throw Obstacle.notPermitted
        }
    }

    /// Why nothing is sent, in words for people.
    private enum Obstacle: String, Error, CustomStringConvertible {
        case switchedOff = "web push is switched off: the notifier has no AQUA_VAPID_KEY_FILE or no AQUA_PUBLIC_URL"
        case notPermitted = "the push service is not permitted"
        case unknownKey = "the key that this browser subscribed with is not in AQUA_VAPID_KEY_FILE"
        case malformed = "the stored keys of the browser are malformed"

        var description: String { rawValue }
    }
}
