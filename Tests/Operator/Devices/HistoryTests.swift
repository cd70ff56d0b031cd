import TestSupport
import Testing
import WaterQuality

@testable import Operator

@Suite struct HistoryTests {
    /// A device that measures every ten minutes, warmer by a degree each hour, since midnight (UTC) two days ago;
    /// rolled up to today's midnight.
    private static func with(_ body: @Sendable (Instance) async throws -> Void) async throws {
        try await Instance.with { instance in
            try await instance.populate()
            try await instance.database.sql(
                """
                SET TimeZone = 'UTC';
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature, ph)
                    SELECT slot, 0, device_id, t, t, extract(hour FROM t) + extract(minute FROM t) / 100, 7.5
                    FROM device, generate_series(current_date - 2, now(), '10 minutes') t;
                UPDATE rollup_progress SET hours_since = current_date - 2, hours_until = current_date;
                INSERT INTO sample_hour (slot, device_id, starts_at, temperature_sum, temperature_min, temperature_max,
                        temperature_count)
                    SELECT slot, device_id, date_trunc('hour', event_time), sum(temperature::float8), min(temperature),
                        max(temperature), count(*)
                    FROM sample WHERE event_time < current_date GROUP BY 1, 2, 3;
                INSERT INTO sample_day (slot, device_id, starts_at, temperature_sum, temperature_min, temperature_max,
                        temperature_count)
                    SELECT slot, device_id, date_trunc('day', starts_at), sum(temperature_sum), min(temperature_min),
                        max(temperature_max), sum(temperature_count)
                    FROM sample_hour GROUP BY 1, 2, 3
                """)
            try await body(instance)
        }
    }

    private static func midnight(_ daysAgo: Int, _ instance: Instance) async throws -> String {
        try await instance.database.sql(
            "SET TimeZone = 'UTC'; SELECT to_char(current_date - \(daysAgo), 'YYYY-MM-DD\"T\"HH24:MI:SSZ')")
    }

    @Test func oneParameterWithItsExtremes() async throws {
        try await Self.with { instance in
            let midnight = try await Self.midnight(2, instance)
            let run = try await instance.succeed(
                instance.aqua(
                    "history", instance.device, "--parameter", "temperature", "--since", midnight, "--points", "80"))
            let lines = run.output.split(separator: "\n")
            #expect(lines[0].hasPrefix("HOUR "))
            let hour = midnight.replacing("T00", with: "T07")
            #expect(lines.contains { $0 == "\(hour)  7.0 °C   7.3 °C   7.5 °C   6" })
            let days = try await instance.succeed(
                instance.aqua(
                    "history", instance.device, "--parameter", "temperature", "--since", midnight, "--points", "3",
                    "--unit", "F"))
            #expect(days.output.contains("\n\(midnight)  32.0 °F  53.2 °F  74.3 °F  144\n"))
        }
    }

    /// There would be 25 and more hours, or two days: hours are combined.
    @Test(arguments: [2, 5, 10]) func asManyLinesAsWereAskedFor(_ points: Int) async throws {
        try await Self.with { instance in
            let midnight = try await Self.midnight(2, instance)
            let run = try await instance.succeed(
                instance.aqua(
                    "history", instance.device, "--parameter", "temperature", "--since", midnight, "--points",
                    "\(points)", "--json"))
            let times = Set(run.output.matches(of: /"time" : "([^"]+)"/).map(\.output.1))
            #expect(times.count <= points && times.count * 2 > points, "\(times.sorted())")
            let counts = run.output.matches(of: /"count" : (\d+)/).compactMap { Int($0.output.1) }
            let messages = try await instance.succeed(
                instance.aqua(
                    "history", instance.device, "--parameter", "temperature", "--since", midnight, "--points", "10000",
                    "--json"))
            let all = messages.output.matches(of: /"count" : (\d+)/).compactMap { Int($0.output.1) }
            #expect(counts.reduce(0, +) == all.reduce(0, +), "no value is lost")
        }
    }

    @Test func allParametersByTheirMeans() async throws {
        try await Self.with { instance in
            let midnight = try await Self.midnight(1, instance)
            let run = try await instance.succeed(
                instance.aqua("history", instance.device, "--since", midnight, "--points", "10000"))
            #expect(run.output.hasPrefix("MESSAGE               TEMPERATURE  PH\n"))
            #expect(run.output.contains("\n\(midnight.replacing("T00:00", with: "T03:20"))  3.2 °C       7.5\n"))
            let json = try await instance.succeed(
                instance.aqua("history", instance.device, "--since", midnight, "--points", "10000", "--json"))
            #expect(try json.field("resolution") == "message")
            #expect(json.output.contains(#""parameter" : "ph""#))
            #expect(!json.output.contains("nitrate"), "what was never measured is left out")
        }
    }

    @Test func anOwnerSeesTheirTimeInTheirUnit() async throws {
        try await Self.with { instance in
            try await instance.succeed(
                instance.aqua("range", "set", Instance.person, instance.device, "temperature", "--unit", "F"))
            let midnight = try await Self.midnight(2, instance)
            // The device was theirs from half past ten to half past eleven yesterday.
            try await instance.database.sql(
                """
                SET TimeZone = 'UTC';
                UPDATE ownership SET linked_at = current_date - 1 + interval '10:30',
                    readings_from = current_date - 1 + interval '10:30', unlinked_at = current_date - 1 + interval '11:30'
                """)
            let run = try await instance.succeed(
                instance.aqua(
                    "history", instance.device, "--parameter", "temperature", "--since", midnight, "--points", "80",
                    "--owner", Instance.person))
            let yesterday = try await Self.midnight(1, instance)
            #expect(
                run.output == """
                    HOUR                  MINIMUM  MEAN     MAXIMUM  VALUES
                    \(yesterday.replacing("T00", with: "T10"))  50.5 °F  50.7 °F  50.9 °F  3
                    \(yesterday.replacing("T00", with: "T11"))  51.8 °F  52.0 °F  52.2 °F  3

                    """)
            try await instance.addPeople("bob@example.org")
            let stranger = await instance.aqua("history", instance.device, "--owner", "bob@example.org")
            #expect(stranger.code == 1)
            #expect(stranger.errors.contains("bob@example.org has never owned this device."))
        }
    }

    @Test func whereThereIsNothing() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let run = try await instance.succeed(instance.aqua("history", instance.device))
            #expect(run.output.hasPrefix("\(instance.device) has measured nothing since "))
            let unknown = await instance.aqua("history", "tank-nobody-has")
            #expect(unknown.code == 1)
            #expect(unknown.errors.contains("There is no device tank-nobody-has."))
            let unit = await instance.aqua("history", instance.device, "--parameter", "ph", "--unit", "ppm")
            #expect(unit.errors.contains("ph is not shown in ppm. Choose pH."))
        }
    }

    @Test(arguments: [
        (["--points", "0"], "--points is a number from 1 to 10000."), (["--unit", "F"], "--unit needs --parameter."),
        (["--parameter", "warmth"], "The parameters are temperature"), (["--since", "yesterday"], "Write a time"),
    ]) func faultsOfUsage(_ arguments: [String], _ message: String) async {
        let run = await runAqua(["history", "pond-1"] + arguments)
        #expect(run.code == 64)
        #expect(run.errors.contains(message))
    }
}
