import Foundation
import Logging
import ServiceKit
import TestSupport
import Testing

@testable import Notifier

/// What has come through of the canary is shown, and the heartbeat address called for it.
@Suite struct CanaryWatchTests {
    private static let beat = "/beat/secret"

    /// Settings with a look at the canary four times a second.
    private static var settings: NotifierSettings {
        var settings = Scene.settings
        settings.lookAtCanary = .milliseconds(250)
        return settings
    }

    /// Makes the scene's pond the canary, set up an hour ago.
    private static func mark(_ scene: Scene, every seconds: Int = 900) async throws {
        try await scene.database.sql(
            """
            INSERT INTO canary (account_id, slot, device_id, every_seconds, made_at)
            SELECT \(scene.account), \(Scene.slot), device_id, \(seconds), now() - interval '1 hour' FROM device
            """)
    }

    private static func beats(_ scene: Scene) -> [WebhookSink.Request] {
        scene.sink.received.filter { $0.path == beat }
    }

    private static func address(_ scene: Scene) -> HeartbeatAddress { HeartbeatAddress(scene.sink.url(path: beat)) }

    /// Waits until the metrics hold a line.
    private static func await(_ line: String, _ metrics: MetricsRegistry) async throws {
        try await awaitFact(line) { metrics.render().contains("\n\(line)\n") ? true : nil }
    }

    private static let interval = "aqua_notifier_canary_interval_seconds"
    private static let taken = #"aqua_notifier_heartbeats_total{outcome="taken"}"#
    private static let failed = #"aqua_notifier_heartbeats_total{outcome="failed"}"#

    /// The seconds since the last arrival that the metrics show.
    private static func age(_ metrics: MetricsRegistry) throws -> Double {
        let name = "\naqua_notifier_canary_delivered_timestamp_seconds "
        let text = try #require(metrics.render().components(separatedBy: name).last?.split(separator: "\n").first)
        return Date().timeIntervalSince1970 - (try #require(Double(text)))
    }

    @Test func `an alarm that was taken is shown, and the address called once, whoever looks`() async throws {
        try await Scene.with { scene in
            try await Self.mark(scene)
            try await scene.endpoint(1)
            scene.sink.answer(then: .status(200))
            let (one, other) = (MetricsRegistry(), MetricsRegistry())
            try await scene.notifying(Self.settings, heartbeat: Self.address(scene), metrics: one) {
                try await Self.await("\(Self.interval) 900", one)
                #expect(try Self.age(one) > 3_500)
                #expect(Self.beats(scene).isEmpty)
                try await scene.alarms()
                try await scene.await("t", "SELECT beaten_at = delivered_at FROM canary")
                try await scene.notifying(Self.settings, heartbeat: Self.address(scene), metrics: other) {
                    try await Self.await("\(Self.interval) 900", other)
                    try await Self.await("\(Self.taken) 1", one)
                }
                #expect(try Self.age(one) < 60 && Self.age(other) < 60)
            }
            let beats = Self.beats(scene)
            #expect(beats.count == 1)
            #expect(beats.first?.method == "GET" && beats.first?.body == [])
        }
    }

    @Test func `each alarm that arrives calls again`() async throws {
        try await Scene.with { scene in
            try await Self.mark(scene)
            try await scene.endpoint(1)
            scene.sink.answer(then: .status(200))
            let metrics = MetricsRegistry()
            try await scene.notifying(Self.settings, heartbeat: Self.address(scene), metrics: metrics) {
                try await scene.alarms()
                try await Self.await("\(Self.taken) 1", metrics)
                try await scene.alarms(2...2)
                try await Self.await("\(Self.taken) 2", metrics)
            }
            #expect(Self.beats(scene).count == 2)
        }
    }

    /// Each of these reaches the webhook or fails to, and none shows that an alarm of the canary's water arrives.
    @Test(arguments: ["refused", "silence", "recovery", "another's"])
    func `nothing else counts`(_ what: String) async throws {
        try await Scene.with { scene in
            try await Self.mark(scene)
            try await scene.endpoint(1)
            scene.sink.answer { $0.path == "/1" && what == "refused" ? .status(500) : .status(200) }
            if what == "another's" {
                try await scene.database.sql(
                    """
                    WITH probe AS (
                        INSERT INTO device (slot, hardware_id, claim_code_hash)
                        VALUES (\(Scene.slot), 'canary-1', decode(repeat('01', 32), 'hex')) RETURNING device_id
                    )
                    UPDATE canary SET device_id = probe.device_id FROM probe
                    """)
            }
            let metrics = MetricsRegistry()
            try await scene.notifying(Self.settings, heartbeat: Self.address(scene), metrics: metrics) {
                switch what {
                case "silence": try await scene.silence()
                case "recovery":
                    // The alarm that it ends was told long ago.
                    try await scene.alarms(1...1, age: 7_200, state: "delivered")
                    try await scene.database.sql(
                        """
                        INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, state, expires_at, ended_at)
                        VALUES (\(Scene.slot), \(scene.account), 1, 1, 'accepted', now(), now() - interval '2 hours')
                        """)
                    try await scene.alarms(2...2, purpose: "recovery")
                default: try await Self.alarm(of: "pond-1", scene)
                }
                _ = try await scene.sink.requests(1)
                let end =
                    what == "refused"
                    ? "SELECT max(tries) > 3 FROM delivery" : "SELECT bool_and(state <> 'pending') FROM delivery"
                try await scene.await("t", end)
                // A look after that.
                try await scene.await("t", "SELECT count(*) = 1 FROM look_at_canary(true)")
                #expect(try Self.age(metrics) > 3_500)
            }
            #expect(try await scene.ask("SELECT delivered_at IS NULL AND beaten_at IS NULL FROM canary") == "t")
            #expect(Self.beats(scene).isEmpty)
        }
    }

    /// Adds an alarm of one device among several.
    private static func alarm(of device: String, _ scene: Scene) async throws {
        try await scene.database.sql(
            """
            BEGIN;
            INSERT INTO episode (
                slot, parameter, device_id, account_id, episode_id, kind, side, opened_at, last_at, worst, alert_id)
            SELECT slot, 0, device_id, \(scene.account), 1, 'range', 'high', now(), now(), 25.6, 1
            FROM device WHERE hardware_id = '\(device)';
            INSERT INTO alert (
                slot, parameter, device_id, account_id, alert_id, episode_id, kind, purpose, side, value, worst,
                limit_value, opened_at, event_time, received_at)
            SELECT slot, 0, device_id, \(scene.account), 1, 1, 'range', 'alarm', 'high', 25.6, 25.9, 24, now(), now(), now()
            FROM device WHERE hardware_id = '\(device)';
            SELECT pg_notify('alert', '');
            COMMIT
            """)
    }

    @Test func `an address that takes no call is counted, tried once, and holds nothing up`() async throws {
        try await Scene.with { scene in
            try await Self.mark(scene)
            try await scene.endpoint(1)
            scene.sink.answer { $0.path == Self.beat ? .status(404) : .status(200) }
            let metrics = MetricsRegistry()
            try await scene.notifying(Self.settings, heartbeat: Self.address(scene), metrics: metrics) {
                try await scene.alarms()
                try await Self.await("\(Self.failed) 1", metrics)
                try await scene.alarms(2...2)
                try await Self.await("\(Self.failed) 2", metrics)
                try await scene.await("2", "SELECT count(*) FROM delivery WHERE state = 'accepted'")
            }
            #expect(Self.beats(scene).count == 2)
        }
    }

    @Test func `an address that hangs holds no delivery up`() async throws {
        try await Scene.with { scene in
            try await Self.mark(scene)
            try await scene.endpoint(1)
            scene.sink.answer { $0.path == Self.beat ? .hang : .status(200) }
            try await scene.notifying(Self.settings, heartbeat: Self.address(scene)) {
                try await scene.alarms()
                try await scene.await("t", "SELECT beaten_at IS NOT NULL FROM canary")
                try await scene.alarms(2...4)
                try await scene.await("4", "SELECT count(*) FROM delivery WHERE state = 'accepted'")
            }
        }
    }

    @Test func `nothing is called for what arrived before the last turn, nor without an address`() async throws {
        try await Scene.with { scene in
            try await Self.mark(scene, every: 600)
            try await scene.endpoint(1)
            scene.sink.answer(then: .status(200))
            try await scene.notifying(Self.settings) {
                try await scene.alarms()
                try await scene.await("t", "SELECT delivered_at IS NOT NULL FROM canary")
            }
            #expect(try await scene.ask("SELECT beaten_at IS NULL FROM canary") == "t")
            try await scene.database.sql("UPDATE delivery SET ended_at = ended_at - interval '11 minutes'")
            let metrics = MetricsRegistry()
            try await scene.notifying(Self.settings, heartbeat: Self.address(scene), metrics: metrics) {
                try await Self.await("\(Self.interval) 600", metrics)
            }
            #expect(Self.beats(scene).isEmpty)
        }
    }

    @Test func `a time ahead of now, left by a clock that was put back, keeps nothing quiet`() async throws {
        try await Scene.with { scene in
            try await Self.mark(scene)
            try await scene.endpoint(1)
            scene.sink.answer(then: .status(200))
            let ahead = "now() + interval '1 day'"
            try await scene.database.sql("UPDATE canary SET delivered_at = \(ahead), beaten_at = \(ahead)")
            let metrics = MetricsRegistry()
            try await scene.notifying(Self.settings, heartbeat: Self.address(scene), metrics: metrics) {
                try await Self.await("\(Self.interval) 900", metrics)
                #expect(try Self.age(metrics) > 3_500)
                try await scene.alarms()
                try await Self.await("\(Self.taken) 1", metrics)
            }
            #expect(Self.beats(scene).count == 1)
        }
    }

    @Test func `without a canary all is zero`() async throws {
        try await Scene.with { scene in
            try await Self.mark(scene)
            let metrics = MetricsRegistry()
            try await scene.notifying(Self.settings, heartbeat: Self.address(scene), metrics: metrics) {
                try await Self.await("\(Self.interval) 900", metrics)
                try await scene.database.sql("DELETE FROM canary")
                try await Self.await("\(Self.interval) 0", metrics)
                try await Self.await("aqua_notifier_canary_delivered_timestamp_seconds 0", metrics)
            }
            #expect(Self.beats(scene).isEmpty)
        }
    }

    @Test func `the canary is no way that fails and no person who cannot be reached`() async throws {
        try await Scene.with { scene in
            try await Self.mark(scene)
            try await scene.endpoint(1)
            scene.sink.answer(then: .status(500))
            try await scene.notifying(Self.settings) {
                try await scene.alarms(age: 660)
                try await scene.await("t", "SELECT max(tries) > 3 FROM delivery")
            }
            #expect(try await scene.ask("SELECT failed, unreachable FROM tell_failed_ways()") == "0|0")
            #expect(
                try await scene.ask("SELECT open_alarms, silent_devices, unreached_people FROM take_census()")
                    == "0|0|0")
            try await scene.database.sql("DELETE FROM canary")
            #expect(try await scene.ask("SELECT failed, unreachable FROM tell_failed_ways()") == "1|1")
            #expect(try await scene.ask("SELECT open_alarms FROM take_census()") == "1")
        }
    }
}
