import Routes
import TestSupport
import Testing

@testable import Gateway

/// A person hears of a way that somebody registers for another account.
@Suite struct LostWayTests {
    private static let token: JSON = ["platform": "apns", "token": .string(String(repeating: "0a", count: 32))]

    /// Ada has an app, endpoint 1, and a topic at ntfy.sh, endpoint 71.
    private static func with(_ body: @Sendable @escaping (PersonScene) async throws -> Void) async throws {
        try await PersonScene.with { scene in
            try await scene.database.sql(
                """
                INSERT INTO app_channel (channel, app) VALUES ('apns', 'org.example.water');
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
                VALUES (71, \(scene.ada.account), 'ntfy', 'https://ntfy.sh/#koi', '\\x02')
                """)
            try await register(scene, as: scene.ada)
            try await body(scene)
        }
    }

    private static func register(_ scene: PersonScene, as person: PersonScene.Person) async throws {
        let reply = try await scene.call("registerNativeEndpoint", as: person, body: token)
        #expect(reply.status == 200, "\(reply.json.text)")
    }

    /// The notes of ways, with the endpoints that they go to.
    private static func notes(_ scene: PersonScene, of person: PersonScene.Person) async throws -> String {
        try await scene.ask(
            """
            SELECT coalesce(string_agg(format('%s to %s', a.about, d.endpoint_id), ', ' ORDER BY a.alert_id), '')
            FROM alert a LEFT JOIN delivery d USING (slot, alert_id) WHERE a.account_id = \(person.account) AND a.kind = 'way'
            """)
    }

    private static func events(_ scene: PersonScene, of person: PersonScene.Person) async throws -> [String] {
        let listed = try await scene.call("listAccountEvents", as: person)
        return try #require(listed.json["items"]?.array).compactMap { event in
            let kind = event["kind"]?.string ?? ""
            return kind.hasPrefix("endpoint") ? "\(kind) \(event["subject"]?.string ?? "-")" : nil
        }
    }

    @Test func `both accounts have it among their events, and the one that loses it is told by the other ways`()
        async throws
    {
        try await Self.with { scene in
            #expect(try await Self.events(scene, of: scene.ada).contains("endpointRemoved api.push.apple.com") == false)
            try await Self.register(scene, as: scene.bob)
            #expect(try await Self.notes(scene, of: scene.ada) == "{api.push.apple.com,apns,moved,NULL} to 71")
            #expect(try await Self.notes(scene, of: scene.bob) == "")
            #expect(try await Self.events(scene, of: scene.ada).first == "endpointRemoved api.push.apple.com")
            #expect(try await Self.events(scene, of: scene.bob) == ["endpointAdded api.push.apple.com"])
            // Nobody else's session is named.
            #expect(
                try await scene.ask(
                    "SELECT count(*) FROM audit_entry WHERE action = 'endpoint.remove' AND num_nonnulls(actor_id, session_id, network, client, request) > 0"
                )
                    == "0")
        }
    }

    @Test func `where somebody signed out nobody misses it, and no note is sent`() async throws {
        try await Self.with { scene in
            try await scene.database.sql("UPDATE endpoint SET paused_at = now() WHERE channel = 'apns'")
            try await Self.register(scene, as: scene.bob)
            #expect(try await Self.notes(scene, of: scene.ada) == "")
            #expect(try await Self.events(scene, of: scene.ada).first == "endpointRemoved api.push.apple.com")
        }
    }

    @Test func `what was gone before is not told as lost`() async throws {
        try await Self.with { scene in
            try await scene.database.sql(
                "INSERT INTO endpoint_retirement SELECT 1, endpoint_id, 1, now(), 'gone' FROM endpoint WHERE channel = 'apns'"
            )
            try await Self.register(scene, as: scene.bob)
            #expect(try await Self.notes(scene, of: scene.ada) == "")
        }
    }

    @Test func `a phone that goes to and fro is told five times a day`() async throws {
        try await Self.with { scene in
            for _ in 1...7 {
                try await Self.register(scene, as: scene.bob)
                try await Self.register(scene, as: scene.ada)
            }
            let count = "SELECT count(*) FROM alert WHERE kind = 'way' AND account_id = \(scene.ada.account)"
            #expect(try await scene.ask(count) == "5")
            try await scene.database.sql("UPDATE alert SET decided_at = now() - interval '25 hours'")
            try await Self.register(scene, as: scene.bob)
            #expect(try await scene.ask(count) == "6")
        }
    }

    @Test func `whoever has no other way has the event alone`() async throws {
        try await Self.with { scene in
            try await scene.database.sql("DELETE FROM endpoint WHERE endpoint_id = 71")
            try await Self.register(scene, as: scene.bob)
            #expect(try await scene.ask("SELECT count(*) FROM alert WHERE kind = 'way'") == "0")
            #expect(try await Self.events(scene, of: scene.ada).first == "endpointRemoved api.push.apple.com")
        }
    }
}
