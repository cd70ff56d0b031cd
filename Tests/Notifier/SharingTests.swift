import Dispatch
import PushClient
import PushTargets
import ServiceKit
import TestSupport
import Testing

@testable import Notifier

/// Several notifiers, and notifiers that end.
@Suite struct SharingTests {
    @Test func `two share the work and send nothing twice`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.endpoint(2)
            // Too little room for one notifier to take everything.
            var settings = Scene.settings
            settings.bounds.running = 8
            let metrics = [MetricsRegistry(), MetricsRegistry()]
            let alarms = try await scene.notifying(settings, metrics: metrics[0]) { [settings] in
                try await scene.notifying(settings, metrics: metrics[1]) {
                    var last = 0
                    repeat {
                        try await scene.alarms(last + 1...last + 50)
                        last += 50
                        try await scene.await("\(last)", "SELECT count(*) FROM alert WHERE state = 'delivered'")
                    } while last < 200 || last < 2_000 && !metrics.allSatisfy(\.hasDelivered)
                    return last
                }
            }
            #expect(metrics.map(\.hasDelivered) == [true, true])
            let ids = scene.sink.received.map { $0.header("webhook-id") }
            #expect(ids.count == 2 * alarms)
            #expect(Set(ids).count == 2 * alarms)
        }
    }

    @Test func `one that is stopped gives back what it has not begun`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            scene.sink.answer(then: .hang)
            var settings = Scene.settings
            settings.bounds.runningPerNarrowHost = 1
            settings.grace = .milliseconds(100)
            try await scene.notifying(settings) {
                try await scene.alarms(1...10)
                _ = try await scene.sink.requests(1)
                try await scene.await("10", "SELECT count(*) FROM delivery WHERE attempts = 1")
            }
            #expect(try await scene.ask("SELECT string_agg(outcome, ',') FROM delivery_attempt") == "ambiguous")
            #expect(
                try await scene.ask(
                    """
                    SELECT count(*) FROM delivery d WHERE state = 'pending' AND next_attempt_at <= now() AND NOT EXISTS (
                        SELECT FROM delivery_attempt t WHERE t.alert_id = d.alert_id)
                    """) == "9")
            // The next notifier gets them at once.
            scene.sink.answer(then: .status(200))
            try await scene.notifying {
                try await scene.await("10", "SELECT count(*) FROM alert WHERE state = 'delivered'")
            }
        }
    }

    /// Another attempt may just have been accepted, for a registration that is in use.
    @Test(arguments: ["attempts = 5", "lease = lease # 1", "attempts = attempts"])
    func `a late 410 retires what it was sent to, and nothing else`(lease: String) async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1, url: "http://gone.invalid:\(scene.sink.port)/1")
            let gate = DispatchSemaphore(value: 0)
            var settings = Scene.settings
            settings.ask = { _ in
                gate.wait()
                return [IPAddress("127.0.0.1")].compactMap(\.self)
            }
            settings.limits.connect = .seconds(3600)
            settings.limits.total = .seconds(3600)
            settings.lease = .seconds(100_000)
            scene.sink.answer(then: .status(410))
            try await scene.notifying(settings) {
                try await scene.alarms()
                try await scene.await("1", "SELECT count(*) FROM delivery")
                // Meanwhile another notifier has the delivery, or the endpoint is registered again.
                try await scene.database.sql(
                    """
                    UPDATE delivery SET \(lease), next_attempt_at = now() + interval '5 min';
                    UPDATE endpoint SET registration = registration + CASE WHEN '\(lease)' = 'attempts = attempts' THEN 1 ELSE 0 END
                    """)
                gate.signal()
                try await scene.await("gone", "SELECT outcome FROM delivery_attempt")
            }
            #expect(try await scene.ask("SELECT count(*) FROM usable_endpoint") == "1")
        }
    }

    /// A result that comes after its lease was taken over is recorded as an attempt and changes nothing else. A lease
    /// that a server crash lost has the number of the one after it.
    @Test(arguments: zip(["attempts = 5", "lease = lease # 1"], [5, 1]))
    func `a lease that was taken over counts no more`(other: String, number: Int) async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            scene.sink.answer(then: .hang)
            var settings = Scene.settings
            // Long enough for the statement below, however busy the machine is.
            settings.limits.total = .seconds(30)
            settings.lease = .seconds(600)
            try await scene.notifying(settings) {
                try await scene.alarms()
                _ = try await scene.sink.requests(1)
                // Like another notifier's lease that lasts.
                try await scene.database.sql(
                    "UPDATE delivery SET \(other), next_attempt_at = now() + interval '10 min'")
                try await scene.await("ambiguous", "SELECT outcome FROM delivery_attempt")
            }
            let rest = "state || attempts, ambiguous_at IS NULL, next_attempt_at > now() + interval '5 min'"
            #expect(try await scene.ask("SELECT \(rest) FROM delivery") == "pending\(number)|t|t")
        }
    }

    /// A server crash lost a lease, and its number was given again. The log shows the outcome of both.
    @Test func `an attempt is logged beside another of its number`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            scene.sink.answer(then: .hang)
            var settings = Scene.settings
            settings.limits.total = .seconds(2)
            settings.schedule = RetrySchedule(first: .seconds(600), longest: .seconds(600))
            try await scene.notifying(settings) {
                try await scene.alarms()
                try await scene.await("ambiguous", "SELECT outcome FROM delivery_attempt")
            }
            try await scene.database.sql("UPDATE delivery SET attempts = 0, next_attempt_at = now()")
            scene.sink.answer(then: .status(200))
            try await scene.notifying { try await scene.await("delivered", "SELECT state FROM alert") }
            #expect(
                try await scene.ask(
                    "SELECT string_agg(attempt || ' ' || outcome, ', ' ORDER BY attempt) FROM delivery_attempt")
                    == "1 ambiguous, 2 accepted")
        }
    }
}

extension MetricsRegistry {
    /// Whether an endpoint accepted anything from this notifier.
    fileprivate var hasDelivered: Bool {
        render().split(separator: "\n").contains {
            $0.hasPrefix("aqua_notifier_deliveries_total{") && $0.contains("\"accepted\"") && !$0.hasSuffix(" 0")
        }
    }
}
