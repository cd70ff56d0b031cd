import TestSupport
import Testing

@testable import Operator

/// `aqua range test`
@Suite struct RangeTestTests {
    /// Three days of 20 °C, each with 25.5 °C for an hour.
    private func with(_ body: @Sendable (Instance) async throws -> Void) async throws {
        try await Instance.with { instance in
            try await instance.populate()
            try await instance.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature)
                SELECT slot, 0, device_id, now() - interval '3 days' + n * interval '1 minute', now(),
                    CASE WHEN n % 1440 BETWEEN 700 AND 759 THEN 25.5 ELSE 20 END
                FROM device, generate_series(0, 3 * 1440 - 1) AS n
                """)
            try await body(instance)
        }
    }

    private func test(_ instance: Instance, _ arguments: [String], throttle: String? = nil) async -> Run {
        var environment = instance.environment
        environment["AQUA_THROTTLE"] = throttle
        return await runAqua(
            ["range", "test", Instance.person, instance.device] + arguments, environment: environment)
    }

    @Test func tellsHowOftenAndWhen() async throws {
        try await with { instance in
            let run = await test(instance, ["temperature"])
            #expect(run.code == 0, "\(run.errors)")
            #expect(
                run.output.hasPrefix(
                    "temperature of \(instance.device) with minimum 12.0 °C, maximum 24.0 °C: 3 alarms, 3 reminders since "
                ))
            #expect(run.output.contains("(4320 readings)"))
            #expect(run.output.split(separator: "\n").filter { $0.hasSuffix("  25.5 °C above 24.0 °C") }.count == 3)
            // The setting is unchanged.
            let setting = try await instance.currentSetting
            #expect(setting == "C|120|240|1")
        }
    }

    /// A fast change and a warning ahead are no values beyond a limit.
    @Test func saysOfEachAlarmWhatItIs() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            // Four degrees up in four hours, again and again, to 24 at most.
            try await instance.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature)
                SELECT slot, 0, device_id, now() - interval '2 days' + n * interval '1 minute', now(),
                    20 + n % 240 / 60.0
                FROM device, generate_series(0, 2 * 1440 - 1) AS n
                """)
            try await instance.succeed(instance.range(["temperature", "--ahead", "1h"]))
            let ahead = try await instance.succeed(test(instance, ["temperature"])).output
            #expect(ahead.contains(/23\.[0-9] °C, above 24\.0 °C by 20[0-9-]+T[0-9:.]+Z\n/), "\(ahead)")
            try await instance.succeed(instance.range(["temperature", "--ahead", "none", "--change", "3"]))
            let changes = try await instance.succeed(test(instance, ["temperature"])).output
            #expect(changes.contains(/20\.[0-9] °C, fell [34]\.[0-9] °C within an hour\n/), "\(changes)")
        }
    }

    @Test func triesLimitsInThePersonsUnit() async throws {
        try await with { instance in
            try await instance.succeed(instance.range(["temperature", "--unit", "F"]))
            let quiet = try await instance.succeed(test(instance, ["temperature", "--max", "78", "--json"]))
            #expect(try quiet.field("alarms") == "0" && quiet.field("maximum") == "78.1")
            let loud = try await instance.succeed(
                test(instance, ["temperature", "--max", "75", "--since", "2d", "--json"], throttle: "10m"))
            #expect(try loud.field("alarms") == "2" && loud.field("reminders") == "10")
            #expect(try loud.field("unit") == "F" && loud.field("tooNew") == "0")
        }
    }

    @Test func refusesWhatIsNothing() async throws {
        try await with { instance in
            let silent = await test(instance, ["ph"])
            #expect(silent.output == "\(instance.device) has sent no ph in this time.\n")
            let crossing = await test(instance, ["temperature", "--min", "24"])
            #expect(crossing.code == 1 && crossing.errors.contains("at least 0.1 °C below its maximum"))
            let never = await test(instance, ["temperature", "--since", "2999-01-01T00:00:00Z"])
            #expect(never.code == 1 && never.errors.contains("--since is a time that has passed."))
            try await instance.addPeople("eve@example.org")
            let strangers = await runAqua(
                ["range", "test", "eve@example.org", instance.device, "temperature"],
                environment: instance.environment)
            #expect(strangers.code == 1 && strangers.errors.contains("does not have the device"))
        }
    }
}
