import PushClient
import TestSupport
import Testing

@testable import Notifier

/// An alert that its person had sent again once its endpoint works.
@Suite struct SentAgainTests {
    @Test func `it goes out with its id, and ends as delivered`() async throws {
        try await Scene.with { scene in
            try await Self.miss(scene)
            #expect(try await Self.sendAgain(scene) == "sent|1")
            #expect(try await Self.sendAgain(scene) == "sent|0")
            try await scene.notifying { try await scene.await("delivered", "SELECT state FROM alert") }
            #expect(scene.sink.received.map { $0.header("webhook-id") } == ["alert_5_1_1"])
            let attempts = "SELECT string_agg(attempt || ' ' || outcome, ',' ORDER BY attempt) FROM delivery_attempt"
            #expect(try await scene.ask(attempts) == "1 retry,2 accepted")
            // What was taken is not sent again.
            #expect(try await Self.sendAgain(scene) == "sent|0")
        }
    }

    @Test func `what is over by then is told nobody`() async throws {
        try await Scene.with { scene in
            try await Self.miss(scene)
            #expect(try await Self.sendAgain(scene) == "sent|1")
            try await scene.database.sql("UPDATE episode SET closed_at = last_at, closed_because = 'recovered'")
            try await scene.notifying { try await scene.await("cancelled", "SELECT state FROM delivery") }
            #expect(scene.sink.received.isEmpty)
        }
    }

    /// A notifier that never heard whether its record was committed records it once more.
    @Test func `the result of the lease before ends nothing that is sent again`() async throws {
        try await Scene.with { scene in
            try await Self.miss(scene)
            #expect(try await Self.sendAgain(scene) == "sent|1")
            #expect(try await scene.ask("SELECT state, attempts, lease IS NULL FROM delivery") == "pending|1|t")
        }
    }

    /// An alarm of an episode that is open, which the endpoint 1 refused until it was stale.
    private static func miss(_ scene: Scene) async throws {
        try await scene.endpoint(1)
        scene.sink.answer(then: .status(204))
        try await scene.alarms(state: "undelivered")
        try await scene.database.sql(
            """
            INSERT INTO delivery (slot, attempts, tries, lease, account_id, alert_id, endpoint_id, state, expires_at, ended_at)
            SELECT slot, 1, 1, 9, account_id, alert_id, 1, 'stale', now(), now() FROM alert;
            INSERT INTO delivery_attempt (slot, attempt, status, alert_id, endpoint_id, started_at, duration_us, outcome, detail)
            SELECT slot, 1, 503, alert_id, 1, now() - interval '10 minutes', 1, 'retry', '' FROM alert
            """)
    }

    private static func sendAgain(_ scene: Scene) async throws -> String {
        try await scene.ask(
            "SELECT outcome, sent FROM alert a, send_again(a.account_id, 1, ARRAY[a.slot], ARRAY[a.alert_id], 10)")
    }
}
