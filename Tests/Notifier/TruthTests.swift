import PushClient
import TestSupport
import Testing
import WaterQuality

@testable import Notifier

/// Messages are true at the moment of sending.
@Suite struct TruthTests {
    private static let close = """
        UPDATE episode SET closed_at = last_at, closed_because = 'recovered' WHERE closed_at IS NULL
        """

    /// The alarm of water that left its range again overtakes a refused all-clear.
    @Test func `an all-clear is not sent once the trouble is back`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.notifying {
                try await scene.alarms(1...1)
                try await scene.await("delivered", "SELECT state FROM alert")
                scene.sink.answer([.status(503, retryAfter: "600")], then: .status(204))
                try await scene.alarms(2...2, purpose: "recovery")
                try await scene.await("1", "SELECT count(*) FROM delivery_attempt WHERE alert_id = 2")
                try await scene.alarms(3...3)
                try await scene.tryAgain()
                try await scene.await("cancelled", "SELECT state FROM alert WHERE alert_id = 2")
            }
            #expect(
                scene.sink.received.map { $0.header("webhook-id") } == ["alert_5_1_1", "alert_5_2_1", "alert_5_3_1"])
            #expect(
                try await scene.ask("SELECT state FROM alert WHERE alert_id = 3") == "delivered")
        }
    }

    /// Water that left its range again for a while, without an alert: "since" is no longer true.
    @Test(arguments: [true, false])
    func `an all-clear is not sent once there was trouble again`(isOver: Bool) async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.notifying {
                try await scene.alarms(1...1)
                try await scene.await("delivered", "SELECT state FROM alert")
                scene.sink.answer([.status(503, retryAfter: "600")], then: .status(204))
                try await scene.alarms(2...2, purpose: "recovery")
                try await scene.await("1", "SELECT count(*) FROM delivery_attempt WHERE alert_id = 2")
                try await scene.database.sql(
                    """
                    INSERT INTO episode (slot, parameter, device_id, account_id, episode_id, kind, side, opened_at, last_at,
                        worst, closed_at, closed_because)
                    SELECT slot, parameter, device_id, account_id, 9, kind, side, now(), now(), worst, now(), 'recovered'
                    FROM episode WHERE \(isOver)
                    """)
                try await scene.tryAgain()
                try await scene.await(isOver ? "cancelled" : "delivered", "SELECT state FROM alert WHERE alert_id = 2")
            }
            #expect(scene.sink.received.count == (isOver ? 2 : 3))
        }
    }

    /// Nobody got the alarm, so the throttle is free again and the end is not told.
    @Test func `an alarm is not sent once it is over, and its charge is given back`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            scene.sink.answer(then: .status(503, retryAfter: "600"))
            try await scene.notifying {
                try await scene.alarms()
                _ = try await scene.sink.requests(1)
                try await scene.database.sql(Self.close)
                try await scene.await("1", "SELECT count(*) FROM delivery_attempt")
                try await scene.tryAgain()
                try await scene.await("cancelled", "SELECT state FROM alert")
            }
            #expect(scene.sink.received.count == 1)
            #expect(try await scene.ask("SELECT state FROM delivery") == "cancelled")
            #expect(try await scene.ask("SELECT count(*) FROM throttle") == "0")
            #expect(
                try await scene.ask("SELECT detail FROM delivery_attempt ORDER BY attempt DESC LIMIT 1")
                    == "it was over, or its limit changed, before it could be sent")
        }
    }

    /// A slow notifier, like one that was frozen, checks its leased deliveries again.
    @Test(arguments: [true, false])
    func `what has waited for its turn is looked at again`(isOver: Bool) async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            scene.sink.answer([.hang], then: .status(204))
            var settings = Scene.settings
            settings.bounds.runningPerNarrowHost = 1
            // Longer than the events in between take on a busy machine.
            settings.limits.total = .seconds(10)
            settings.truthLasts = .zero
            try await scene.notifying(settings) {
                // The second delivery waits for the first, of another episode, which hangs.
                try await scene.silence(50, of: .ph)
                _ = try await scene.sink.requests(1)
                try await scene.alarms(60...60)
                try await scene.await("1", "SELECT count(*) FROM delivery WHERE alert_id = 60 AND attempts = 1")
                if isOver { try await scene.database.sql(Self.close) }
                try await scene.await(isOver ? "cancelled" : "delivered", "SELECT state FROM alert WHERE alert_id = 60")
            }
            let sent = scene.sink.received.filter { $0.header("webhook-id") == "alert_5_60_1" }
            #expect(sent.count == (isOver ? 0 : 1))
        }
    }

    /// Until it is recorded that an alarm was over, an engine may have made it the alarm of the next episode.
    @Test func `an alarm that holds again while it is given up is sent`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            scene.sink.answer([.hang], then: .status(204))
            var settings = Scene.settings
            settings.bounds.runningPerNarrowHost = 1
            // Longer than the events in between take on a busy machine.
            settings.limits.total = .seconds(10)
            try await scene.notifying(settings) {
                try await scene.silence(50, of: .ph)
                _ = try await scene.sink.requests(1)
                // It is over when it is leased, and then waits for the first delivery.
                try await scene.alarms(60...60, state: "delivered")
                try await scene.database.sql(
                    "\(Self.close); UPDATE alert SET state = 'decided' WHERE alert_id = 60; SELECT pg_notify('alert', '')"
                )
                try await scene.await("1", "SELECT count(*) FROM delivery WHERE alert_id = 60 AND attempts = 1")
                try await scene.database.sql(
                    """
                    INSERT INTO episode (
                        slot, parameter, device_id, account_id, episode_id, kind, side, opened_at, last_at, worst, alert_id)
                    SELECT slot, parameter, device_id, account_id, 61, kind, side, now(), now(), worst, 60
                    FROM episode WHERE episode_id = 60;
                    UPDATE alert SET episode_id = 61 WHERE alert_id = 60
                    """)
                try await scene.await("delivered", "SELECT state FROM alert WHERE alert_id = 60")
            }
            #expect(scene.sink.received.count { $0.header("webhook-id") == "alert_5_60_1" } == 1)
            #expect(try await scene.ask("SELECT count(*) FROM delivery_attempt WHERE alert_id = 60") == "1")
        }
    }

    /// Limits as a person sets them: a new version of the setting.
    @Test(arguments: [("maximum = 270", true), ("unit = 'C'", false), ("minimum = 100", false)])
    func `a limit that has changed is not told`(change: String, isCancelled: Bool) async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            scene.sink.answer([.status(503, retryAfter: "600")], then: .status(204))
            try await scene.notifying {
                try await scene.alarms()
                _ = try await scene.sink.requests(1)
                try await scene.database.sql(
                    """
                    BEGIN;
                    UPDATE setting SET valid_until = now();
                    INSERT INTO setting (slot, parameter, device_id, account_id, version, unit, minimum, maximum, colour, position)
                    SELECT slot, parameter, device_id, account_id, 2, unit, minimum, maximum, colour, position FROM setting;
                    UPDATE setting SET \(change) WHERE version = 2;
                    COMMIT
                    """)
                try await scene.await("1", "SELECT count(*) FROM delivery_attempt")
                try await scene.tryAgain()
                try await scene.await(isCancelled ? "cancelled" : "delivered", "SELECT state FROM alert")
            }
            #expect(try await scene.ask("SELECT count(*) FROM throttle") == (isCancelled ? "0" : "1"))
        }
    }

    /// A delivered all-clear gives back earlier charges, on both sides, and no later ones.
    @Test func `a delivered all-clear gives the charges back`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.notifying {
                try await scene.alarms(1...1)
                try await scene.await("delivered", "SELECT state FROM alert")
                try await scene.alarms(2...2, state: "delivered", purpose: "recovery")
                try await scene.database.sql(
                    """
                    DELETE FROM throttle;
                    INSERT INTO throttle (slot, parameter, device_id, account_id, kind, charged_at, alert_id)
                    SELECT slot, p, device_id, account_id, k, now(), a FROM alert,
                        (VALUES (0, 'high', 1), (0, 'range', 1), (0, 'low', 9), (0, 'rate', 1), (1, 'high', 1)) AS n (p, k, a)
                    WHERE alert_id = 2;
                    UPDATE alert SET state = 'decided' WHERE alert_id = 2;
                    SELECT pg_notify('alert', '')
                    """)
                try await scene.await("delivered", "SELECT state FROM alert WHERE alert_id = 2")
            }
            #expect(
                try await scene.ask(
                    "SELECT string_agg(parameter || ' ' || kind, ', ' ORDER BY parameter, kind) FROM throttle")
                    == "0 low, 0 rate, 1 high")
        }
    }
}

extension Scene {
    /// Has what was refused tried again now, as if its time had come: a time of its own would come before a busy machine has made the
    /// change that is tried.
    fileprivate func tryAgain() async throws {
        // A delivery that a notifier holds may be on its way, and would be sent twice.
        try await database.sql(
            "UPDATE delivery SET next_attempt_at = now() WHERE state = 'pending' AND holder IS NULL")
    }
}
