import TestSupport
import Testing
import WaterQuality

@testable import Operator

@Suite struct RangeTests {
    @Test func limitsSnapAndAreShownBack() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            func set(_ arguments: [String]) async -> Run {
                await instance.range(["temperature"] + arguments)
            }
            #expect(await set([]).output == "temperature of \(instance.device): minimum 12.0 °C, maximum 24.0 °C\n")
            // 77.52 °F is 25.289 °C, snaps to 25.3 °C, which is 77.54 °F.
            let changed = await set(["--max", "77.52", "--min", "-5.04", "--unit", "°F"])
            #expect(changed.output == "temperature of \(instance.device) is now: minimum -5.1 °F, maximum 77.5 °F\n")
            #expect(try await instance.currentSetting == "F|-206|253|2")
            // From now on numbers are in the person's unit.
            let lower = try await instance.succeed(set(["--max", "70", "--json"]))
            #expect(try lower.field("maximum") == "70")
            #expect(try lower.field("unit") == "F")
            #expect(try await instance.currentSetting == "F|-206|211|3")
            try await instance.succeed(set(["--min", "none"]))
            #expect(try await instance.currentSetting == "F||211|4")
            // A command that changes nothing makes no version.
            try await instance.succeed(set(["--max", "70"]))
            #expect(try await instance.currentSetting == "F||211|4")
        }
    }

    @Test func whatIsAskedBesideTheLimitsIsSetAndShown() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let set = await instance.range([
                "temperature", "--after", "10m", "--critical-max", "30", "--critical-min", "5",
            ])
            let limits = "temperature of \(instance.device) is now: minimum 12.0 °C, maximum 24.0 °C"
            #expect(set.output == "\(limits), critical below 5.0 °C, critical above 30.0 °C, alarms after 600 s\n")
            let stored =
                "SELECT critical_minimum, critical_maximum, delay_seconds FROM setting WHERE parameter = 0 AND valid_until IS NULL"
            #expect(try await instance.database.sql(stored) == "50|300|600")
            let json = try await instance.succeed(instance.range(["temperature", "--json"]))
            #expect(try json.field("delaySeconds") == "600" && json.field("criticalMaximum") == "30")
            #expect(json.output.contains(#""tellsUnstable" : false"#))
            let once = await instance.range(["temperature", "--unstable", "once", "--after", "none"])
            #expect(once.output.hasSuffix("critical above 30.0 °C, told once while unstable\n"))
            #expect(
                try await instance.database.sql(
                    "SELECT tells_unstable FROM setting WHERE parameter = 0 ORDER BY version") == "f\nf\nt")
            #expect(await instance.range(["temperature", "--unstable", "twice"]).errors.contains("once"))
            #expect(await instance.range(["temperature", "--unstable", "each"]).output.hasSuffix("above 30.0 °C\n"))
            let crossing = await instance.range(["temperature", "--critical-max", "24"])
            #expect(crossing.errors.contains("The critical maximum of temperature must be above its maximum"))
            #expect(await instance.range(["temperature", "--max", "31"]).code == 1)
            #expect(await instance.range(["temperature", "--after", "25h"]).errors.contains("a day at most"))
            let off = await instance.range(
                ["temperature", "--after", "none", "--critical-max", "none", "--critical-min", "none"])
            #expect(off.output == "\(limits)\n")
            for (change, constraint) in [
                ("critical_maximum = maximum", "setting_critical_is_beyond"),
                ("minimum = NULL, critical_minimum = 1", "setting_critical_is_beyond"),
                ("delay_seconds = 86401", "setting_delay"),
            ] {
                await #expect {
                    try await instance.database.sql("UPDATE setting SET \(change) WHERE parameter = 0")
                } throws: { "\($0)".contains(constraint) }
            }
        }
    }

    @Test func theGreatestChangeInAnHourIsSetAndShown() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let set = await instance.range(["temperature", "--change", "3"])
            #expect(set.output.hasSuffix("maximum 24.0 °C, alarms beyond 3.0 °C in an hour\n"))
            let fahrenheit = await instance.range(["temperature", "--change", "9", "--unit", "F"])
            #expect(fahrenheit.output.hasSuffix("alarms beyond 9.0 °F in an hour\n"))
            let json = try await instance.succeed(instance.range(["temperature", "--json"]))
            #expect(try json.field("changePerHour") == "9" && json.field("changeUnit") == "F")
            let stored = "SELECT change_per_hour FROM setting WHERE parameter = 0 ORDER BY version"
            #expect(try await instance.database.sql(stored) == "\n30\n50")
            let refused = await instance.range(["temperature", "--change", "0"])
            #expect(refused.errors.contains("A change of temperature in an hour is from 0.2 °F to 144.0 °F, or none."))
            #expect(await instance.range(["temperature", "--change", "none"]).output.hasSuffix("75.2 °F\n"))
            await #expect {
                try await instance.database.sql("UPDATE setting SET change_per_hour = 0 WHERE parameter = 0")
            } throws: { "\($0)".contains("setting_change") }
        }
    }

    @Test func howLongAheadALimitIsToldIsSetAndShown() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let set = await instance.range(["temperature", "--ahead", "2h"])
            #expect(set.output.hasSuffix("maximum 24.0 °C, told 120 min ahead\n"), "\(set.output)")
            let json = try await instance.succeed(instance.range(["temperature", "--json"]))
            #expect(try json.field("aheadMinutes") == "120")
            let stored = "SELECT ahead_minutes FROM setting WHERE parameter = 0 ORDER BY version"
            #expect(try await instance.database.sql(stored) == "\n120")
            let refused = await instance.range(["temperature", "--ahead", "14m"])
            #expect(refused.errors.contains("A limit is told from 15 minutes to 6 hours ahead, such as 2h, or none."))
            #expect(await instance.range(["temperature", "--ahead", "none"]).output.hasSuffix("24.0 °C\n"))
            for minutes in [14, 361] {
                await #expect {
                    try await instance.database.sql("UPDATE setting SET ahead_minutes = \(minutes) WHERE parameter = 0")
                } throws: { "\($0)".contains("setting_ahead") }
            }
        }
    }

    @Test func versionsFollowOneAnotherAndRulesChange() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let before = try await instance.database.sql("SELECT max(version) FROM slot_rules")
            try await instance.succeed(instance.range(["ph", "--max", "8.2"]))
            try await instance.succeed(instance.range(["ph", "--max", "8.1"]))
            #expect(
                try await instance.database.sql(
                    """
                    SELECT count(*), bool_and(next IS NULL AND valid_until IS NULL OR valid_until = next) FROM (
                        SELECT valid_until, lead(valid_from) OVER (ORDER BY version) AS next FROM setting WHERE parameter = 1) s
                    """) == "3|t")
            let after = try await instance.database.sql("SELECT max(version) FROM slot_rules")
            #expect(Int(after) ?? 0 > Int(before) ?? 0)
            let counted = try await instance.database.sql(
                "SELECT count(*) FROM device d JOIN slot_rules r USING (slot) WHERE d.rules_version = r.version")
            #expect(counted == "1")
        }
    }

    @Test func changesAtOnceAllCount() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            await withTaskGroup(of: Void.self) { group in
                for step in 0..<5 {
                    group.addTask { _ = await instance.range(["ph", "--max", "8.\(step)"]) }
                }
            }
            #expect(
                try await instance.database.sql(
                    "SELECT max(version), count(*) FILTER (WHERE valid_until IS NULL) FROM setting WHERE parameter = 1")
                    == "6|1")
        }
    }

    @Test func limitsThatCrossAreRefusedByToolAndSchemaAlike() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let crossing = await instance.range(["temperature", "--min", "24"])
            #expect(crossing.code == 1)
            #expect(crossing.errors.contains("The minimum of temperature must be at least 0.1 °C below its maximum"))
            let beyond = await instance.range(["temperature", "--max", "40.1"])
            #expect(beyond.errors.contains("must be from -40.0 °C to 40.0 °C"))
            let ammonia = await instance.range(["ammonia", "--min", "0.1"])
            #expect(ammonia.errors.contains("ammonia has no minimum, as its best value is zero; set only a maximum."))
            #expect(try await instance.currentSetting == "C|120|240|1")

            for (change, constraint) in [
                ("minimum = maximum", "setting_limits_cross"), ("maximum = 401", "setting_absolute_range"),
                (
                    "parameter = 2, version = 9, minimum = 1, maximum = 20, valid_until = now()",
                    "setting_has_no_minimum"
                ),
            ] {
                await #expect {
                    try await instance.database.sql("UPDATE setting SET \(change) WHERE parameter = 0")
                } throws: { "\($0)".contains(constraint) }
            }
        }
    }

    @Test(arguments: [
        (["temperature", "--max", "nan"], "A limit is a number with a decimal point"),
        (["temperature", "--max", "24,5"], "A limit is a number with a decimal point"),
        (["warmth"], "The parameters are temperature, ph, ammonia"),
    ])
    func whatIsNoLimitIsAFaultOfUsage(_ arguments: [String], _ message: String) async {
        let run = await runAqua(["range", "set", Instance.person, "pond-1"] + arguments)
        #expect(run.code == 64)
        #expect(run.errors.contains(message))
    }

    @Test func unitsThatDoNotFit() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let run = await instance.range(["temperature", "--unit", "ppm"])
            #expect(run.code == 1)
            #expect(run.errors.contains("temperature is not shown in ppm. Choose °C or °F or K."))
            // A unit for devices only.
            let parts = await instance.range(["ammonia", "--unit", "ppb"])
            #expect(parts.code == 1)
        }
    }

    @Test func everyStepSurvivesTheWayThroughTheOtherUnit() throws {
        for count in stride(from: Int32(-400), to: 400, by: 1) {
            let range = PersonalRange(parameter: .temperature, unit: .fahrenheit, minimum: nil, maximum: Steps(count))
            let fahrenheit = try #require(range.scale.fromCanonical(Double(count) / 10))
            let change = RangeChange(minimum: nil, maximum: .value(fahrenheit), unit: nil)
            #expect(try change.applied(to: range).maximum == Steps(count))
        }
    }
}

extension Instance {
    func range(_ arguments: [String]) async -> Run {
        await runAqua(["range", "set", Self.person, device] + arguments, environment: environment)
    }

    /// The temperature's unit, limits and version.
    var currentSetting: String {
        get async throws {
            try await database.sql(
                "SELECT unit, minimum, maximum, version FROM setting WHERE parameter = 0 AND valid_until IS NULL")
        }
    }
}
