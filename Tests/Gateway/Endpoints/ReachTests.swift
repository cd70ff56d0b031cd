import Routes
import TestSupport
import Testing

@testable import Gateway

/// For what each way reaches its person.
@Suite struct ReachTests {
    private static func reaches(_ scene: PersonScene) async throws -> [String?] {
        try #require(try await scene.call("listEndpoints", as: scene.ada).json["items"]?.array).map {
            $0["reaches"]?.string
        }
    }

    /// Ada's endpoints 71, a browser, and 72, a telephone that hears of nothing but what is critical.
    private static func prepare(_ scene: PersonScene) async throws {
        try await scene.database.sql(
            """
            INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret, vapid_key_id, fingerprint, created_at)
            VALUES (71, \(scene.ada.account), 'webPush', 'https://push.example.org/71', '', repeat('0', 16), sha256('a'),
                now() - interval '9 days');
            INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret, only_urgent)
            VALUES (72, \(scene.ada.account), 'sms', 'https://sms.example.org/72', '', true)
            """)
    }

    /// Messages that the browser's push service took so many minutes ago; those that arrived, a second later.
    private static func add(_ minutes: [Int], arrived: Bool, _ scene: PersonScene) async throws {
        for minute in minutes {
            let time = "now() - interval '\(minute) min'"
            try await scene.database.sql(
                """
                WITH added AS (
                    INSERT INTO alert (slot, account_id, alert_id, kind, purpose, opened_at, event_time, decided_at, state)
                    SELECT 1, \(scene.ada.account), nextval('alert_id'), 'test', 'test', \(time), \(time), \(time), 'delivered'
                    RETURNING slot, account_id, alert_id
                ), told AS (
                    INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, state, expires_at, ended_at, arrived_at)
                    SELECT slot, account_id, alert_id, 71, 'accepted', now(), \(time),
                        \(arrived ? "\(time) + interval '1 s'" : "NULL") FROM added
                )
                INSERT INTO delivery_attempt (
                    slot, attempt, status, alert_id, endpoint_id, started_at, duration_us, outcome, detail)
                SELECT slot, 1, 201, alert_id, 71, \(time), 1, 'accepted', '' FROM added
                """)
        }
    }

    @Test func `a browser that stops to confirm reaches nobody, until it confirms again`() async throws {
        try await PersonScene.with { scene in
            try await Self.prepare(scene)
            #expect(try await Self.reaches(scene) == ["all", "urgent"])
            try await Self.add([90, 80], arrived: true, scene)
            // Two may be lost, and a third is given ten minutes.
            try await Self.add([70, 60, 5], arrived: false, scene)
            #expect(try await Self.reaches(scene) == ["all", "urgent"])
            try await Self.add([40], arrived: false, scene)
            #expect(try await Self.reaches(scene) == ["nothing", "urgent"])
            let shown = try await scene.call("showEndpoint", as: scene.ada, path: ["endpoint": "71"]).json
            #expect(shown["unconfirmedSince"]?.string != nil && shown["state"]?.string == "active", "\(shown.text)")
            #expect(
                try await scene.ask(
                    "SELECT unconfirmed_since < now() - interval '69 min' FROM ways_of(\(scene.ada.account)) WHERE endpoint_id = 71"
                )
                    == "t")
            try await Self.add([1], arrived: true, scene)
            #expect(try await Self.reaches(scene) == ["all", "urgent"])
        }
    }

    /// Others, such as one whose worker may not post, never say anything.
    @Test func `what never confirmed is not missed, and what is registered again begins anew`() async throws {
        try await PersonScene.with { scene in
            try await Self.prepare(scene)
            try await Self.add([70, 60, 50, 40], arrived: false, scene)
            #expect(try await Self.reaches(scene) == ["all", "urgent"])
            try await Self.add([90], arrived: true, scene)
            #expect(try await Self.reaches(scene) == ["nothing", "urgent"])
            try await scene.database.sql(
                "UPDATE endpoint SET created_at = now() - interval '30 min' WHERE endpoint_id = 71")
            #expect(try await Self.reaches(scene) == ["all", "urgent"])
        }
    }

    /// A person with many alerts by other ways, beside a phone that was lost.
    @Test func `weekly notes are counted however much else was told`() async throws {
        try await PersonScene.with { scene in
            try await Self.prepare(scene)
            try await scene.database.sql(
                """
                UPDATE endpoint SET created_at = now() - interval '90 days', heard_at = now() - interval '30 days' WHERE endpoint_id = 71;
                INSERT INTO alert (slot, account_id, alert_id, uid, kind, purpose, opened_at, event_time, decided_at, state, about)
                SELECT 1, \(scene.ada.account), nextval('alert_id'), gen_random_uuid(), 'proof', 'note', now(), now(),
                    now() - n * interval '7 days', 'delivered', '{webPush}' FROM generate_series(1, 2) n;
                INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, state, expires_at, ended_at)
                SELECT slot, account_id, alert_id, 71, 'accepted', now(), decided_at FROM alert WHERE kind = 'proof';
                INSERT INTO alert (slot, account_id, alert_id, uid, kind, purpose, opened_at, event_time, decided_at, state)
                SELECT 1, \(scene.ada.account), nextval('alert_id'), gen_random_uuid(), 'test', 'test', now(), now(),
                    now() - n * interval '1 minute', 'delivered' FROM generate_series(1, 120) n
                """)
            #expect(try await Self.reaches(scene) == ["nothing", "urgent"])
        }
    }

    @Test func `a digest of several alerts is one message, and what arrived is not missed`() async throws {
        try await PersonScene.with { scene in
            try await Self.prepare(scene)
            try await Self.add([90], arrived: true, scene)
            try await Self.add([61, 60, 59], arrived: false, scene)
            try await scene.database.sql(
                "UPDATE alert SET group_id = '00000000-0000-4000-8000-000000000001' WHERE decided_at > now() - interval '70 min'"
            )
            #expect(try await Self.reaches(scene) == ["all", "urgent"])
            try await Self.add([40, 30], arrived: false, scene)
            #expect(try await Self.reaches(scene) == ["nothing", "urgent"])
            // A phone may say so before its push service does.
            try await scene.database.sql(
                "UPDATE delivery SET arrived_at = ended_at - interval '1 s' WHERE ended_at > now() - interval '45 min'")
            #expect(try await Self.reaches(scene) == ["all", "urgent"])
        }
    }

    @Test func `a way that hears of nothing but what is critical hears of all where it is the only one`() async throws {
        try await PersonScene.with { scene in
            try await Self.prepare(scene)
            // Alerts go on to a way that takes none, so that another does not stand in for it.
            try await scene.database.sql(
                "INSERT INTO failed_way VALUES (71, 1, \(scene.ada.account), now() - interval '20 min')")
            #expect(try await Self.reaches(scene) == ["nothing", "urgent"])
            try await scene.database.sql("UPDATE endpoint SET paused_at = now() WHERE endpoint_id = 71")
            #expect(try await Self.reaches(scene) == ["nothing", "all"])
        }
    }

    /// It is called all the same, since it may work by then.
    @Test func `a step of a chain whose way takes nothing is shown as that`() async throws {
        try await PersonScene.with { scene in
            try await Self.prepare(scene)
            try await scene.database.sql(
                """
                INSERT INTO chain_step (slot, device_id, account_id, place, after_minutes, endpoint_id)
                SELECT slot, device_id, account_id, 1, 10, 71 FROM ownership WHERE account_id = \(scene.ada.account)
                """)
            func outlook() async throws -> String? {
                let chain = try await scene.call("showChain", as: scene.ada, path: ["device": "pond-1"])
                return chain.json["steps"]?[0]?["outlook"]?.string
            }
            #expect(try await outlook() == "told")
            try await scene.database.sql(
                "INSERT INTO failed_way VALUES (71, 1, \(scene.ada.account), now() - interval '20 min')")
            #expect(try await outlook() == "unreachable")
            let called = """
                SELECT c.outlook FROM ownership o, chain_outlook(o.slot, o.device_id, o.account_id, now()) c
                WHERE o.account_id = \(scene.ada.account)
                """
            #expect(try await scene.ask(called) == "told")
        }
    }

    @Test func `nobody is told of another person's ways`() async throws {
        try await PersonScene.with { scene in
            try await Self.prepare(scene)
            let asked = try await scene.call("listEndpoints", as: scene.bob)
            #expect(asked.json["items"]?.array?.isEmpty == true)
            await #expect(throws: (any Error).self) {
                try await scene.database.sql("SELECT * FROM ways_of(\(scene.ada.account))", as: .gateway)
            }
            let nobodys = try await scene.database.sql("SELECT count(*) FROM person_ways()", as: .gateway)
            #expect(nobodys.hasPrefix("0"))
        }
    }
}
