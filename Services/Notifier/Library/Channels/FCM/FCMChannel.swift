import Instants
import PushClient
import PushTargets
import ServiceKit
import WaterQuality
import WebPush

/// Sends alerts to apps on Android devices, through Firebase Cloud Messaging.
struct FCMChannel: DeliveryChannel {
    /// nil when nothing is sent there.
    let settings: FCMSettings?
    let apps: AppSending
    private let tokens = FCMTokens()

    init(settings: FCMSettings?, apps: AppSending) {
        self.settings = settings
        self.apps = apps
    }

    func send(_ alert: RenderedAlert, to endpoint: Destination, at time: Timestamp) async -> PushReply {
        guard let settings else { return PushReply(.unusable("\(AppObstacle.switchedOff(.fcmKeyFile))")) }
        do {
            let target = try apps.target(
                "\(settings.server)/v1/projects/\(settings.account.current.project)/messages:send")
            let message = try FCMMessage(
                apps.message(alert), to: try apps.token(of: endpoint, on: .fcm), at: time)
            let reply = try await post(message, to: target, for: endpoint, settings, at: time)
            note(reply, of: endpoint, settings, at: time)
            return reply
        } catch let refusal as FCMGrant.Refusal {
            let reply = PushReply(refusal.answer)
            note(reply, of: endpoint, settings, at: time)
            return reply
        } catch {
            return PushReply(.unusable("\(error)"))
        }
    }

    func verdict(on reply: PushReply, of endpoint: Destination, now: Timestamp) -> Verdict {
        .fcm(reply, isProven: apps.proof.isGiven, now: now, random: .random(in: 0...1))
    }

    func pause(before endpoint: Destination) -> Duration? {
        settings.flatMap { apps.pauses.rest(of: $0.server, for: endpoint.account) }
    }

    /// Sends a message; once more with another token, where Google does not take the one in use.
    private func post(
        _ message: FCMMessage, to target: PushTarget, for endpoint: Destination, _ settings: FCMSettings,
        at time: Timestamp
    ) async throws -> PushReply {
        var reply = PushReply(.noConnection(.timeout))
        for _ in 1...2 {
            let token = try await token(settings, at: time)
            reply = await apps.post(
                message.body, headers: FCMMessage.headers, to: target, by: "Bearer \(token)", for: endpoint)
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
                let target = try apps.target(account.tokenURL)
                return FCMGrant.token(
                    in: await apps.client.exchange(
                        try FCMGrant.body(for: account, at: time), headers: FCMGrant.headers, to: target,
                        for: .service))
            } catch {
                return .failure(FCMGrant.Refusal(.unusable("\(error)")))
            }
        }.get()
    }

    private func note(_ reply: PushReply, of endpoint: Destination, _ settings: FCMSettings, at time: Timestamp) {
        let finding = FCMFinding(reply)
        apps.note(
            PushServiceAnswer(finding), .init(finding, in: reply.answer), in: reply, from: settings.server,
            to: endpoint,
            on: .fcm, at: time)
    }
}
