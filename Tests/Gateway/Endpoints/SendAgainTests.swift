import Routes
import TestSupport
import Testing

@testable import Gateway

/// Alerts that an endpoint did not take, sent there once more: what goes on alone, few, and each as it is.
@Suite struct SendAgainTests {
    private static let path = ["endpoint": "71"]

    @Test func `the last word of what goes on is sent again, and nothing else`() async throws {
        try await PersonScene.with { scene in
            try await Self.prepare(scene)
            // The same episode twice: the reminder is its last word.
            try await Self.add(1, of: 1, hoursAgo: 3, scene)
            try await Self.add(2, of: 1, "reminder", hoursAgo: 2, scene)
            // Over; taken since; on its way; too long ago; arrived whatever its push service said; an all-clear.
            try await Self.add(3, of: 2, hoursAgo: 2, isOpen: false, scene)
            try await Self.add(4, of: 3, hoursAgo: 3, scene)
            try await Self.add(5, of: 3, "reminder", hoursAgo: 2, state: "accepted", scene)
            try await Self.add(6, of: 4, hoursAgo: 1, state: "pending", scene)
            try await Self.add(7, of: 5, hoursAgo: 25, scene)
            try await Self.add(8, of: 6, hoursAgo: 1, scene)
            try await Self.add(9, of: 7, "recovery", hoursAgo: 1, scene)
            try await scene.database.sql("UPDATE delivery SET arrived_at = now() WHERE alert_id = 8")
            #expect(try await Self.sendable(scene) == 1)
            let reply = try await scene.call("sendAlertsAgain", as: scene.ada, path: Self.path)
            #expect(reply.status == 202 && reply.json["sent"]?.integer == 1, "\(reply.json.text)")
            #expect(try await Self.pending(scene) == "2 6")
            // As a new one, but for its attempts, and without the lease whose result may still come.
            #expect(
                try await scene.ask(
                    """
                    SELECT concat_ws(' ', a.state, d.tries, d.attempts, d.lease IS NULL, d.expires_at > now() + interval '29 minutes')
                    FROM alert a JOIN delivery d USING (slot, alert_id) WHERE alert_id = 2
                    """) == "sending 0 3 t t")
            // Once more, nothing is left to be sent.
            #expect(try await Self.sendable(scene) == 0)
            let again = try await scene.call("sendAlertsAgain", as: scene.ada, path: Self.path)
            #expect(again.status == 202 && again.json["sent"]?.integer == 0, "\(again.json.text)")
        }
    }

    @Test func `an alarm whose limit is another one now is not sent again`() async throws {
        try await PersonScene.with { scene in
            try await Self.prepare(scene)
            try await Self.add(1, of: 1, hoursAgo: 1, kind: "range", scene)
            #expect(try await Self.sendable(scene) == 1)
            try await scene.database.sql(
                """
                UPDATE setting SET valid_from = now() - interval '2 hours' WHERE parameter = 0;
                UPDATE setting SET valid_until = now() WHERE parameter = 0 AND valid_until IS NULL;
                INSERT INTO setting (slot, device_id, account_id, parameter, version, unit, maximum, colour, position, valid_from)
                SELECT slot, device_id, account_id, parameter, version + 1, unit, maximum + 100, colour, position, now()
                FROM setting WHERE parameter = 0
                """)
            #expect(try await Self.sendable(scene) == 0)
        }
    }

    @Test func `few are sent at once, and few in ten minutes`() async throws {
        try await PersonScene.with { scene in
            try await Self.prepare(scene)
            for number in 1...12 { try await Self.add(number, of: number, hoursAgo: 1, scene) }
            for _ in 0..<2 {
                let reply = try await scene.call("sendAlertsAgain", as: scene.ada, path: Self.path)
                #expect(reply.json["sent"]?.integer == 5, "\(reply.json.text)")
            }
            let third = try await scene.call("sendAlertsAgain", as: scene.ada, path: Self.path)
            #expect(third.status == 429 && third[header: "retry-after"] != nil, "\(third.json.text)")
            try await scene.database.sql("UPDATE delivery SET sent_again_at = sent_again_at - interval '11 minutes'")
            #expect(try await scene.call("sendAlertsAgain", as: scene.ada, path: Self.path).json["sent"]?.integer == 2)
        }
    }

    @Test func `an endpoint that is not in use, or not theirs, is sent nothing`() async throws {
        try await PersonScene.with { scene in
            try await Self.prepare(scene)
            try await Self.add(1, of: 1, hoursAgo: 1, scene)
            #expect(try await scene.call("sendAlertsAgain", as: scene.bob, path: Self.path).status == 404)
            try await scene.database.sql("UPDATE endpoint SET paused_at = now()")
            let paused = try await scene.call("sendAlertsAgain", as: scene.ada, path: Self.path)
            #expect(paused.status == 409 && paused.code == "no-endpoint", "\(paused.json.text)")
            #expect(try await Self.pending(scene) == "")
        }
    }

    // MARK: Ada's endpoint 71, and alerts of her device

    private static func prepare(_ scene: PersonScene) async throws {
        try await scene.database.sql(
            """
            INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
            VALUES (71, \(scene.ada.account), 'webhook', 'https://example.org/71', '')
            """)
    }

    private static func sendable(_ scene: PersonScene) async throws -> Int64? {
        try await scene.call("showEndpointDeliveries", as: scene.ada, path: path).json["sendable"]?.integer
    }

    private static func pending(_ scene: PersonScene) async throws -> String {
        try await scene.ask(
            "SELECT coalesce(string_agg(alert_id::text, ' ' ORDER BY alert_id), '') FROM delivery WHERE state = 'pending'"
        )
    }

    /// An alert of an episode, each of a parameter of its own, and its delivery after three attempts.
    private static func add(
        _ number: Int, of episode: Int, _ purpose: String = "alarm", hoursAgo: Int, state: String = "stale",
        isOpen: Bool = true, kind: String = "silence", _ scene: PersonScene
    ) async throws {
        let decided = "now() - interval '\(hoursAgo) hours'"
        let (parameter, side) = kind == "range" ? ("0", "'high'") : ("\(episode)", "NULL")
        try await scene.database.sql(
            """
            SET session_replication_role = replica;
            INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at, closed_at,
                closed_because, worst)
            SELECT slot, device_id, \(parameter), account_id, \(episode), '\(kind)', \(side), \(decided), \(decided),
                \(isOpen ? "NULL, NULL" : "now(), 'recovered'"), \(kind == "range" ? "30" : "NULL")
            FROM ownership WHERE account_id = \(scene.ada.account)
            ON CONFLICT (slot, episode_id) DO NOTHING;
            INSERT INTO alert (slot, account_id, alert_id, uid, kind, purpose, device_id, parameter, side, episode_id,
                opened_at, event_time, decided_at, state)
            SELECT slot, account_id, \(number), lpad('\(number)', 32, '0')::uuid, '\(kind)', '\(purpose)', device_id,
                \(parameter), \(side), \(episode), \(decided), \(decided), \(decided), 'delivered'
            FROM ownership WHERE account_id = \(scene.ada.account);
            INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, state, expires_at, ended_at, attempts, tries, lease)
            SELECT slot, account_id, alert_id, 71, '\(state)', now(), \(state == "pending" ? "NULL" : "now()"), 3, 3, 9
            FROM alert WHERE alert_id = \(number)
            """)
    }
}
