import Instants
import TestSupport
import Testing
import WaterQuality

@testable import Operator

@Suite struct AlertsTests {
    @Test func whatOnlyANewerVersionKnowsIsShownByItsName() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            try await instance.openEpisode()
            try await instance.database.sql(
                """
                ALTER TABLE alert DROP CONSTRAINT alert_kind_check, DROP CONSTRAINT alert_purpose_check;
                UPDATE alert SET kind = 'forecast', purpose = 'hint' WHERE alert_id = 3
                """)
            let table = try await instance.succeed(instance.aqua("alerts", Instance.person)).output
            #expect(table.contains("forecast of temperature") && table.contains("hint"))
        }
    }

    @Test func alertsAreShownInThePersonsUnit() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            #expect(
                await instance.aqua("alerts", Instance.person).output.hasPrefix(
                    "ada@example.org has had no alert since "))
            try await instance.succeed(
                instance.aqua("range", "set", Instance.person, instance.device, "temperature", "--unit", "F"))
            try await instance.openEpisode()
            try await instance.database.sql(
                """
                UPDATE alert SET value = 25.6, limit_value = 24, side = 'high';
                UPDATE alert SET purpose = 'recovery', value = 23.9, check_probe = true WHERE alert_id = 2;
                UPDATE alert SET decided_at = now() - interval '3 days', critical = true WHERE alert_id = 1;
                UPDATE alert SET unstable = true WHERE alert_id = 3;
                UPDATE delivery SET ended_at = (SELECT decided_at FROM alert WHERE alert_id = 3) + interval '42 ms' WHERE alert_id = 3
                """)
            let day = try await instance.succeed(instance.aqua("alerts", Instance.person)).output
            #expect(day.contains("temperature 78.1 °F above 75.2 °F, unstable"))
            #expect(day.contains("temperature 75.0 °F, back in range, check the probe"))
            #expect(day.contains("42 ms") && day.contains("Garden pond"))
            #expect(day.split(separator: "\n").count == 3)
            let week = try await instance.succeed(instance.aqua("alerts", Instance.person, "--since", "7d")).output
            #expect(week.split(separator: "\n").count == 4)
            #expect(week.contains("temperature 78.1 °F above 75.2 °F, critical") && !day.contains("critical"))
            try await instance.database.sql(
                """
                UPDATE alert SET kind = 'rate', side = NULL, limit_value = 3, change = -3.5, change_seconds = 2400
                WHERE alert_id = 3
                """)
            let fast = try await instance.succeed(instance.aqua("alerts", Instance.person)).output
            #expect(fast.contains("temperature fell 6.3 °F in 40 min"))
            try await instance.database.sql(
                """
                UPDATE alert SET kind = 'ahead', change = NULL, change_seconds = NULL, limit_value = 30, heading = 'high',
                    expected_at = '2026-05-01T13:10:00Z' WHERE alert_id = 3
                """)
            let ahead = try await instance.succeed(instance.aqua("alerts", Instance.person)).output
            #expect(ahead.contains("temperature 78.1 °F, above 86.0 °F by 2026-05-01T13:10:00Z"))
            try await instance.database.sql(
                """
                UPDATE alert SET kind = 'rate', heading = NULL, expected_at = NULL, limit_value = 3, change = -3.5,
                    change_seconds = 2400 WHERE alert_id = 3
                """)
            let json = try await instance.succeed(
                instance.aqua("alerts", Instance.person, "--json", "--since", "2020-01-01T00:00:00+01:00"))
            #expect(try json.field("since") == "2019-12-31T23:00:00Z")
            #expect(json.output.contains(#""value" : "78.1 °F""#))
            try await instance.database.sql(
                """
                INSERT INTO device_clock (slot, device_id, lag_seconds) SELECT slot, device_id, 7200 FROM device;
                UPDATE alert SET event_time = '2026-05-01T12:00:00Z', decided_at = '2026-05-01T14:00:00Z'
                """)
            let late = try await instance.succeed(
                instance.aqua("alerts", Instance.person, "--json", "--since", "2020-01-01T00:00:00+01:00"))
            #expect(
                late.output.contains(#""eventTime" : "2026-05-01T14:00:00Z""#), "of a clock that is two hours behind")
        }
    }

    @Test func silencesAreShownAsSuch() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            try await instance.openEpisode()
            try await instance.database.sql(
                """
                UPDATE episode SET kind = 'silence', parameter = NULL, side = NULL WHERE episode_id = 1;
                UPDATE alert SET kind = 'silence', parameter = NULL, side = NULL, value = NULL, episode_id = 1;
                UPDATE alert SET check_probe = true WHERE alert_id = 2;
                UPDATE alert SET purpose = 'recovery' WHERE alert_id = 3
                """)
            let table = try await instance.succeed(instance.aqua("alerts", Instance.person)).output
            let lines = table.split(separator: "\n").dropFirst()
            let words = ["no readings  ", "no readings, check the probe", "readings again"]
            #expect(zip(lines, words).allSatisfy { $0.contains($1) } && lines.count == 3, "\(table)")
            let json = try await instance.succeed(instance.aqua("alerts", Instance.person, "--json"))
            #expect(json.output.contains(#""kind" : "silence""#))
            try await instance.database.sql("UPDATE episode SET parameter = 1; UPDATE alert SET parameter = 1")
            let probes = try await instance.succeed(instance.aqua("alerts", Instance.person)).output
            #expect(
                probes.contains("no ph readings, check the probe") && probes.contains("ph readings again"), "\(probes)")
            try await instance.database.sql(
                "UPDATE episode SET kind = 'fault' WHERE episode_id = 1; UPDATE alert SET kind = 'fault'")
            let faults = try await instance.succeed(instance.aqua("alerts", Instance.person)).output
            #expect(
                faults.contains("ph probe says that it is broken") && faults.contains("ph probe works again"),
                "\(faults)")
            try await instance.database.sql("UPDATE alert SET value = 8")
            let flat = try await instance.succeed(instance.aqua("alerts", Instance.person)).output
            #expect(
                flat.contains("ph probe stays at 8.0") && flat.contains("ph probe works again, it had stayed at 8.0"),
                "\(flat)")
        }
    }

    @Test func aStrangerHasNone() async throws {
        try await Instance.with { instance in
            let run = await instance.aqua("alerts", "nobody@example.org")
            #expect(run.code == 1)
            #expect(run.errors.contains("There is no account of nobody@example.org."))
        }
    }

    @Test(arguments: ["yesterday", "24", "-3h", "0s", "2026-05-01", "2026-05-01T12:00:00"])
    func timesThatAreNone(_ text: String) {
        #expect(throws: OperatorError.self) { try Since(text) }
    }

    @Test func timesCountFromNow() throws {
        let now = Timestamp(unixSeconds: Int64(1_000_000))
        #expect(try Since("2h").time(at: now) == Timestamp(unixSeconds: Int64(992_800)))
        #expect(try Since("1970-01-02T00:00:00Z").time(at: now) == Timestamp(unixSeconds: Int64(86_400)))
    }
}
