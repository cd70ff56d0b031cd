import Foundation
import Messaging
import TestSupport
import Testing
import WaterQuality
import WebPush

@testable import Notifier

/// How urgently each channel tells a message: all of them by one definition.
@Suite struct UrgencyTests {
    private static let range = RangeContent(
        parameter: .temperature, side: .high, value: 25.6, worst: 25.6, limit: 24)
    private static func care(_ replaces: String?) -> CareContent {
        CareContent(
            whole: .init(count: 1, replaces: replaces),
            items: [.init(tank: "Koi", name: "Feed", on: "2027-03-05T18:00")])
    }
    private static let way = WayContent(name: "ntfy.sh", isBrowser: false, failure: .gone)

    @Test(
        arguments: [
            (.alarm, .range(UrgencyTests.range), .pressing), (.reminder, .range(UrgencyTests.range), .pressing),
            (.escalation, .range(UrgencyTests.range), .pressing), (nil, .range(UrgencyTests.range), .pressing),
            (.recovery, .range(UrgencyTests.range), .calm), (.ended, .range(UrgencyTests.range), .calm),
            (.past, .range(UrgencyTests.range), .calm), (.calledOff, .range(UrgencyTests.range), .calm),
            (.test, .test, .quiet), (.alarm, .test, .quiet), (nil, .test, .quiet),
            (.note, .proof, .quiet), (.note, .way(UrgencyTests.way), .pressing),
            (.note, .signIn(SignInContent(client: nil)), .pressing),
            (.note, .care(UrgencyTests.care(nil)), .calm), (.note, .care(UrgencyTests.care("it was done")), .quiet),
        ] as [(Alert.Purpose?, Alert.Content, AlertUrgency)])
    func `each purpose has its urgency`(purpose: Alert.Purpose?, content: Alert.Content, urgency: AlertUrgency) {
        #expect(AlertUrgency(purpose, content) == urgency)
    }

    /// The end of watching, a sign-in, a weekly note and a test, in the order of the cases below.
    private static func tell(_ scene: Scene, to endpoint: Int64) async throws {
        func note(_ kind: String, _ about: String) -> String {
            "SELECT tell_note(\(scene.account), '\(kind)', \(about), now(), ARRAY[\(endpoint)::bigint], new_alert_uid())"
        }
        try await scene.database.sql("\(note("signIn", "ARRAY['Tank/1']")); \(note("proof", "ARRAY['webPush']"))")
        try await scene.database.sql(
            """
            INSERT INTO alert (slot, account_id, alert_id, kind, purpose, opened_at, event_time)
            VALUES (\(scene.account) % 64, \(scene.account), 1000, 'test', 'test', now(), now());
            UPDATE ownership SET name = 'Koi', unlinked_at = now()
            """)
        try await scene.alarms(2000...2000, purpose: "reminder")
        try await scene.database.sql(
            "UPDATE alert SET ended = true WHERE alert_id = 2000; SELECT pg_notify('alert', '')")
    }

    private static let kinds = ["signIn", "proof", "test", "range"]

    @Test func `a browser is woken by what presses and by a test, and not by an end or a weekly note`() async throws {
        try await Scene.with(.http2) { scene in
            let browser = try await scene.browser(1)
            try await Self.tell(scene, to: 1)
            let requests = try await scene.notifying(webPush: scene.webPush()) { try await scene.sink.requests(4) }
            let messages = try requests.map {
                try browser.read($0, at: scene.sink.port, vapidKey: Scene.vapidKeys.publicKeys[0])
            }
            var urgency: [String: String] = [:]
            for message in messages {
                let data = try #require(message.notification["data"] as? [String: Any])
                let (renotify, silent) = (message.notification["renotify"], message.notification["silent"])
                urgency[data["kind"] as? String ?? ""] =
                    "\(message.urgency) \(renotify as? Bool ?? false) \(silent as? Bool ?? false)"
            }
            #expect(
                Self.kinds.map { urgency[$0] } == [
                    "high true false", "normal false true", "high true false", "normal false false",
                ])
        }
    }

    @Test func `Apple and Google are asked for no more haste than a browser's service`() async throws {
        try await Scene.with(.http2) { scene in
            try await scene.app(1)
            try await Self.tell(scene, to: 1)
            scene.sink.answer(then: .status(200))
            let requests = try await scene.notifying(apns: scene.apns()) { try await scene.sink.requests(4) }
            var priority: [String: Int] = [:]
            for request in requests {
                let message = try AppleMessage(request, by: Scene.apple)
                priority[message.data["kind"] ?? ""] = message.priority
            }
            #expect(Self.kinds.map { priority[$0] } == [10, 5, 10, 5])
        }
        try await Scene.with(.http2) { scene in
            let google = try GoogleMessaging(scene.sink)
            try await scene.app(1, on: .fcm, token: "eYx0:APA91b-" + String(repeating: "k", count: 130))
            try await Self.tell(scene, to: 1)
            try await scene.notifying(fcm: scene.fcm(google)) {
                _ = try await awaitFact("four messages") { google.messages.count == 4 ? true : nil }
            }
            var priority: [String: String] = [:]
            for body in google.messages {
                let json = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
                let message = try #require(json?["message"] as? [String: Any])
                let (data, android) = (message["data"] as? [String: String], message["android"] as? [String: String])
                priority[data?["kind"] ?? ""] = android?["priority"]
            }
            #expect(Self.kinds.map { priority[$0] } == ["HIGH", "NORMAL", "HIGH", "NORMAL"])
        }
    }

    @Test func `a sign-in is told by a service of messages as by an app`() async throws {
        try await Scene.with { scene in
            try await scene.register(
                1, by: .ntfy, [.server: scene.sink.url(path: "/"), .topic: "koi", .token: "tk_secret"])
            try await Self.tell(scene, to: 1)
            let requests = try await scene.notifying { try await scene.sink.requests(4) }
            let priorities = try requests.map {
                (try JSONSerialization.jsonObject(with: Data($0.body)) as? [String: Any])?["priority"] as? Int
            }
            #expect(priorities.compactMap(\.self).sorted() == [3, 3, 3, 4])
        }
    }

    /// A summary has up to 900 characters, and a family is one of 25 bytes.
    @Test func `what a push service would not take is cut, and arrives`() async throws {
        try await Scene.with(.http2) { scene in
            let browser = try await scene.browser(1)
            try await scene.database.sql(
                """
                SELECT tell_note(\(scene.account), 'summary', array_agg(line ORDER BY n), now(), ARRAY[1::bigint], new_alert_uid())
                FROM (
                    SELECT 0 AS n, jsonb_build_object('from', '2026-11-28', 'through', '2026-11-28', 'tanks', 6, 'alarms', 0,
                        'alarmed', 0, 'open', 0, 'troubled', 0, 'silent', 6)::text AS line
                    UNION ALL
                    SELECT n, jsonb_build_object('name', n || repeat('👩‍👩‍👧‍👦', 80), 'troubles', '[]'::jsonb, 'isSilent', true,
                        'ranges', '[]'::jsonb)::text FROM generate_series(1, 6) n
                ) l
                """)
            let requests = try await scene.notifying(webPush: scene.webPush()) {
                let requests = try await scene.sink.requests(1)
                try await scene.await("delivered", "SELECT state FROM alert")
                return requests
            }
            let message = try browser.read(
                requests[0], at: scene.sink.port, vapidKey: Scene.vapidKeys.publicKeys[0])
            #expect((2_700...2_800).contains(message.text.utf8.count))
            let body = try #require(message.notification["body"] as? String)
            #expect(body.contains("👩‍👩‍👧‍👦") && body.hasSuffix("…"))
        }
    }
}
