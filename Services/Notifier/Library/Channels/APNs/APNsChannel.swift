import Instants
import PushClient
import PushTargets
import Secrets
import ServiceKit
import WaterQuality
import WebPush

/// Sends alerts to apps on Apple devices.
struct APNsChannel: DeliveryChannel {
    /// nil when nothing is sent there.
    let settings: APNsSettings?
    /// Where a person who taps a message is led, and where an app answers; nil where the installation has no public address.
    let origin: PublicOrigin?
    let keys: Renewable<SecretKeys>
    let client: PushClient
    let metrics: NotifierMetrics
    private let tokens: APNsTokens?
    private let pauses = OriginPauses()
    private let proof = ServiceProof()

    init(
        settings: APNsSettings?, origin: PublicOrigin?, keys: Renewable<SecretKeys>, client: PushClient,
        metrics: NotifierMetrics
    ) {
        self.settings = settings
        self.origin = origin
        self.keys = keys
        self.client = client
        self.metrics = metrics
        tokens = settings.map(APNsTokens.init)
    }

    func send(_ alert: RenderedAlert, to endpoint: Destination, at time: Timestamp) async -> PushReply {
        do {
            guard let settings, let tokens else { throw Obstacle.switchedOff }
            let target = try target(of: endpoint, settings)
            let message = try APNsMessage(
                AppMessage(
                    alert, origin: origin,
                    answer: origin.flatMap { alert.answerLinks(origin: $0, sealedWith: keys.current.newest) }),
                topic: settings.topic, allowsCritical: settings.allowsCritical)
            let token = try tokens.token(at: time)
            var reply = await post(message, to: target, by: token, for: endpoint)
            if APNsFinding(reply) == .outdated, try tokens.expire(token, at: time) {
                reply = await post(message, to: target, by: try tokens.token(at: time), for: endpoint)
            }
            note(reply, of: endpoint, from: target, at: time)
            return reply
        } catch {
            return PushReply(.unusable("\(error)"))
        }
    }

    func verdict(on reply: PushReply, of endpoint: Destination, now: Timestamp) -> Verdict {
        .apns(reply, registeredAt: endpoint.registeredAt, isProven: proof.isGiven, now: now)
    }

    func pause(before endpoint: Destination) -> Duration? {
        guard let settings else { return nil }
        return [settings.server, endpoint.target].compactMap { pauses.rest(of: $0, for: endpoint.account) }.max()
    }

    /// - Throws: `Obstacle`; or that the secret cannot be opened.
    private func target(of endpoint: Destination, _ settings: APNsSettings) throws -> PushTarget {
        let token = String(decoding: try keys.openEndpoint(endpoint, on: .apns).secret, as: UTF8.self)
        guard !token.isEmpty, token.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else {
            throw Obstacle.malformed
        }
        guard let target = try? client.policy.register("\(settings.server)/3/device/\(token)") else {
            throw Obstacle.notPermitted
        }
        return target
    }

    private func post(
        _ message: APNsMessage, to target: PushTarget, by token: String, for endpoint: Destination
    ) async -> PushReply {
        await client.exchange(
            message.body, headers: message.headers + [("authorization", "bearer \(token)")], to: target,
            for: AskerID(rawValue: endpoint.account.rawValue))
    }

    /// Counts an answer, and keeps the pause that it asks for: of one phone, or of all.
    private func note(_ reply: PushReply, of endpoint: Destination, from target: PushTarget, at time: Timestamp) {
        let finding = APNsFinding(reply)
        metrics.pushAnswers[.apns, PushServiceAnswer(finding)].increment()
        if finding == .accepted { proof.give() }
        let name = finding == .tooManyForPhone ? endpoint.target : target.origin
        pauses.note(
            reply.answer, from: name, to: endpoint.account, saying: .init(finding, in: reply.answer), receivedAt: time)
    }

    /// Why nothing is sent, in words for people.
    private enum Obstacle: String, Error, CustomStringConvertible {
        case switchedOff = "nothing is sent to apps on Apple devices: the notifier has no AQUA_APNS_KEY_FILE"
        case notPermitted = "Apple's server is not permitted"
        case malformed = "the stored token of the app is malformed"

        var description: String { rawValue }
    }
}
