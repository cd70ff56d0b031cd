import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// Parameters that a device has stopped sending, while it sends others. Times are seconds before now.
@Suite struct ParameterSilenceTests {
    /// One probe breaks while the others go on.
    @Test func aParameterThatStopsIsTold() async throws {
        try await SilenceScene.with { scene in
            try await scene.hear(until: 10, "temperature, ph")
            try await scene.look()
            #expect(try await scene.sql("SELECT parameters FROM silence_check") == "3", "they are learnt")
            try await scene.sql(
                """
                UPDATE sample SET event_time = event_time - interval '601 s', received_at = received_at - interval '601 s'
                """)
            try await scene.hear(until: 10, "temperature")
            #expect(try await scene.lookAgain().alerts.count == 1)
            #expect(try await scene.lookAgain().alerts.isEmpty)
            #expect(
                try await scene.sql(
                    """
                    SELECT a.kind, a.purpose, a.parameter, a.check_probe, e.parameter,
                        e.opened_at = (SELECT max(received_at) FROM sample WHERE ph IS NOT NULL)
                    FROM alert a JOIN episode e USING (episode_id)
                    """) == "silence|alarm|1|t|1|t")
            #expect(try await scene.sql("SELECT parameter, kind FROM throttle") == "1|silence")
            #expect(try await scene.sql("SELECT parameters FROM silence_check") == "3")

            try await scene.sql("UPDATE alert SET state = 'delivered'")
            try await scene.hear(until: 1, "temperature, ph", count: 1)
            _ = try await scene.lookAgain()
            #expect(try await scene.sql("SELECT closed_because FROM episode") == "recovered")
            try await scene.sql("UPDATE episode SET closed_at = closed_at - interval '1 hour', recovery_due_at = now()")
            try await scene.look()
            #expect(try await scene.told() == ["silence alarm", "silence recovery"])
            #expect(try await scene.sql("SELECT count(*) FROM alert WHERE parameter = 1") == "2")
        }
    }

    /// The device and one of its parameters have a silence and a throttle each.
    @Test func aDeviceThatComesBackWithoutAParameter() async throws {
        try await SilenceScene.with { scene in
            try await scene.hear(until: 1_000, "temperature, ph")
            try await scene.look()
            #expect(try await scene.told() == ["silence alarm"])
            try await scene.hear(until: 5, "temperature", count: 2)
            _ = try await scene.lookAgain()
            #expect(try await scene.told() == ["silence alarm"], "it has only just come back")
            try await scene.sql(
                """
                UPDATE sample SET event_time = event_time - interval '400 s', received_at = received_at - interval '400 s'
                WHERE ph IS NULL
                """)
            try await scene.hear(until: 5, "temperature", count: 4)
            _ = try await scene.lookAgain()
            #expect(
                try await scene.sql("SELECT parameter, closed_at IS NULL FROM episode ORDER BY episode_id")
                    == "|f\n1|t")
            #expect(try await scene.sql("SELECT count(*) FROM throttle") == "2")
            try await scene.sql(
                """
                UPDATE alert SET state = 'delivered';
                UPDATE episode SET closed_at = closed_at - interval '1 hour', recovery_due_at = now()
                WHERE parameter IS NULL
                """)
            try await scene.look()
            #expect(try await scene.told() == ["silence alarm", "silence alarm", "silence recovery"])
            #expect(
                try await scene.sql("SELECT parameter IS NULL FROM alert WHERE purpose = 'recovery'") == "t")
        }
    }

    /// The device reports a DS18B20 that replaced another one: it has power, and shows it.
    @Test(arguments: ["temperature", "temperature, ph"]) func aReplacedProbeIsToldAsThat(_ columns: String) async throws
    {
        try await SilenceScene.with { scene in
            try await scene.hear(until: 700, columns)
            if columns != "temperature" { try await scene.hear(until: 10, "ph") }
            try await scene.sql(
                """
                UPDATE silence_check SET parameters = 3;
                INSERT INTO temperature_probe (slot, device_id, probe_id) SELECT slot, device_id, 'AA01' FROM device;
                INSERT INTO reported_probe (slot, device_id, probe_id, temperature, reported_at)
                SELECT slot, device_id, 'AA02', 21, now() - interval '100 s' FROM device
                """)
            #expect(try await scene.look().alerts.count == 1)
            #expect(try await scene.sql("SELECT kind, parameter, check_probe FROM alert") == "silence|0|f")
            #expect(try await scene.lookAgain().alerts.isEmpty)
            // Both end: now the device itself is silent.
            try await scene.sql(
                """
                UPDATE sample SET event_time = event_time - interval '1000 s', received_at = received_at - interval '1000 s';
                UPDATE reported_probe SET reported_at = reported_at - interval '1000 s'
                """)
            #expect(try await scene.lookAgain().alerts.count == 1)
            #expect(
                try await scene.sql("SELECT count(*) FROM alert WHERE parameter IS NULL AND NOT check_probe") == "1")
        }
    }

    /// Two probes that report every five minutes: both are well.
    @Test func aProbeBesideTheOneInTheWaterIsNoOther() async throws {
        try await SilenceScene.with { scene in
            try await scene.hear(until: 700, "temperature, ph")
            try await scene.hear(until: 10, "ph")
            try await scene.sql(
                """
                UPDATE silence_check SET parameters = 3;
                INSERT INTO temperature_probe (slot, device_id, probe_id) SELECT slot, device_id, 'AA01' FROM device;
                INSERT INTO reported_probe (slot, device_id, probe_id, temperature, reported_at)
                SELECT slot, device_id, 'AA0' || n, 21, now() - interval '100 s' FROM device, generate_series(1, 2) n
                """)
            try await scene.look()
            #expect(try await scene.sql("SELECT check_probe FROM alert WHERE parameter = 0") == "t")
        }
    }

    @Test func aParameterThatCameSeldomIsNotMissed() async throws {
        try await SilenceScene.with { scene in
            try await scene.hear(until: 610, "temperature, ph", count: 5)
            try await scene.hear(until: 10, "temperature")
            try await scene.sql("UPDATE silence_check SET parameters = 3")
            #expect(try await scene.look().alerts.isEmpty)
            #expect(try await scene.sql("SELECT parameters FROM silence_check") == "1")
        }
    }

    /// A person who knows that the pH is not measured does not know that it is out of range.
    @Test func theAllClearOfARangeKnowsNothingOfSilences() async throws {
        try await SilenceScene.with { scene in
            try await scene.hear(until: 610, "temperature, ph")
            try await scene.hear(until: 10, "temperature")
            try await scene.sql("UPDATE silence_check SET parameters = 3")
            try await scene.look()
            try await scene.sql(
                """
                UPDATE alert SET state = 'delivered';
                INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at,
                    closed_at, closed_because, worst, recovery_due_at)
                SELECT slot, device_id, 1, \(scene.fixture.account.rawValue), 1000, 'range', 'high',
                    now() - interval '1 hour', now(), now() - interval '10 minutes', 'recovered', 9, now()
                FROM device
                """)
            let due = try await scene.engine.execute(TakeDueRecoveries(limit: 10, floors: BatchFloors.none))
            #expect(due.count == 1 && due.first?.alarm == RecoveryNotice.Alarm(anyDelivered: false, anyPending: false))
        }
    }
}
