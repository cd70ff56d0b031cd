import Postgres
import Store
import TestSupport
import Testing

@testable import Notifier

/// The hot statements find their rows by index, however much history there is.
@Suite struct PlanTests {
    @Test(arguments: [
        (LeaseDeliveries.sql, "'{0,5,63}', 100, 1800000000, 60000000, 1"),
        (LeaseInTurn.sql, "'{0,5,63}', 8, 1800000000, 60000000, 1, 3, '{5,6}', '{7}'"),
        (LockAlerts.sql, "'{5,5}', '{7,8}'"),
        (JudgeAlerts.sql, "'{5,5}', '{7,8}'"),
    ])
    func `no sequential scan of alerts and deliveries`(sql: String, arguments: String) async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            let plan = try await scene.ask(
                """
                SET client_min_messages = error;
                INSERT INTO alert (slot, account_id, alert_id, kind, purpose, opened_at, event_time, state)
                SELECT n % 64, \(scene.account), n, 'test', 'test', now(), now(), 'delivered'
                FROM generate_series(1, 20000) n;
                INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, state, expires_at, ended_at)
                SELECT slot, account_id, alert_id, 1, 'accepted', now(), now() FROM alert;
                INSERT INTO throttle (slot, device_id, account_id, kind, charged_at, alert_id)
                SELECT slot, alert_id, account_id, 'range', now(), alert_id FROM alert;
                ANALYZE;
                PREPARE hot AS \(sql);
                EXPLAIN EXECUTE hot (\(arguments));
                """)
            #expect(plan.contains("Index"))
            for table in ["alert", "delivery", "throttle"] {
                #expect(!plan.contains("Seq Scan on \(table)"), "\(plan)")
            }
        }
    }
}
