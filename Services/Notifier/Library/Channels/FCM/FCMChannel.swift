import Instants
import PushClient
import PushTargets
import Secrets
import ServiceKit
import WaterQuality
import WebPush

/// Sends alerts to apps on Android devices, through Firebase Cloud Messaging.
struct FCMChannel: DeliveryChannel {
    /// nil when nothing is sent there.
    let settings: FCMSettings?
    /// Where a person who taps a message is led, and where an app answers; nil where the installation has no public address.
    let origin: PublicOrigin?
    let keys: Renewable<SecretKeys>
    let client: PushClient
    let metrics: NotifierMetrics
    private let tokens = FCMTokens()
    private let pauses = OriginPauses()
    private let proof = ServiceProof()

    init(
        settings: FCMSettings?, origin: PublicOrigin?, keys: Renewable<SecretKeys>, client: PushClient,
        metrics: NotifierMetrics
    ) {
        self.settings = settings
        self.origin = origin
        self.keys = keys
        self.client = client
        self.metrics = metrics
    }

    func send(_ alert: RenderedAlert, to endpoint: Destination, at time: Timestamp) async -> PushReply {
        do {
            guard let settings else { throw Obstacle.switchedOff }
            let account = settings.account.current
            let target = try permitted("\(settings.server)/v1/projects/\(account.project)/messages:send")
            let message = try FCMMessage(
                AppMessage(
                    alert, origin: origin,
                    answer: origin.flatMap { alert.answerLinks(origin: $0, sealedWith: keys.current.newest) }),
                to: String(decoding: try keys.openEndpoint(endpoint, on: .fcm).secret, as: UTF8.self), at: time)
            let reply = try await post(message, to: target, for: endpoint, settings, at: time)
            note(reply, of: endpoint, at: time)
            return reply
        } catch let refusal as FCMGrant.Refusal {
            let reply = PushReply(refusal.answer)
            note(reply, of: endpoint, at: time)
            return reply
        } catch {
            return PushReply(.unusable("\(error)"))
        }
    }

    func verdict(on reply: PushReply, of endpoint: Destination, now: Timestamp) -> Verdict {
        .fcm(reply, isProven: proof.isGiven, now: now, random: .random(in: 0...1))
    }

    func pause(before endpoint: Destination) -> Duration? {
        settings.flatMap { pauses.rest(of: $0.server, for: endpoint.account) }
    }

    /// Sends a message; once more with another token, where Google does not take the one in use.
    private func post(
        _ message: FCMMessage, to target: PushTarget, for endpoint: Destination, _ settings: FCMSettings,
        at time: Timestamp
    ) async throws -> PushReply {
        let asker = AskerID(rawValue: endpoint.account.rawValue)
        var reply = PushReply(.noConnection(.timeout))
        for _ in 1...2 {
            let token = try await token(settings, at: time)
            reply = await client.exchange(
                message.body, headers: FCMMessage.headers + [("authorization", "Bearer \(token)")], to: target,
                for: asker)
            guard FCMFinding(reply) == .outdated else { break }
            await tokens.forget(token)
        }
        return reply
    }

    /// The token in use, or another one. All messages wait for it, whoever's comes first: it is asked for in the service's own name.
    private func token(_ settings: FCMSettings, at time: Timestamp) async throws -> String {
        try await tokens.token {
            let account = settings.account.renewed()
            do {
                let target = try permitted(account.tokenURL)
                return FCMGrant.token(
                    in: await client.exchange(
                        try FCMGrant.body(for: account, at: time), headers: FCMGrant.headers, to: target,
                        for: .service))
            } catch {
                return .failure(FCMGrant.Refusal(.unusable("\(error)")))
            }
        }.get()
    }

    private func permitted(_ url: String) throws -> PushTarget {
        guard let target = try? client.policy.register(url) else { throw Obstacle.notPermitted }
        return target
    }

    private func note(_ reply: PushReply, of endpoint: Destination, at time: Timestamp) {
        let finding = FCMFinding(reply)
        metrics.pushAnswers[.fcm, PushServiceAnswer(finding)].increment()
        if finding == .accepted { proof.give() }
        if let settings {
            pauses.note(
                reply.answer, from: settings.server, to: endpoint.account, saying: .init(finding, in: reply.answer),
                receivedAt: time)
        }
    }

    /// Why nothing is sent, in words for people.
    private enum Obstacle: String, Error, CustomStringConvertible {
        case switchedOff = "nothing is sent to apps on Android devices: the notifier has no AQUA_FCM_KEY_FILE"
        case notPermitted = "Google's server is not permitted"

        var description: String { rawValue }
    }
}
