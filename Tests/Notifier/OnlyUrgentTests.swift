import Messaging
import TestSupport
import Testing
import WaterQuality

@testable import Notifier

/// Where alerts go while endpoint 2 hears of nothing but what is critical.
@Suite struct OnlyUrgentTests {
    @Test func `it hears of what is critical alone`() async throws {
        try await Scene.withTelephone { (scene) async throws in
            #expect(try await scene.told(1) == "1")
            #expect(try await scene.told(2, isCritical: true) == "1,2")
        }
    }

    @Test func `how that goes on, and its end, is told there too`() async throws {
        try await Scene.withTelephone { (scene) async throws in
            #expect(try await scene.told(1, isCritical: true) == "1,2")
            #expect(try await scene.told(2, purpose: "reminder") == "1,2")
            #expect(try await scene.told(3, purpose: "recovery") == "1,2")
        }
        try await Scene.withTelephone { (scene) async throws in
            #expect(try await scene.told(1) == "1")
            #expect(try await scene.told(2, purpose: "reminder") == "1")
            #expect(try await scene.told(3, purpose: "ended") == "1")
            #expect(try await scene.told(4, purpose: "recovery") == "1")
        }
    }

    /// With nothing else to tell, waiting for what is critical would be silence.
    @Test(arguments: [
        "UPDATE endpoint SET paused_at = now() WHERE endpoint_id = 1",
        "UPDATE endpoint SET retired_at = now(), retired_because = 'removed' WHERE endpoint_id = 1",
        """
        INSERT INTO endpoint_retirement (slot, endpoint_id, registration, retired_because)
        SELECT 5, endpoint_id, registration, 'gone' FROM endpoint WHERE endpoint_id = 1
        """,
    ])
    func `it is told all where nothing else is left`(gone: String) async throws {
        try await Scene.withTelephone { (scene) async throws in
            _ = try await scene.ask(gone)
            #expect(try await scene.told(1) == "2")
            #expect(try await scene.told(2, purpose: "recovery") == "2")
        }
    }

    /// A step of the chain waits for others, but for none that stays silent.
    @Test func `what stands in the chain is told in its place`() async throws {
        try await Scene.withTelephone { (scene) async throws in
            try await scene.chain(1)
            #expect(try await scene.told(1) == "1")
            #expect(try await scene.told(2, isCritical: true) == "2")
        }
    }

    @Test(arguments: [([2], "1"), ([1, 2], "1"), ([3], "1"), ([1, 2, 3], "1")])
    func `somebody is told, whatever stands in the chain`(steps: [Int], places: String) async throws {
        try await Scene.withTelephone { (scene) async throws in
            try await scene.phone(3)
            _ = try await scene.ask("UPDATE endpoint SET only_urgent = true WHERE endpoint_id = 3")
            for step in steps { try await scene.chain(step) }
            #expect(try await scene.told(1) == places)
            _ = try await scene.ask("UPDATE endpoint SET paused_at = now() WHERE endpoint_id = 1")
            let rest = Set([2, 3]).subtracting(steps)
            let expected = (rest.isEmpty ? [2, 3] : rest.sorted()).map(String.init).joined(separator: ",")
            #expect(try await scene.told(2) == expected)
        }
    }

    @Test func `tests and calls are told wherever they go`() async throws {
        try await Scene.withTelephone { (scene) async throws in
            _ = try await scene.ask(
                """
                INSERT INTO alert (slot, account_id, alert_id, uid, kind, purpose, opened_at, event_time)
                VALUES (5, \(scene.account), 1, gen_random_uuid(), 'test', 'test', now(), now())
                """)
            #expect(try await scene.told() == "1,2")
            #expect(try await scene.told(2, state: "delivered") == "")
            try await scene.chain(2)
            _ = try await scene.ask(
                """
                WITH called AS (
                    INSERT INTO escalation (slot, device_id, parameter, account_id, kind, side, next_at)
                    SELECT slot, device_id, 0, \(scene.account), 'range', 'high', now() FROM device RETURNING *)
                INSERT INTO alert (
                    slot, parameter, device_id, account_id, alert_id, uid, episode_id, kind, purpose, side, value, worst, limit_value,
                    opened_at, event_time, escalation_id, caller, unanswered_seconds, to_endpoint)
                SELECT slot, parameter, device_id, account_id, 3, gen_random_uuid(), 2, kind, 'escalation', side, 25.6, 25.9, 24, now(),
                    now(), escalation_id, account_id, 600, 2
                FROM called
                """)
            #expect(try await scene.told() == "2")
        }
    }
}

extension Scene {
    /// With a phone as endpoint 1, and a telephone as endpoint 2.
    fileprivate static func withTelephone(_ body: @Sendable @escaping (Scene) async throws -> Void) async throws {
        try await Scene.with { scene in
            scene.sink.answer(then: .status(200))
            for number in 1...2 as ClosedRange<Int64> { try await scene.phone(number) }
            _ = try await scene.ask("UPDATE endpoint SET only_urgent = true WHERE endpoint_id = 2")
            try await body(scene)
        }
    }

    fileprivate func phone(_ number: Int64) async throws {
        try await register(number, by: .ntfy, [.server: sink.url(path: "/"), .topic: "koi-\(number)"])
    }

    fileprivate func chain(_ endpoint: Int) async throws {
        _ = try await ask(
            """
            INSERT INTO chain_step (slot, device_id, account_id, place, after_minutes, endpoint_id)
            SELECT slot, device_id, \(account), \(endpoint), 10 * \(endpoint), \(endpoint) FROM device
            """)
    }

    /// Adds an alert and runs a notifier.
    /// - Returns: The endpoints to which it went.
    fileprivate func told(
        _ number: Int, isCritical: Bool = false, purpose: String = "alarm", state: String = "decided"
    ) async throws -> String {
        try await alarms(number...number, state: state, purpose: purpose)
        if isCritical { _ = try await ask("UPDATE alert SET critical = true WHERE alert_id = \(number)") }
        return try await told()
    }

    /// Runs a notifier until all is told.
    /// - Returns: The endpoints to which the last alert went.
    fileprivate func told() async throws -> String {
        try await notifying {
            try await self.await("0", "SELECT count(*) FROM alert WHERE state IN ('decided', 'sending')")
        }
        let last = try await ask("SELECT max(alert_id) FROM alert")
        return try await places(of: try #require(Int(last)))
    }
}
