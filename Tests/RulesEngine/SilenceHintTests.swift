import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// The alert of a silence says what the device had said of itself that probably explains it.
@Suite struct SilenceHintTests {
    @Test func aSilenceIsExplained() async throws {
        try await SilenceScene.with { scene in
            try await scene.hear(until: 400)
            try await scene.sql(
                """
                INSERT INTO device_life (slot, device_id, family, battery, battery_at, signal, signal_at, noted_at)
                SELECT slot, device_id, 'native', 80, now(), -88, now() - interval '10 minutes', now() FROM device;
                INSERT INTO device_life_day (slot, device_id, day, signal, noted_at)
                SELECT slot, device_id, (now() AT TIME ZONE 'UTC')::date - 2, -85, now() FROM device;
                INSERT INTO episode (slot, device_id, account_id, episode_id, kind, opened_at, last_at, closed_at, closed_because)
                SELECT slot, device_id, account_id, nextval('episode_id'), 'silence', now() - interval '2 days', now(), now() - interval '47 hours',
                    'recovered' FROM ownership
                """)
            #expect(try await scene.look().alerts.count == 1)
            #expect(try await scene.sql("SELECT hint FROM alert") == "signals -88")
        }
    }

    @Test func anEmptyBatteryExplainsASilence() async throws {
        try await SilenceScene.with { scene in
            try await scene.hear(until: 400)
            try await scene.sql(
                """
                INSERT INTO device_life (slot, device_id, family, battery, battery_at, noted_at)
                SELECT slot, device_id, 'native', 4, now() - interval '10 minutes', now() FROM device
                """)
            try await scene.look()
            #expect(try await scene.sql("SELECT hint FROM alert") == "battery 4")
        }
    }

    /// Whoever watches is told nothing of what the device said before their time, nor of the day on which it began.
    @Test func whatWasSaidBeforeSomebodysTimeExplainsNothingToThem() async throws {
        try await SilenceScene.with { scene in
            try await scene.hear(until: 400)
            let watcher = try await scene.fixture.addPerson("pat")
            try await scene.fixture.join(watcher)
            try await scene.sql(
                """
                UPDATE ownership SET linked_at = now() - interval '500 s', readings_from = now() - interval '500 s'
                WHERE role = 'watcher';
                INSERT INTO device_life (slot, device_id, family, battery, battery_at, noted_at)
                SELECT slot, device_id, 'native', 4, now() - interval '10 minutes', now() FROM device;
                INSERT INTO device_life_day (slot, device_id, day, restarts, noted_at)
                SELECT slot, device_id, (now() AT TIME ZONE 'UTC')::date - n, 9, now() FROM device, generate_series(1, 3) n
                """)
            #expect(try await scene.look().alerts.count == 2)
            #expect(
                try await scene.sql(
                    """
                    SELECT account_id = \(watcher.rawValue), coalesce(hint, 'none') FROM alert ORDER BY 1
                    """) == "f|battery 4\nt|none")
        }
    }
}
