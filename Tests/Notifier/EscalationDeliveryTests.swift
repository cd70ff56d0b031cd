import TestSupport
import Testing

@testable import Notifier

/// Where the alarms, calls and all-clears of somebody with a chain go: endpoint 2 is its step after ten minutes.
@Suite struct EscalationDeliveryTests {
    @Test func `an endpoint of the chain waits for its turn`() async throws {
        try await Scene.withChain { scene in
            try await scene.notifying {
                try await scene.alarms()
                try await scene.await("delivered", "SELECT state FROM alert WHERE alert_id = 1")
                #expect(try await scene.places(of: 1) == "1")
                try await scene.call(2)
                try await scene.await("delivered", "SELECT state FROM alert WHERE alert_id = 2")
                #expect(try await scene.places(of: 2) == "2")
                try await scene.alarms(3...3, purpose: "recovery")
                try await scene.await("delivered", "SELECT state FROM alert WHERE alert_id = 3")
                #expect(try await scene.places(of: 3) == "1", "whoever was called hears of the end otherwise")
            }
            let told = scene.sink.received.map { String(decoding: $0.body, as: UTF8.self) }
            #expect(
                told.contains {
                    $0.contains("\"alert.escalation\"") && $0.contains("Nadie responde desde hace 10 min.")
                })
        }
    }

    /// With nothing else to tell, waiting would be silence.
    @Test func `it is told at once where nothing else is left`() async throws {
        try await Scene.withChain { scene in
            _ = try await scene.ask("UPDATE endpoint SET paused_at = now() WHERE endpoint_id = 1")
            try await scene.notifying {
                try await scene.alarms()
                try await scene.await("delivered", "SELECT state FROM alert WHERE alert_id = 1")
            }
            #expect(try await scene.places(of: 1) == "2")
        }
    }

    @Test(arguments: [
        "UPDATE escalation SET held_until = now() + interval '1 hour'", "UPDATE escalation SET ended_at = now()",
        "UPDATE episode SET closed_at = now(), closed_because = 'recovered'",
    ])
    func `a call that came too late calls nobody`(since: String) async throws {
        try await Scene.withChain { scene in
            try await scene.alarms(state: "delivered")
            try await scene.call(2)
            _ = try await scene.ask(since)
            try await scene.notifying {
                try await scene.await("cancelled", "SELECT state FROM alert WHERE alert_id = 2")
            }
            #expect(scene.sink.received.isEmpty)
        }
    }

    /// Not to whom the call never came.
    @Test func `its end is told to whom it has come`() async throws {
        try await Scene.withChain { scene in
            try await scene.endpoint(3)
            try await scene.alarms(state: "delivered")
            try await scene.notifying {
                try await scene.call(2)
                try await scene.await("delivered", "SELECT state FROM alert WHERE alert_id = 2")
                _ = try await scene.ask("UPDATE alert SET to_endpoint = NULL")
                try await scene.call(3, purpose: "calledOff", taker: "Ana")
                try await scene.await(
                    "1 cancelled, 2 accepted, 3 cancelled",
                    "SELECT string_agg(endpoint_id || ' ' || state, ', ' ORDER BY endpoint_id) FROM delivery WHERE alert_id = 3"
                )
            }
            let last = try #require(scene.sink.received.last.map { String(decoding: $0.body, as: UTF8.self) })
            #expect(last.contains("Ana se ocupa") && last.contains("No tienes que hacer nada."))
        }
    }
}

extension Scene {
    fileprivate static func withChain(_ body: @Sendable @escaping (Scene) async throws -> Void) async throws {
        try await Scene.with { scene in
            for number in 1...2 as ClosedRange<Int64> { try await scene.endpoint(number) }
            try await scene.database.sql(
                """
                INSERT INTO chain_step (slot, device_id, account_id, place, after_minutes, endpoint_id)
                SELECT \(slot), device_id, \(scene.account), 1, 10, 2 FROM device;
                INSERT INTO escalation (slot, device_id, parameter, account_id, kind, side, next_at)
                SELECT \(slot), device_id, 0, \(scene.account), 'range', 'high', now() FROM device
                """)
            try await body(scene)
        }
    }

    /// Adds the call to endpoint 2, or its end.
    fileprivate func call(_ number: Int, purpose: String = "escalation", taker: String? = nil) async throws {
        try await database.sql(
            """
            INSERT INTO alert (
                slot, parameter, device_id, account_id, alert_id, uid, episode_id, kind, purpose, side, value, worst, limit_value, opened_at,
                event_time, escalation_id, caller, unanswered_seconds, to_endpoint, taker_name)
            SELECT slot, parameter, device_id, account_id, \(number), gen_random_uuid(), 1, kind, '\(purpose)', side, 25.6, 25.9, 24, now(), now(),
                escalation_id, account_id, 600, \(purpose == "escalation" ? "2" : "NULL"), \(taker.map { "'\($0)'" } ?? "NULL")
            FROM escalation;
            SELECT pg_notify('alert', '')
            """)
    }
}
