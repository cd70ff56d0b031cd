import Foundation
import Instants
import Messaging
import PushClient
import Secrets
import ServiceKit
import Store
import TestSupport
import Testing
import WaterQuality
import WebPush

@testable import Notifier

/// Alerts to apps on Apple devices, through PostgreSQL and a push service with Apple's rules.
@Suite struct APNsTests {
    /// Takes what Apple would take, and refuses all else in its words; what is to be taken is answered by the script before.
    private static func serve(_ scene: Scene, _ script: WebhookSink.Answer...) {
        let answers = Script(script)
        scene.sink.answer(by: { request in
            do throws(AppleMessage.Refusal) {
                _ = try AppleMessage(request, by: Scene.apple)
                return answers.next() ?? .status(200)
            } catch {
                return error.answer
            }
        })
    }

    private static func read(_ requests: [WebhookSink.Request]) throws -> [AppleMessage] {
        try requests.map { try AppleMessage($0, by: Scene.apple) }
    }

    private static func reason(
        _ status: Int, _ reason: String, more: String = "", retryAfter: String? = nil
    )
        -> WebhookSink.Answer
    {
        .body(#"{"reason":"\#(reason)"\#(more)}"#, status: status, retryAfter: retryAfter)
    }

    @Test func `an alert reaches an app with all that it needs`() async throws {
        try await Scene.with(.http2) { scene in
            try await scene.app(1)
            Self.serve(scene)
            let requests = try await scene.notifying(apns: scene.apns(), origin: Scene.origin) {
                try await scene.alarms()
                return try await scene.sink.requests(1)
            }
            let message = try Self.read(requests)[0]
            #expect(message.device == Scene.phone(1) && message.priority == 10)
            #expect(message.collapseID == CollapseTopic.text(of: "pond-1/temperature/range"))
            let left = message.expiration - Int(Date.now.timeIntervalSince1970)
            #expect((1600...1801).contains(left), "\(left)")
            #expect(message.alert["title"]?.hasPrefix("Koi: ") == true)
            #expect(message.alert["body"]?.contains("78,1 °F") == true)
            #expect(message.aps["interruption-level"] as? String == "time-sensitive")
            #expect(message.aps["thread-id"] as? String == "pond-1" && message.aps["category"] as? String == "alarm")
            #expect(message.aps["sound"] as? String == "default" && message.aps["mutable-content"] as? Int == 1)
            let data = message.data
            #expect(
                data.filter { !["answer", "receipt"].contains($0.key) } == [
                    "alert": "5_1", "device": "pond-1", "parameter": "temperature", "kind": "range",
                    "purpose": "alarm", "language": "es", "path": "/alerts/5_1",
                    "link": "https://water.example.org/alerts/5_1",
                    "answers": "https://water.example.org/api/v1/answers",
                    "receipts": "https://water.example.org/api/v1/receipts",
                ])
            let receipt = try #require(data["receipt"])
            #expect(try await scene.ask("SELECT note_arrival('\(receipt)')") == "t")
            let link = try #require(data["answer"])
            let token = try #require(SealedLink.answer.token(of: link, openedWith: SecretKeys(try Scene.key)))
            #expect(try await scene.ask("SELECT alert_id FROM enter_answer('\(token)')") == "1")
            #expect(try await scene.ask("SELECT state FROM alert") == "delivered")
        }
    }

    @Test func `the all-clear replaces its alarm and is calmer, and one token and one connection serve all`()
        async throws
    {
        try await Scene.with(.http2) { scene in
            try await scene.app(1)
            Self.serve(scene)
            let requests = try await scene.notifying(apns: scene.apns(), origin: Scene.origin) {
                for (index, purpose) in ["alarm", "reminder", "recovery"].enumerated() {
                    try await scene.alarms((index + 1)...(index + 1), purpose: purpose)
                    _ = try await scene.sink.requests(index + 1)
                }
                return scene.sink.received
            }
            let messages = try Self.read(requests)
            #expect(Set(messages.map(\.collapseID)).count == 1 && Set(messages.map(\.id)).count == 3)
            #expect(Set(messages.map(\.authorization)).count == 1)
            #expect(Set(requests.map(\.connection)).count == 1)
            #expect(messages.map(\.priority) == [10, 10, 5])
            #expect(
                messages.compactMap { $0.aps["interruption-level"] as? String } == [
                    "time-sensitive", "time-sensitive", "active",
                ])
            #expect(messages.map { $0.aps["category"] == nil } == [false, false, true])
        }
    }

    /// Apple's server admits one stream until it has seen a valid token.
    @Test func `one stream at a time is enough`() async throws {
        try await Scene.with(.http2Narrow) { scene in
            try await scene.app(1)
            Self.serve(scene)
            try await scene.notifying(apns: scene.apns()) {
                try await scene.alarms(1...30)
                try await scene.await("30", "SELECT count(*) FROM alert WHERE state = 'delivered'")
            }
            #expect(try await scene.ask("SELECT count(*) FROM delivery_attempt") == "30")
            #expect(Set(scene.sink.received.map(\.connection)).count == 1)
        }
    }

    @Test(arguments: [true, false])
    func `only what is critical breaks through silence, and only where Apple allows it`(isAllowed: Bool) async throws {
        try await Scene.with(.http2) { scene in
            try await scene.app(1)
            Self.serve(scene)
            try await scene.alarms(1...2)
            try await scene.database.sql("UPDATE alert SET critical = true WHERE alert_id = 2")
            let requests = try await scene.notifying(apns: scene.apns(allowsCritical: isAllowed)) {
                try await scene.sink.requests(2)
            }
            let levels = try Self.read(requests).map { ($0.data["alert"], $0.aps["interruption-level"] as? String) }
            #expect(levels.first { $0.0 == "5_1" }?.1 == "time-sensitive")
            #expect(levels.first { $0.0 == "5_2" }?.1 == (isAllowed ? "critical" : "time-sensitive"))
        }
    }

    @Test(arguments: [(-60, true), (60, false)])
    func `an app that was removed is retired, unless it has registered since`(after: Int, isRetired: Bool) async throws
    {
        try await Scene.with(.http2) { scene in
            try await scene.app(1, age: 600)
            let removed = Int(Date.now.timeIntervalSince1970) - 600 - after
            Self.serve(scene, Self.reason(410, "Unregistered", more: #","timestamp":\#(removed * 1000)"#))
            try await scene.notifying(apns: scene.apns()) {
                try await scene.alarms()
                try await scene.await("1", "SELECT count(*) FROM delivery_attempt")
            }
            #expect(try await scene.ask("SELECT count(*) FROM usable_endpoint") == (isRetired ? "0" : "1"))
            #expect(try await scene.ask("SELECT state FROM delivery") == (isRetired ? "failed" : "pending"))
        }
    }

    /// Where server or app are the wrong ones, each phone is unknown: nobody loses a way for a mistake of the operator's.
    @Test(arguments: ["BadDeviceToken", "DeviceTokenNotForTopic"])
    func `a phone that Apple does not know is retired only once it has taken a message`(reason: String) async throws {
        try await Scene.with(.http2) { scene in
            try await scene.app(1)
            Self.serve(scene, Self.reason(400, reason), .status(200), Self.reason(400, reason))
            try await scene.notifying(apns: scene.apns()) {
                try await scene.alarms()
                try await scene.await("1", "SELECT count(*) FROM delivery_attempt")
                #expect(
                    try await scene.ask(
                        "SELECT state || ' ' || (next_attempt_at > now() + interval '4 minutes') FROM delivery")
                        == "pending true")
                try await scene.alarms(2...2)
                try await scene.await("2", "SELECT count(*) FROM delivery_attempt")
                #expect(try await scene.ask("SELECT count(*) FROM usable_endpoint") == "1")
                try await scene.alarms(3...3)
                try await scene.await("3", "SELECT count(*) FROM delivery_attempt")
            }
            #expect(try await scene.ask("SELECT count(*) FROM usable_endpoint") == "0")
        }
    }

    @Test func `a token that is too old is signed anew, once`() async throws {
        try await Scene.with(.http2) { scene in
            try await scene.app(1)
            let old = Self.reason(403, "ExpiredProviderToken")
            Self.serve(scene, old, .status(200), old, old)
            try await scene.notifying(apns: scene.apns()) {
                try await scene.alarms()
                try await scene.await("1", "SELECT count(*) FROM alert WHERE state = 'delivered'")
                try await scene.alarms(2...2)
                try await scene.await("2", "SELECT count(*) FROM delivery_attempt")
            }
            let messages = try Self.read(scene.sink.received)
            // The third came within 20 minutes of the second token, and had to do with it.
            #expect(messages.count == 3 && messages[0].id == messages[1].id)
            #expect(messages[0].authorization != messages[1].authorization)
            #expect(messages[1].authorization == messages[2].authorization)
            #expect(try await scene.ask("SELECT state FROM delivery WHERE alert_id = 2") == "pending")
        }
    }

    @Test(arguments: [
        (403, "InvalidProviderToken", "forbidden"), (400, "BadTopic", "badRequest"),
        (413, "PayloadTooLarge", "tooLarge"),
    ])
    func `a refusal of ours retires nobody, is told to the operator, and waits`(
        status: Int, reason: String, label: String
    ) async throws {
        try await Scene.with(.http2) { scene in
            try await scene.app(1)
            Self.serve(scene, Self.reason(status, reason))
            let metrics = MetricsRegistry()
            try await scene.notifying(apns: scene.apns(), metrics: metrics) {
                try await scene.alarms()
                try await scene.await("1", "SELECT count(*) FROM delivery_attempt")
            }
            #expect(
                try await scene.ask(
                    "SELECT state || ' ' || (next_attempt_at > now() + interval '4 minutes') FROM delivery")
                    == "pending true")
            #expect(try await scene.ask("SELECT count(*) FROM usable_endpoint") == "1")
            #expect(
                metrics.render().contains(#"aqua_notifier_push_answers_total{service="apns",answer="\#(label)"} 1"#))
            #expect(try await !scene.ask("SELECT detail FROM delivery_attempt").contains(Scene.phone(1)))
        }
    }

    @Test(arguments: [
        (429, "TooManyRequests", "7" as String?, 5), (503, "Shutdown", "8" as String?, 6),
        (500, "InternalServerError", nil as String?, 800),
    ])
    func `a pause is as long as Apple wants it`(
        status: Int, reason: String, retryAfter: String?, least: Int
    ) async throws {
        try await Scene.with(.http2) { scene in
            try await scene.app(1)
            Self.serve(scene, Self.reason(status, reason, retryAfter: retryAfter))
            try await scene.notifying(apns: scene.apns()) {
                try await scene.alarms()
                try await scene.await("1", "SELECT count(*) FROM delivery_attempt")
                #expect(
                    try await scene.ask(
                        """
                        SELECT extract(epoch FROM d.next_attempt_at - t.started_at) >= \(least)
                        FROM delivery d JOIN delivery_attempt t USING (slot, alert_id)
                        """) == "t")
            }
            #expect(try await scene.ask("SELECT count(*) FROM usable_endpoint") == "1")
        }
    }

    /// One phone that gets too much delays no other.
    @Test func `the pause of one phone is not that of all`() async throws {
        try await Scene.with(.http2) { scene in
            try await scene.app(1)
            Self.serve(scene, Self.reason(429, "TooManyRequests", retryAfter: "600"))
            try await scene.notifying(apns: scene.apns()) {
                try await scene.alarms()
                try await scene.await("1", "SELECT count(*) FROM delivery_attempt")
                try await scene.app(2)
                try await scene.alarms(2...2)
                try await scene.await("2", "SELECT count(*) FROM delivery_attempt")
            }
            #expect(
                try await scene.ask(
                    "SELECT string_agg(alert_id || ' ' || endpoint_id, ',') FROM delivery WHERE state = 'accepted'")
                    == "2 2")
        }
    }

    /// Each answer says that the message was not dealt with, or leaves that open; of the last the status alone came.
    @Test(arguments: [WebhookSink.Answer.refuse, .goAway, .close, .reset(status: 410)])
    func `what was not dealt with is sent again, with the same id`(answer: WebhookSink.Answer) async throws {
        try await Scene.with(.http2) { scene in
            try await scene.app(1)
            Self.serve(scene, answer)
            try await scene.notifying(apns: scene.apns()) {
                try await scene.alarms()
                // A stream that was refused is tried again at once: there may be two attempts already.
                try await scene.await("t", "SELECT count(*) > 0 FROM delivery_attempt")
                try await scene.database.sql(
                    "UPDATE delivery SET next_attempt_at = now() WHERE state = 'pending' AND holder IS NULL; SELECT pg_notify('alert', '')"
                )
                try await scene.await("delivered", "SELECT state FROM alert")
            }
            let messages = try Self.read(scene.sink.received)
            #expect(messages.count >= 2 && Set(messages.map(\.id)).count == 1)
            #expect(try await scene.ask("SELECT count(*) FROM usable_endpoint") == "1")
        }
    }

    @Test func `without keys nothing is sent, and nobody is retired`() async throws {
        try await Scene.with(.http2) { scene in
            try await scene.app(1)
            try await scene.notifying {
                try await scene.alarms()
                try await scene.await("refused", "SELECT outcome FROM delivery_attempt LIMIT 1")
            }
            #expect(scene.sink.received.isEmpty)
            #expect(try await scene.ask("SELECT count(*) FROM usable_endpoint") == "1")
        }
    }

    /// Another notifier may send to other apps, and announces them each minute.
    @Test(arguments: [true, false])
    func `what can be sent to is announced, and taken back once nobody has announced it for minutes`(
        sends: Bool
    ) async throws {
        try await Scene.with(.http2) { scene in
            func announced(_ minutes: Int) -> String {
                "INSERT INTO app_channel VALUES ('\(minutes == 6 ? "old" : "fcm")', 'x', now() - interval '\(minutes) minutes')"
            }
            try await scene.database.sql("\(announced(4)); \(announced(6))")
            var settings = Scene.settings
            settings.announcement = .milliseconds(50)
            let known = "SELECT coalesce(string_agg(channel, ',' ORDER BY channel), '') FROM app_channel"
            try await scene.notifying(settings, apns: sends ? scene.apns() : nil) {
                try await scene.await(sends ? "apns,fcm" : "fcm", known)
                // It looks again, not only when it starts.
                try await scene.database.sql("UPDATE app_channel SET announced_at = now() - interval '6 minutes'")
                try await scene.await(sends ? "apns" : "", known)
            }
        }
    }
}
