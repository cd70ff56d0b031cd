import Foundation
import Messaging
import Secrets
import ServiceKit
import TestSupport
import Testing
import WaterQuality
import WebPush

@testable import Notifier

/// Several alerts in one message.
@Suite struct GroupTests {
    @Test func `what begins at once is one message to a person, and one each to a machine`() async throws {
        try await Scene.with { scene in
            try await scene.phone(1)
            try await scene.endpoint(2)
            let requests = try await scene.notifying(origin: PublicOrigin("https://water.example.org")) {
                try await scene.group(1...3)
                let requests = try await scene.sink.requests(4)
                try await scene.await("6", "SELECT count(*) FROM delivery WHERE state = 'accepted'")
                return requests
            }
            let webhooks = requests.filter { $0.header("webhook-id") != nil }
            #expect(webhooks.count == 3)
            let message = try #require(requests.first { $0.header("webhook-id") == nil })
            let body = try #require(JSONSerialization.jsonObject(with: Data(message.body)) as? [String: Any])
            #expect(body["title"] as? String == "Koi: Varios avisos")
            #expect((body["message"] as? String)?.split(separator: "\n").count == 3)
            #expect((body["actions"] as? [[String: Any]])?.count == 2, "one answer is for all of them")
            #expect(try await scene.ask("SELECT string_agg(DISTINCT state, ',') FROM alert") == "delivered")
        }
    }

    @Test func `a message that is refused is tried again as one`() async throws {
        try await Scene.with { scene in
            try await scene.phone(1)
            scene.sink.answer([.status(503)], then: .status(200))
            let requests = try await scene.notifying {
                try await scene.group(1...3)
                return try await scene.sink.requests(2)
            }
            let texts = try requests.map {
                try #require(
                    (JSONSerialization.jsonObject(with: Data($0.body)) as? [String: Any])?["message"] as? String)
            }
            #expect(texts.allSatisfy { $0.split(separator: "\n").count == 3 })
        }
    }

    @Test func `what is over by then has no line`() async throws {
        try await Scene.with { scene in
            try await scene.phone(1)
            let requests = try await scene.notifying {
                try await scene.group(1...3, closed: 2)
                return try await scene.sink.requests(1)
            }
            let body = try #require(JSONSerialization.jsonObject(with: Data(requests[0].body)) as? [String: Any])
            #expect((body["message"] as? String)?.split(separator: "\n").count == 2)
            #expect(try await scene.ask("SELECT state FROM alert WHERE alert_id = 2") == "cancelled")
        }
    }

    /// A device that is given up takes its alerts with it; the rest of a digest comes all the same.
    @Test func `a group without its first is told`() async throws {
        try await Scene.with { scene in
            try await scene.phone(1)
            let requests = try await scene.notifying {
                try await scene.group(1...3, cancelled: 1)
                return try await scene.sink.requests(1)
            }
            #expect(!requests.isEmpty)
        }
    }

    @Test func `people wait for what follows at once, machines do not`() async throws {
        try await Scene.with { scene in
            try await scene.phone(1)
            try await scene.endpoint(2)
            try await scene.notifying {
                try await scene.group(1...2, dueIn: 300)
                let requests = try await scene.sink.requests(2)
                #expect(requests.allSatisfy { $0.header("webhook-id") != nil })
                try await scene.await(
                    "2", "SELECT count(*) FROM delivery WHERE endpoint_id = 1 AND holder IS NULL AND attempts = 0")
                _ = try await scene.ask("UPDATE delivery SET next_attempt_at = now() WHERE endpoint_id = 1")
                _ = try await scene.sink.requests(3)
            }
            #expect(scene.sink.received.count == 3)
        }
    }

    /// A lease takes little at first, and one message has to be more than it happens to take.
    @Test func `a farm without power is one message to a person, when all is found, and one each to a machine at once`()
        async throws
    {
        try await Scene.with { scene in
            try await scene.phone(1)
            try await scene.endpoint(2)
            _ = try await scene.ask("UPDATE endpoint SET rings_always = true WHERE endpoint_id = 1")
            let waiting = "SELECT count(*) FROM delivery WHERE endpoint_id = 1 AND holder IS NULL AND attempts = 0"
            let message = try await scene.notifying {
                try await scene.farm(of: 40, dueIn: 300)
                let requests = try await scene.sink.requests(40)
                #expect(requests.allSatisfy { $0.header("webhook-id") != nil })
                try await scene.await("40", waiting)
                _ = try await scene.ask("UPDATE delivery SET next_attempt_at = now() WHERE endpoint_id = 1")
                try await scene.await("80", "SELECT count(*) FROM delivery WHERE state = 'accepted'")
                return try #require(scene.sink.received.last)
            }
            #expect(scene.sink.received.count == 41)
            let body = try #require(JSONSerialization.jsonObject(with: Data(message.body)) as? [String: Any])
            #expect(body["title"] as? String == "Granja: 40 de 41 dispositivos no envían nada")
            let lines = try #require((body["message"] as? String)?.split(separator: "\n"))
            #expect(lines.count == 3 && lines[1].hasPrefix("Pond 1, ") && lines[2].contains("30"))
        }
    }

    /// Push services carry little, and a name may be long: as many lines come as there is room for.
    @Test(arguments: ["en", "de", "es", "ja"])
    func `a browser is told of all, in as many lines as there is room for`(language: String) async throws {
        try await Scene.with(.http2) { scene in
            let browser = try await scene.browser(1)
            _ = try await scene.ask("UPDATE account SET locale = '\(language)'")
            _ = try await scene.ask("UPDATE ownership SET name = repeat('鯉', 64)")
            let requests = try await scene.notifying(webPush: scene.webPush()) {
                try await scene.group(1...9, audience: "gathered")
                return try await scene.sink.requests(1)
            }
            let message = try browser.read(
                requests[0], at: scene.sink.port, vapidKey: Scene.vapidKeys.publicKeys[0])
            #expect(message.text.utf8.count <= 2_800)
            let data = try #require(message.notification["data"] as? [String: Any])
            let covers = try #require(data["covers"] as? [[String: String]])
            let lines = try #require((message.notification["body"] as? String)?.split(separator: "\n"))
            #expect(covers.count + (try #require(data["more"] as? Int)) == 9 && (2...6).contains(covers.count))
            #expect(lines.prefix(covers.count).map(String.init) == covers.map { $0["line"] })
            #expect(lines.count == covers.count + 1 && Set(covers.map { $0["tag"] }).count == covers.count)
            try await scene.await("9", "SELECT count(*) FROM delivery WHERE state = 'accepted'")
        }
    }

    /// Also a phone that was to ring from then on is told, which had not heard of what waited before.
    @Test func `a digest goes where it is not known yet, and what is told at once where it is heard at all hours`()
        async throws
    {
        try await Scene.with { scene in
            try await scene.phone(1)
            try await scene.phone(3, topic: "always")
            try await scene.phone(4, topic: "rings_from_now_on")
            try await scene.endpoint(2)
            _ = try await scene.ask("UPDATE endpoint SET rings_always = true WHERE endpoint_id = 3")
            @Sendable func told(_ which: String) -> String {
                "SELECT string_agg(DISTINCT endpoint_id::text, ',') FROM delivery WHERE state = 'accepted' AND alert_id \(which)"
            }
            try await scene.notifying {
                try await scene.group(1...2, audience: "atOnce")
                try await scene.await("2,3", told("< 50"))
                _ = try await scene.ask("UPDATE endpoint SET rings_always = true WHERE endpoint_id = 4")
                _ = try await scene.ask(
                    """
                    INSERT INTO alert (slot, parameter, device_id, account_id, alert_id, uid, episode_id, kind, purpose, side, value,
                        worst, limit_value, opened_at, event_time, audience)
                    SELECT slot, parameter, device_id, account_id, alert_id + 50, gen_random_uuid(), episode_id, kind, purpose, side,
                        value, worst, limit_value, opened_at, event_time, 'gathered' FROM alert;
                    SELECT pg_notify('alert', '')
                    """)
                try await scene.await("1,4", told("> 50"))
            }
        }
    }
}

extension Scene {
    /// Registers a topic at the scene's receiver, as a phone has it.
    fileprivate func phone(_ number: Int64, topic: String = "koi") async throws {
        try await register(number, by: .ntfy, [.server: sink.url(path: "/"), .topic: topic, .token: "tk_secret"])
    }

    /// Adds alarms of several parameters of the pond, which one message tells.
    /// - Parameters:
    ///   - closed: The alert whose episode is over by now.
    ///   - cancelled: The alert that was taken back.
    fileprivate func group(
        _ numbers: ClosedRange<Int>, closed: Int = 0, cancelled: Int = 0, dueIn seconds: Int? = nil,
        audience: String? = nil
    ) async throws {
        try await database.sql(
            """
            BEGIN;
            UPDATE episode SET closed_at = last_at, closed_because = 'recovered' WHERE closed_at IS NULL;
            INSERT INTO episode (
                slot, parameter, device_id, account_id, episode_id, kind, side, opened_at, last_at, worst, alert_id, closed_at,
                closed_because)
            SELECT \(Self.slot), n % 10 - 1, device_id, \(account), n, 'range', 'high', now(), now(), 25.6, n,
                CASE WHEN n = \(closed) THEN now() END, CASE WHEN n = \(closed) THEN 'recovered' END
            FROM device, generate_series(\(numbers.lowerBound), \(numbers.upperBound)) n;
            INSERT INTO alert (
                slot, parameter, device_id, account_id, alert_id, uid, episode_id, kind, purpose, side, value, worst,
                limit_value, opened_at, event_time, received_at, group_id, due_at, audience, state)
            SELECT \(Self.slot), n % 10 - 1, device_id, \(account), n, md5('alert' || n)::uuid, n, 'range', 'alarm', 'high', 25.6, 25.9, 24, now(),
                now(), now(), md5('alert' || \(numbers.lowerBound))::uuid, \(seconds.map { "now() + interval '\($0) s'" } ?? "NULL"),
                \(audience.map { "'\($0)'" } ?? "NULL"), CASE WHEN n = \(cancelled) THEN 'cancelled' ELSE 'decided' END
            FROM device, generate_series(\(numbers.lowerBound), \(numbers.upperBound)) n;
            SELECT pg_notify('alert', '');
            COMMIT
            """)
    }

    /// Adds devices that fell silent at once, with their alarms, which one message tells when it is due.
    fileprivate func farm(of count: Int, dueIn seconds: Int) async throws {
        try await database.sql(
            """
            BEGIN;
            INSERT INTO device (slot, hardware_id, claim_code_hash)
            SELECT \(Self.slot), 'farm-' || n, sha256(n::text::bytea) FROM generate_series(1, \(count)) n;
            INSERT INTO ownership (slot, device_id, account_id, name)
            SELECT slot, device_id, \(account), 'Pond ' || substr(hardware_id, 6) FROM device WHERE hardware_id LIKE 'farm-%';
            INSERT INTO episode (slot, device_id, account_id, episode_id, kind, opened_at, last_at, alert_id)
            SELECT slot, device_id, \(account), n, 'silence', now(), now(), n
            FROM device CROSS JOIN LATERAL (SELECT substr(hardware_id, 6)::integer AS n) p WHERE hardware_id LIKE 'farm-%';
            INSERT INTO alert (slot, device_id, account_id, alert_id, uid, episode_id, kind, purpose, opened_at, event_time, group_id, due_at, about)
            SELECT slot, device_id, account_id, alert_id, md5('farm' || alert_id)::uuid, episode_id, 'silence', 'alarm', now(), now(),
                md5('farm1')::uuid, now() + interval '\(seconds) s',
                ARRAY['{"site":1,"name":"Granja","of":\(count + 1),"missing":[],"missingCount":0}']
            FROM episode WHERE kind = 'silence';
            SELECT pg_notify('alert', '');
            COMMIT
            """)
    }
}
