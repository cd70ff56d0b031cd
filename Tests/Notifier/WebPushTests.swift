import Foundation
import Instants
import PushClient
import PushTargets
import Secrets
import ServiceKit
import Store
import Synchronization
import TestSupport
import Testing
import WaterQuality
import WebPush

@testable import Notifier

/// Alerts to browsers, through PostgreSQL and a push service that checks every byte.
@Suite struct WebPushTests {
    @Test func `an alert reaches a browser in its person's words, which nobody else can read`() async throws {
        try await Scene.with(.http2) { scene in
            let browser = try await scene.browser(1)
            let requests = try await scene.notifying(webPush: scene.webPush()) {
                try await scene.alarms()
                return try await scene.sink.requests(1)
            }
            let message = try browser.read(
                requests[0], at: scene.sink.port, vapidKey: Scene.vapidKeys.publicKeys[0])
            #expect((1700...1800).contains(message.ttl) && message.urgency == "high")
            #expect(message.topic == CollapseTopic.text(of: "pond-1/temperature/range"))
            #expect(message.json["web_push"] as? Int == 8030)
            let shown = message.notification
            #expect((shown["title"] as? String)?.hasPrefix("Koi: ") == true)
            #expect((shown["body"] as? String)?.contains("78,1 °F") == true)
            #expect(shown["navigate"] as? String == "https://water.example.org/alerts/5_1")
            #expect(shown["lang"] as? String == "es" && shown["dir"] as? String == "ltr")
            #expect(shown["silent"] as? Bool == false && shown["renotify"] as? Bool == true)
            #expect(shown["tag"] as? String == message.topic)
            // The link by which whoever reads the message answers it.
            let data = try #require(shown["data"] as? [String: String])
            let link = try #require(data["answer"])
            #expect(
                data.filter { !["answer", "receipt"].contains($0.key) } == [
                    "alert": "5_1", "device": "pond-1", "parameter": "temperature", "kind": "range", "purpose": "alarm",
                ])
            // The receipt by which its worker says that it has arrived, and nobody for another.
            let receipt = try #require(data["receipt"])
            #expect(try await scene.ask("SELECT note_arrival('\(receipt.replacing("-1-", with: "-2-"))')") == "f")
            #expect(try await scene.ask("SELECT note_arrival('\(receipt)')") == "t")
            #expect(try await scene.ask("SELECT arrived_at IS NOT NULL FROM delivery") == "t")
            let token = try #require(SealedLink.answer.token(of: link, openedWith: SecretKeys(try Scene.key)))
            #expect(
                try await scene.ask(
                    "SELECT concat_ws(' ', slot, alert_id, until - now() > interval '3 hours', holds) FROM enter_answer('\(token)')"
                )
                    == "5 1 t t")
            let page = "https://water.example.org/answer#\(link)"
            #expect(
                shown["actions"] as? [[String: String]] == [
                    ["action": "onIt", "title": "Me ocupo", "navigate": page],
                    ["action": "snooze", "title": "Silenciar 1 h", "navigate": page],
                ])
            #expect(try await scene.ask("SELECT state FROM alert") == "delivered")
        }
    }

    @Test func `a silence reaches a browser too`() async throws {
        try await Scene.with(.http2) { scene in
            let browser = try await scene.browser(1)
            let requests = try await scene.notifying(webPush: scene.webPush()) {
                try await scene.silence(of: .ph)
                return try await scene.sink.requests(1)
            }
            let message = try browser.read(
                requests[0], at: scene.sink.port, vapidKey: Scene.vapidKeys.publicKeys[0])
            #expect(message.topic == CollapseTopic.text(of: "pond-1/ph/silence") && message.urgency == "high")
            #expect(message.notification["title"] as? String == "Koi: Sin mediciones de pH")
            #expect(
                (message.notification["data"] as? [String: String])?.filter { !["answer", "receipt"].contains($0.key) }
                    == [
                        "alert": "5_1", "device": "pond-1", "parameter": "ph", "kind": "silence", "purpose": "alarm",
                    ])
        }
    }

    @Test func `the all-clear replaces its alarm, and one token serves them all`() async throws {
        try await Scene.with(.http2) { scene in
            let browser = try await scene.browser(1)
            let requests = try await scene.notifying(webPush: scene.webPush()) {
                for (index, purpose) in ["alarm", "reminder", "recovery"].enumerated() {
                    try await scene.alarms((index + 1)...(index + 1), purpose: purpose)
                    _ = try await scene.sink.requests(index + 1)
                }
                return scene.sink.received
            }
            let messages = try requests.map {
                try browser.read($0, at: scene.sink.port, vapidKey: Scene.vapidKeys.publicKeys[0])
            }
            #expect(Set(messages.map(\.topic)).count == 1)
            #expect(Set(messages.map(\.authorization)).count == 1)
            #expect(messages.map(\.urgency) == ["high", "high", "normal"])
            #expect(messages.map { $0.notification["renotify"] as? Bool } == [true, true, false])
            #expect(Set(messages.compactMap { $0.notification["tag"] as? String }).count == 1)
        }
    }

    /// One after the other, so that each of them is the push service's latest answer at some time.
    @Test(arguments: [400, 401, 403, 413])
    func `a refusal retires nobody, is told to the operator, and waits for minutes`(status: Int) async throws {
        try await Scene.with(.http2) { scene in
            try await scene.browser(1)
            scene.sink.answer(then: .status(status))
            let metrics = MetricsRegistry()
            try await scene.notifying(webPush: scene.webPush(), metrics: metrics) {
                try await scene.alarms()
                try await scene.await("1", "SELECT count(*) FROM delivery_attempt")
            }
            #expect(
                try await scene.ask(
                    "SELECT state || ' ' || (next_attempt_at > now() + interval '4 minutes') FROM delivery")
                    == "pending true")
            #expect(try await scene.ask("SELECT outcome || ' ' || status FROM delivery_attempt") == "retry \(status)")
            #expect(try await scene.ask("SELECT count(*) FROM usable_endpoint") == "1")
            #expect(scene.sink.received.count == 1)
            let label = [400: "badRequest", 401: "unauthorized", 403: "forbidden", 413: "tooLarge"][status] ?? ""
            #expect(
                metrics.render().contains(
                    #"aqua_notifier_push_answers_total{service="other",answer="\#(label)"} 1"#))
        }
    }

    @Test(arguments: [404, 410])
    func `a subscription that has ended is retired, and nothing else`(status: Int) async throws {
        try await Scene.with(.http2) { scene in
            try await scene.browser(1)
            try await scene.browser(2)
            scene.sink.answer([.status(status)], then: .status(201))
            try await scene.notifying(webPush: scene.webPush()) {
                try await scene.alarms()
                try await scene.await("delivered", "SELECT state FROM alert")
            }
            #expect(try await scene.ask("SELECT count(*) FROM usable_endpoint") == "1")
            #expect(
                try await scene.ask("SELECT retired_because FROM endpoint_retirement")
                    == "the receiver answered \(status)"
            )
            #expect(scene.sink.received.count == 2)
        }
    }

    @Test(arguments: [200, 201, 202])
    func `what a push service may say to a message that it takes`(status: Int) async throws {
        try await Scene.with(.http2) { scene in
            try await scene.browser(1)
            scene.sink.answer(then: .status(status))
            try await scene.notifying(webPush: scene.webPush()) {
                try await scene.alarms()
                try await scene.await("delivered", "SELECT state FROM alert")
            }
            #expect(scene.sink.received.count == 1)
        }
    }

    @Test func `trouble on the way is tried again, and a redirection is not followed`() async throws {
        try await Scene.with(.http2) { scene in
            try await scene.browser(1)
            let elsewhere = scene.sink.url(path: "/elsewhere")
            scene.sink.answer(
                [.status(500), .status(302, location: elsewhere), .status(502), .close, .refuse], then: .status(201))
            let requests = try await scene.notifying(webPush: scene.webPush()) {
                try await scene.alarms()
                try await scene.await("delivered", "SELECT state FROM alert")
                return scene.sink.received
            }
            #expect(requests.count >= 6 && requests.allSatisfy { $0.path == "/push/1" })
            #expect(Set(requests.compactMap { $0.header("topic") }).count == 1)
            // No key encrypts twice.
            #expect(Set(requests.map { Array($0.body.prefix(86)) }).count == requests.count)
        }
    }

    @Test func `a service that is unavailable rests for everybody`() async throws {
        try await Scene.with(.http2) { scene in
            try await scene.browser(1)
            scene.sink.answer([.status(503, retryAfter: "120")], then: .status(201))
            let metrics = MetricsRegistry()
            try await scene.notifying(webPush: scene.webPush(), metrics: metrics) {
                try await scene.alarms(1...1)
                try await scene.await("1", "SELECT count(*) FROM delivery_attempt")
                try await scene.alarms(2...3)
                // The deliveries are delayed unsent, until shortly after the end of the pause.
                try await scene.await(
                    "3",
                    """
                    SELECT count(*) FROM delivery WHERE state = 'pending' AND holder IS NULL
                        AND next_attempt_at BETWEEN now() + interval '60 s' AND now() + interval '140 s'
                    """)
            }
            #expect(scene.sink.received.count == 1)
            #expect(try await scene.ask("SELECT count(*) FROM delivery_attempt") == "1")
            #expect(metrics.render().contains("aqua_notifier_paused_total 2"))
        }
    }

    @Test func `a message has as long left as it has`() async throws {
        try await Scene.with(.http2) { scene in
            let browser = try await scene.browser(1)
            let requests = try await scene.notifying(webPush: scene.webPush()) {
                try await scene.alarms(age: 1500)
                return try await scene.sink.requests(1)
            }
            let message = try browser.read(
                requests[0], at: scene.sink.port, vapidKey: Scene.vapidKeys.publicKeys[0])
            #expect((1...300).contains(message.ttl))
        }
    }

    @Test func `each browser is sent to with the key that it subscribed with`() async throws {
        try await Scene.with(.http2) { scene in
            let (new, old) = (try await scene.browser(1), try await scene.browser(2, key: 1))
            let requests = try await scene.notifying(webPush: scene.webPush()) {
                let ids = try Scene.vapidKeys.publicKeys.map(\.id)
                try await scene.await(
                    ids.joined(separator: " "), "SELECT string_agg(key_id, ' ' ORDER BY position) FROM vapid_key")
                try await scene.alarms()
                return try await scene.sink.requests(2)
            }
            for (browser, key) in zip([new, old], try Scene.vapidKeys.publicKeys) {
                let request = try #require(requests.first { $0.path == browser.path })
                _ = try browser.read(request, at: scene.sink.port, vapidKey: key)
            }
        }
    }

    /// The file is read anew, like every other key file.
    @Test func `a key that the file holds since is announced and used`() async throws {
        try await Scene.with(.http2) { scene in
            let isRotated = Flag()
            let old = try #require(VAPIDKeys([Scene.vapidLines[1]]))
            let both = try Scene.vapidKeys
            let keys = Renewable(old) { isRotated.value ? both : old }
            var settings = Scene.settings
            settings.announcement = .milliseconds(50)
            try await scene.browser(1)
            try await scene.notifying(settings, webPush: scene.webPush(keys)) {
                try await scene.await("1", "SELECT count(*) FROM vapid_key")
                isRotated.raise()
                try await scene.await(both.publicKeys[0].id, "SELECT key_id FROM vapid_key WHERE position = 0")
                try await scene.alarms()
                _ = try await scene.sink.requests(1)
            }
            #expect(try await scene.ask("SELECT count(*) FROM vapid_key") == "2")
        }
    }

    /// A notifier on another machine has read its file earlier, and people subscribe with the key that it announced.
    @Test func `a key that somebody else announced is looked for in the file before anything is refused`() async throws
    {
        try await Scene.with(.http2) { scene in
            let isRotated = Flag()
            let old = try #require(VAPIDKeys([Scene.vapidLines[1]]))
            let both = try Scene.vapidKeys
            let keys = Renewable(old) { isRotated.value ? both : old }
            var settings = Scene.settings
            settings.announcement = .seconds(86_400)
            let browser = try await scene.browser(1)
            let requests = try await scene.notifying(settings, webPush: scene.webPush(keys)) {
                try await scene.await("1", "SELECT count(*) FROM vapid_key")
                isRotated.raise()
                try await scene.alarms()
                try await scene.await("1", "SELECT count(*) FROM delivery_attempt")
                return scene.sink.received
            }
            let request = try #require(requests.first, "refused before the file was read anew")
            _ = try browser.read(request, at: scene.sink.port, vapidKey: both.publicKeys[0])
        }
    }

    @Test func `without keys nothing is sent, announced or lost`() async throws {
        try await Scene.with(.http2) { scene in
            try await scene.browser(1)
            try await scene.database.sql(
                """
                INSERT INTO vapid_key VALUES
                    ('0123456789abcdef', decode(repeat('04', 65), 'hex'), 0, now() - interval '6 minutes')
                """)
            try await scene.notifying {
                try await scene.alarms()
                try await scene.await("refused", "SELECT DISTINCT outcome FROM delivery_attempt")
                try await scene.await("0", "SELECT count(*) FROM vapid_key")
            }
            #expect(try await scene.ask("SELECT state FROM delivery") == "pending")
            let detail = try await scene.ask("SELECT DISTINCT detail FROM delivery_attempt")
            #expect(detail.contains("AQUA_VAPID_KEY_FILE"))
            #expect(scene.sink.received.isEmpty)
        }
    }

    /// Notifiers of two versions run beside each other for a while, and one of them has read a newer file, or none.
    @Test(arguments: [true, false]) func `what another notifier announces stays until it is silent`(
        hasKeys: Bool
    ) async throws {
        try await Scene.with(.http2) { scene in
            try await scene.database.sql(
                """
                INSERT INTO vapid_key VALUES
                    ('0123456789abcdef', decode(repeat('04', 65), 'hex'), 0, now() - interval '4 minutes'),
                    ('fedcba9876543210', decode(repeat('05', 65), 'hex'), 1, now() - interval '6 minutes')
                """)
            try await scene.notifying(webPush: hasKeys ? scene.webPush() : nil) {
                try await scene.await("0", "SELECT count(*) FROM vapid_key WHERE key_id = 'fedcba9876543210'")
            }
            #expect(try await scene.ask("SELECT count(*) FROM vapid_key WHERE key_id = '0123456789abcdef'") == "1")
        }
    }

    /// Only push services are called, whatever the table holds.
    @Test(arguments: ["https://example.org/push", "https://127.0.0.1/x.push.apple.com/", "http://fcm.googleapis.com/x"])
    func `an address that is none of a push service is not called`(url: String) async throws {
        try await Scene.with(.http2) { scene in
            try await scene.browser(1, url: url)
            try await scene.notifying(webPush: scene.webPush()) {
                try await scene.alarms()
                try await scene.await("refused", "SELECT DISTINCT outcome FROM delivery_attempt")
            }
            #expect(
                try await scene.ask("SELECT DISTINCT detail FROM delivery_attempt")
                    == "the push service is not permitted")
        }
    }

    /// A push service's name that leads into our network, as a wrong name server may say.
    @Test func `a push service that leads to a private address is not called`() async throws {
        try await Scene.with(.http2) { scene in
            try await scene.browser(1, url: "https://web.push.apple.com/x")
            var settings = Scene.settings
            settings.ask = { _ in [IPAddress("127.0.0.1")].compactMap(\.self) }
            try await scene.notifying(settings, webPush: scene.webPush()) {
                try await scene.alarms()
                try await scene.await("refused", "SELECT DISTINCT outcome FROM delivery_attempt")
            }
            #expect(scene.sink.received.isEmpty)
        }
    }

    @Test func `the longest names still fit, and are cut between characters`() async throws {
        try await Scene.with(.http2) { scene in
            let browser = try await scene.browser(1)
            let family = "👩‍👩‍👧‍👦"
            try await scene.database.sql(
                """
                UPDATE ownership SET name = repeat('\(family)', 9);
                UPDATE account SET locale = 'ja'
                """)
            let requests = try await scene.notifying(webPush: scene.webPush()) {
                try await scene.alarms(purpose: "reminder")
                return try await scene.sink.requests(1)
            }
            let message = try browser.read(
                requests[0], at: scene.sink.port, vapidKey: Scene.vapidKeys.publicKeys[0])
            let title = try #require(message.notification["title"] as? String)
            #expect(title.hasPrefix(String(repeating: family, count: 3) + "…：水温"), "\(title)")
            #expect(message.text.utf8.count <= 2800)
        }
    }
}

private final class Flag: Sendable {
    private let isUp = Atomic(false)

    var value: Bool { isUp.load(ordering: .acquiring) }
    func raise() { isUp.store(true, ordering: .releasing) }
}
