import Notifier
import PushClient
import TestSupport
import Testing

/// The consequences of an endpoint's answer: a further attempt, the end of the endpoint, the state of the throttle.
@Suite struct DeliveryOutcomeTests {
    @Test func `it is tried again with the same id until it is accepted`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            scene.sink.answer([.status(500), .status(404), .status(401), .close], then: .status(204))
            let requests = try await scene.notifying {
                try await scene.alarms()
                return try await scene.sink.requests(5)
            }
            #expect(Set(requests.map { $0.header("webhook-id") }) == ["alert_5_1_1"])
            let outcomes = try await scene.ask(
                """
                SELECT string_agg(outcome || coalesce(' ' || status, ''), ',' ORDER BY attempt) FROM delivery_attempt
                """)
            #expect(outcomes == "retry 500,retry 404,retry 401,retry,accepted 204")
            #expect(try await scene.ask("SELECT state FROM alert") == "delivered")
            #expect(try await scene.ask("SELECT count(*) FROM usable_endpoint") == "1")
        }
    }

    @Test func `a receiver's Retry-After is heeded`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            scene.sink.answer(then: .status(429, retryAfter: "120"))
            try await scene.notifying {
                try await scene.alarms()
                try await scene.await("1", "SELECT count(*) FROM delivery_attempt")
            }
            let wait = try await scene.ask(
                """
                SELECT d.next_attempt_at - t.started_at BETWEEN interval '120 s' AND interval '150 s'
                FROM delivery d, delivery_attempt t
                """)
            #expect(wait == "t")
        }
    }

    /// A delivery that was often delayed by a slow host, or given back by stopping notifiers, and then so often that
    /// the number starts again. The receiver's Retry-After is longer than the first wait and keeps this test to one
    /// attempt.
    @Test(arguments: [(12, 0, "13|1|t"), (32_767, 0, "1|1|t"), (32_767, 32_767, "1|32767|t")])
    func `leases without an attempt do not lengthen the wait`(leases: Int, tries: Int, rest: String) async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            scene.sink.answer(then: .status(503, retryAfter: "30"))
            try await scene.alarms(state: "sending")
            try await scene.database.sql(
                """
                INSERT INTO delivery (slot, attempts, tries, account_id, alert_id, endpoint_id, expires_at)
                SELECT slot, \(leases), \(tries), account_id, alert_id, 1, now() + interval '30 min' FROM alert
                """)
            var settings = Scene.settings
            settings.schedule = RetrySchedule(first: .seconds(1), longest: .seconds(1000))
            try await scene.notifying(settings) {
                try await scene.await("1", "SELECT count(*) FROM delivery_attempt")
            }
            let recorded = """
                SELECT attempts, tries, CASE WHEN tries = 1
                    THEN next_attempt_at = started_at + duration_us * interval '1 us' + interval '30 s'
                    ELSE next_attempt_at >= started_at + duration_us * interval '1 us' + interval '30 s' END
                FROM delivery JOIN delivery_attempt USING (slot, alert_id, endpoint_id)
                """
            #expect(try await scene.ask(recorded) == rest)
        }
    }

    @Test func `410 alone retires an endpoint, and a throttle that told nobody is given back`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            scene.sink.answer(then: .status(410))
            try await scene.notifying {
                try await scene.alarms()
                try await scene.await("undelivered", "SELECT state FROM alert")
            }
            #expect(try await scene.ask("SELECT count(*) FROM usable_endpoint") == "0")
            #expect(try await scene.ask("SELECT slot FROM endpoint_retirement") == "\(Scene.slot)")
            #expect(try await scene.ask("SELECT count(*) FROM endpoint WHERE retired_at IS NULL") == "1")
            // Registered again, the endpoint gets messages again.
            try await scene.database.sql("UPDATE endpoint SET registration = 2")
            #expect(try await scene.ask("SELECT count(*) FROM usable_endpoint") == "1")
            #expect(try await scene.ask("SELECT state FROM delivery") == "failed")
            #expect(try await scene.ask("SELECT count(*) FROM throttle") == "0")
            #expect(scene.sink.received.count == 1)
        }
    }

    @Test(arguments: [302, 307])
    func `a redirection is not followed but tried again, and keeps the throttle`(status: Int) async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            scene.sink.answer(then: .status(status, location: "/elsewhere"))
            try await scene.notifying {
                try await scene.alarms()
                _ = try await scene.sink.requests(3)
            }
            #expect(Set(scene.sink.received.map(\.path)) == ["/1"])
            #expect(Set(scene.sink.received.map { $0.header("webhook-id") }) == ["alert_5_1_1"])
            #expect(
                try await scene.ask("SELECT DISTINCT outcome || ': ' || detail FROM delivery_attempt")
                    == "retry: a redirection, which is not followed")
            #expect(try await scene.ask("SELECT state FROM delivery") == "pending")
            #expect(try await scene.ask("SELECT count(*) FROM throttle") == "1")
            #expect(try await scene.ask("SELECT count(*) FROM usable_endpoint") == "1")
        }
    }

    @Test func `silence may have been a yes: tried again, not given back`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            scene.sink.answer(then: .hang)
            var settings = Scene.settings
            settings.limits.total = .milliseconds(200)
            try await scene.notifying(settings) {
                try await scene.alarms()
                _ = try await scene.sink.requests(2)
                // The alert expires.
                try await scene.database.sql("UPDATE delivery SET expires_at = now()")
                try await scene.await("delivered", "SELECT state FROM alert")
            }
            let requests = scene.sink.received
            #expect(requests.count > 1)
            #expect(Set(requests.map { $0.header("webhook-id") }) == ["alert_5_1_1"])
            #expect(try await scene.ask("SELECT state FROM delivery") == "stale")
            // On a busy machine an attempt may end before its request was sent.
            let outcomes = try await scene.ask(
                """
                SELECT bool_or(outcome = 'ambiguous') AND bool_and(outcome IN ('ambiguous', 'retry', 'refused'))
                FROM delivery_attempt
                """)
            #expect(outcomes == "t")
            #expect(try await scene.ask("SELECT count(*) FROM throttle") == "1")
        }
    }

    /// The zone was removed from tzdata, or the database was restored on a server without it.
    @Test func `a late acceptance moves the throttle`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.notifying {
                try await scene.alarms(age: 120)
                try await scene.await("delivered", "SELECT state FROM alert")
            }
            #expect(try await scene.ask("SELECT charged_at = ended_at FROM throttle, delivery") == "t")
        }
    }

    @Test func `a prompt acceptance does not`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.notifying {
                try await scene.alarms(age: 30)
                try await scene.await("delivered", "SELECT state FROM alert")
            }
            #expect(
                try await scene.ask(
                    "SELECT charged_at = alert.event_time OR ended_at - decided_at > interval '60 s' FROM throttle, alert, delivery"
                ) == "t")
        }
    }

    @Test func `what is stale is not sent`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.notifying {
                try await scene.alarms(age: 1801)
                try await scene.await("undelivered", "SELECT state FROM alert")
            }
            #expect(scene.sink.received.isEmpty)
            #expect(try await scene.ask("SELECT state FROM delivery") == "stale")
            #expect(try await scene.ask("SELECT count(*) FROM throttle") == "0")
        }
    }

    @Test func `who has no endpoint left is told nothing and keeps the throttle free`() async throws {
        try await Scene.with { scene in
            try await scene.notifying {
                try await scene.alarms()
                try await scene.await("undelivered", "SELECT state FROM alert")
            }
            #expect(try await scene.ask("SELECT count(*) FROM throttle") == "0")
        }
    }
}
