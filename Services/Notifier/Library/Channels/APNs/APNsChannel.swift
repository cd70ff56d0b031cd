import Instants
import PushClient
import PushTargets
import ServiceKit
import WaterQuality
import WebPush

/// Sends alerts to apps on Apple devices.
struct APNsChannel: DeliveryChannel {
    /// nil when nothing is sent there.
    let settings: APNsSettings?
    let apps: AppSending
    private let tokens: APNsTokens?

    init(settings: APNsSettings?, apps: AppSending) {
        self.settings = settings
        self.apps = apps
        tokens = settings.map(APNsTokens.init)
    }

    func send(_ alert: RenderedAlert, to endpoint: Destination, at time: Timestamp) async -> PushReply {
        do {
            guard let settings, let tokens else { throw AppObstacle.switchedOff(.apnsKeyFile) }
            let target = try target(of: endpoint, settings)
            let message = try APNsMessage(
                apps.message(alert), topic: settings.topic, allowsCritical: settings.allowsCritical)
            func post(by token: String) async -> PushReply {
                await apps.post(
                    message.body, headers: message.headers, to: target, by: "bearer \(token)", for: endpoint)
            }
            let token = try tokens.token(at: time)
            var reply = await post(by: token)
            if APNsFinding(reply) == .outdated, try tokens.expire(token, at: time) {
                reply = await post(by: try tokens.token(at: time))
            }
            // A single phone rests, or all.
            let finding = APNsFinding(reply)
            apps.note(
                PushServiceAnswer(finding), .init(finding, in: reply.answer), in: reply,
                from: finding == .tooManyForPhone ? endpoint.target : target.origin, to: endpoint, on: .apns, at: time)
            return reply
        } catch {
            return PushReply(.unusable("\(error)"))
        }
    }

    func verdict(on reply: PushReply, of endpoint: Destination, now: Timestamp) -> Verdict {
        .apns(reply, registeredAt: endpoint.registeredAt, isProven: apps.proof.isGiven, now: now)
    }

    func pause(before endpoint: Destination) -> Duration? {
        guard let settings else { return nil }
        return [settings.server, endpoint.target].compactMap { apps.pauses.rest(of: $0, for: endpoint.account) }.max()
    }

    /// - Throws: `AppObstacle`; or that the secret cannot be opened.
    private func target(of endpoint: Destination, _ settings: APNsSettings) throws -> PushTarget {
        let token = try apps.token(of: endpoint, on: .apns)
        guard !token.isEmpty, token.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else {
            throw AppObstacle.malformed
        }
        return try apps.target("\(settings.server)/3/device/\(token)")
    }
}
