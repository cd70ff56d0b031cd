import Messaging
import PushClient
import PushTargets
import Secrets
import ServiceKit
import TestSupport
import Testing
import WaterQuality

@testable import Notifier

/// Alerts by text messages and calls, to a stand-in for the provider that takes nothing but what is documented.
@Suite struct TelephonyDeliveryTests {
    private let provider = TelephonyProvider()
    private let origin = PublicOrigin("https://water.example.org")

    @Test func `an alarm comes as a text that leads to where it is answered`() async throws {
        try await Scene.with { [provider, origin] scene in
            try await scene.telephone(1, by: .sms, at: provider)
            try await scene.notifying(origin: origin) {
                try await scene.alarms()
                try await scene.await("accepted 201", "SELECT outcome || ' ' || status FROM delivery_attempt")
            }
            guard case .message(let text) = try provider.order(scene.sink.received[0]) else { throw Unexpected() }
            #expect(text.hasPrefix("Koi: ") && TextAlphabet.segments(of: text) <= 3, "\(text)")
            let link = try #require(text.split(separator: "\n").last)
            #expect(link.hasPrefix("https://water.example.org/answer#"), "\(text)")
            let token = SealedLink.answer.token(
                of: String(link.drop { $0 != "#" }.dropFirst()), openedWith: SecretKeys(try Scene.key))
            #expect(token?.hasPrefix("5-1-") == true)
        }
    }

    @Test func `a call says an alarm and takes a key; its end is said and takes none`() async throws {
        try await Scene.with { [provider, origin] scene in
            try await scene.telephone(1, by: .call, at: provider)
            try await scene.notifying(origin: origin) {
                try await scene.alarms()
                try await scene.await("accepted", "SELECT state FROM delivery WHERE alert_id = 1")
                try await scene.alarms(2...2, purpose: "recovery")
                try await scene.await("accepted", "SELECT state FROM delivery WHERE alert_id = 2")
            }
            let heard = try scene.sink.received.map { request in
                guard case .call(let document) = try provider.order(request) else { throw Unexpected() }
                return document
            }
            #expect(heard.count == 2 && heard.allSatisfy { $0.said.count == 2 && $0.said[0].language == "es-ES" })
            #expect(heard[0].said[0].text.contains("Koi: ") && heard[0].said[0].text.contains("Pulsa 1"))
            let action = try #require(heard[0].gather?["action"])
            let path = "https://water.example.org/api/v1/call-answers/"
            #expect(action.hasPrefix(path))
            let link = CallLink(String(action.dropFirst(path.count)), openedWith: SecretKeys(try Scene.key))
            #expect(link?.endpoint == 1 && link?.answerToken.hasPrefix("5-1-") == true)
            #expect(heard[1].gather == nil && !heard[1].said[0].text.contains("Pulsa"))
        }
    }

    @Test func `an installation without an address only speaks`() async throws {
        try await Scene.with { [provider] scene in
            try await scene.telephone(1, by: .call, at: provider)
            try await scene.notifying {
                try await scene.alarms()
                try await scene.await("accepted", "SELECT state FROM delivery")
            }
            guard case .call(let heard) = try provider.order(scene.sink.received[0]) else { throw Unexpected() }
            #expect(heard.gather == nil && heard.said.count == 2)
        }
    }

    @Test func `what a provider refuses for now is tried again, and nobody is retired`() async throws {
        try await Scene.with { [provider] scene in
            try await scene.telephone(1, by: .sms, at: provider)
            let refusals = [(401, 20003), (400, 21211), (400, 21614)].map { status, code in
                WebhookSink.Answer.body(#"{"code":\#(code),"status":\#(status)}"#, status: status)
            }
            scene.sink.answer(
                [.status(429, retryAfter: "0"), .status(503), .close] + refusals, then: TelephonyProvider.accepted)
            try await scene.notifying {
                try await scene.alarms()
                try await scene.await("accepted", "SELECT state FROM delivery")
            }
            let outcomes = try await scene.ask(
                "SELECT string_agg(outcome || coalesce(' ' || status, ''), ',' ORDER BY attempt) FROM delivery_attempt")
            #expect(
                outcomes == "retry 429,retry 503,retry,retry 401,retry 400,retry 400,accepted 201", "\(outcomes)")
            #expect(try await scene.ask("SELECT count(*) FROM endpoint_retirement") == "0")
        }
    }

    @Test func `a provider's wish to wait is heeded`() async throws {
        try await Scene.with { [provider] scene in
            try await scene.telephone(1, by: .call, at: provider)
            scene.sink.answer(then: .status(429, retryAfter: "120"))
            try await scene.notifying {
                try await scene.alarms()
                try await scene.await("1", "SELECT count(*) FROM delivery_attempt")
            }
            #expect(
                try await scene.ask("SELECT next_attempt_at > now() + interval '60 s' FROM delivery") == "t")
        }
    }

    /// The limit is that of an account at the provider, and others pay for theirs.
    @Test func `an account that is asked to wait delays no other at the same provider`() async throws {
        try await Scene.with { [provider] scene in
            try await scene.telephone(1, by: .sms, at: provider)
            scene.sink.answer {
                $0.path.contains("/Accounts/\(provider.account)/")
                    ? .status(429, retryAfter: "120") : TelephonyProvider.accepted
            }
            let metrics = MetricsRegistry()
            try await scene.notifying(metrics: metrics) {
                try await scene.alarms()
                try await scene.await("1", "SELECT count(*) FROM delivery_attempt")
                var (sibling, other) = (provider, provider)
                sibling.to = "+15550100301"
                other.account = "AC-of-another-account"
                try await scene.telephone(2, by: .sms, at: sibling, answering: false)
                try await scene.telephone(3, by: .sms, at: other, answering: false)
                try await scene.alarms(2...2)
                try await scene.await(
                    "3",
                    "SELECT string_agg(endpoint_id::text, ',') FROM delivery WHERE alert_id = 2 AND state = 'accepted'")
                // Until shortly after the end of the pause, unsent.
                try await scene.await(
                    "1,2",
                    """
                    SELECT string_agg(endpoint_id::text, ',' ORDER BY endpoint_id) FROM delivery
                    WHERE alert_id = 2 AND state = 'pending' AND holder IS NULL AND next_attempt_at > now() + interval '60 s'
                    """)
            }
            #expect(scene.sink.received.count == 2)
            #expect(metrics.render().contains("aqua_notifier_paused_total 2"))
        }
    }

    /// One account's slow answers hold back nobody else's, at a host where everybody is served; a person's own server is as slow as it is.
    @Test func `a provider's seconds are no outage`() async throws {
        try await PushClient.with(policy: PushTargetPolicy(allowed: PushAllowList())) { client in
            let channel = MessagingChannel(
                service: try #require(MessagingServices[channel: .sms]), origin: nil,
                keys: Renewable(SecretKeys(try Scene.key)), courier: Courier(client: client, mail: nil))
            #expect(channel.slow(at: "api.twilio.com") == MessagingChannel.outage)
            #expect(channel.slow(at: "sms.example.org") == nil)
            #expect(MessagingChannel.outage > NotifierSettings().slow)
            #expect(MessagingChannel.outage < PushClient.Limits().connect)
        }
    }

    /// Whether the telephone rang is not known then, so it rings again rather than not at all.
    @Test func `a provider that never answers is asked again`() async throws {
        try await Scene.with { [provider] scene in
            try await scene.telephone(1, by: .call, at: provider)
            scene.sink.answer([.hang], then: TelephonyProvider.accepted)
            var settings = Scene.settings
            settings.limits.total = .milliseconds(500)
            try await scene.notifying(settings) {
                try await scene.alarms()
                try await scene.await("accepted", "SELECT state FROM delivery")
            }
            let outcomes = try await scene.ask("SELECT string_agg(outcome, ',' ORDER BY attempt) FROM delivery_attempt")
            #expect(outcomes == "ambiguous,accepted")
        }
    }

    @Test func `whoever has answered STOP is told no more`() async throws {
        try await Scene.with { [provider] scene in
            try await scene.telephone(1, by: .sms, at: provider)
            scene.sink.answer(then: .body(#"{"code":21610,"status":400}"#, status: 400))
            try await scene.notifying {
                try await scene.alarms()
                try await scene.await("gone", "SELECT outcome FROM delivery_attempt")
            }
            #expect(try await scene.ask("SELECT count(*) FROM endpoint_retirement") == "1")
            #expect(scene.sink.received.count == 1)
        }
    }

    private struct Unexpected: Error {}
}

extension Scene {
    /// Registers a telephone at a provider in the place of the scene's receiver.
    fileprivate func telephone(
        _ number: Int64, by channel: Endpoint.Channel, at provider: TelephonyProvider, answering: Bool = true
    ) async throws {
        try await register(
            number, by: channel,
            [
                .server: sink.url(path: "/"), .account: provider.account, .token: provider.token, .from: provider.from,
                .to: provider.to,
            ])
        if answering { sink.answer(by: provider.answer) }
    }
}
