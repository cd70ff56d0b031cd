import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// What a phone says of itself, beside what a server said.
@Suite struct ReceiptTests {
    @Test func `a message has arrived when the browser says so, with all that it told`() async throws {
        try await PersonScene.with { scene in
            try await Self.send(scene)
            let token = try await Self.token(scene)
            #expect(try await Self.post(token, scene).status == 204)
            let first = try await scene.ask("SELECT string_agg(DISTINCT arrived_at::text, ',') FROM delivery")
            #expect(try await scene.ask("SELECT count(*) FROM delivery WHERE arrived_at IS NOT NULL") == "2")
            // Said twice it is said once.
            #expect(try await Self.post(token, scene).status == 204)
            #expect(try await scene.ask("SELECT string_agg(DISTINCT arrived_at::text, ',') FROM delivery") == first)
            let shown = try #require(try await scene.call("listEndpoints", as: scene.ada).json["items"]?.array?.first)
            #expect(
                shown["lastArrivedAt"]?.string != nil && shown["lastArrivedAfterMilliseconds"]?.text != "null",
                "\(shown.text)")
        }
    }

    @Test func `a receipt that is made up says nothing`() async throws {
        try await PersonScene.with { scene in
            try await Self.send(scene)
            let token = try await Self.token(scene)
            let parts = token.split(separator: "-")
            for wrong in [
                "", "1", "1-1-1-", "\(token)0", "\(parts[0])-2-\(parts[2])-\(parts[3])", "\(parts[0])-1-72-\(parts[3])",
            ] {
                let status = try await Self.post(wrong, scene).status
                #expect(status == 404 || status == 422, "\(wrong): \(status)")
            }
            try await scene.database.sql("UPDATE alert SET decided_at = now() - interval '25 hours'")
            #expect(try await Self.post(token, scene).status == 404, "of the day before")
            #expect(try await scene.ask("SELECT count(*) FROM delivery WHERE arrived_at IS NOT NULL") == "0")
        }
    }

    /// Two alerts in one message to Ada's browser.
    private static func send(_ scene: PersonScene) async throws {
        try await scene.database.sql(
            """
            INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret, vapid_key_id, fingerprint)
            VALUES (71, \(scene.ada.account), 'webPush', 'https://push.example.org/71', '', repeat('0', 16), sha256('a'));
            INSERT INTO alert (slot, account_id, alert_id, uid, group_id, kind, purpose, opened_at, event_time, state)
            SELECT 1, \(scene.ada.account), n, gen_random_uuid(), md5('group')::uuid, 'test', 'test', now(), now(), 'delivered'
            FROM generate_series(1, 2) n;
            INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, state, expires_at, ended_at)
            SELECT slot, account_id, alert_id, 71, 'accepted', now(), now() FROM alert
            """)
    }

    private static func token(_ scene: PersonScene) async throws -> String {
        try await scene.ask("SELECT receipt_token(slot, alert_id, uid, 71) FROM alert WHERE alert_id = 1")
    }

    private static func post(_ token: String, _ scene: PersonScene) async throws -> GatewayUnderTest.Reply {
        try await scene.gateway.request(.POST, "/api/v1/receipts", json: ["token": .string(token)])
    }
}
