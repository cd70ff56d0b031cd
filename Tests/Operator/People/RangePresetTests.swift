import TestSupport
import Testing
import WaterQuality
import Words

@testable import Operator

/// `aqua range preset`
@Suite struct RangePresetTests {
    private func preset(_ instance: Instance, _ arguments: String...) async -> Run {
        await runAqua(["range", "preset"] + arguments, environment: instance.environment)
    }

    @Test func takesOverTheLimitsOfAPreset() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            try await instance.database.sql(
                "UPDATE setting SET critical_maximum = maximum + 10, delay_seconds = 60 WHERE parameter = 0")
            let run = try await instance.succeed(preset(instance, Instance.person, instance.device, "reef"))
            #expect(
                run.output.hasPrefix(
                    "temperature of \(instance.device) is now: minimum 24.0 °C, maximum 27.0 °C, alarms after 60 s\n"))
            let stored = """
                SELECT minimum, maximum, critical_maximum, delay_seconds, version FROM setting
                WHERE parameter = 0 AND valid_until IS NULL
                """
            #expect(try await instance.database.sql(stored) == "240|270||60|2")
            // Parameters that the preset lacks keep their limits.
            let named = Preset.reef.limits(of: .orp)
            #expect(named == nil)
            let untouched = "SELECT max(version) FROM setting WHERE parameter = \(Parameter.orp.rawValue)"
            #expect(try await instance.database.sql(untouched) == "1")
            let again = try await instance.succeed(
                preset(instance, Instance.person, instance.device, "reef", "--json"))
            #expect(try again.field("preset") == "reef")
            #expect(try await instance.database.sql(stored) == "240|270||60|2")
        }
    }

    /// Needs no database: presets are part of the program.
    @Test func listsThemWithTheirSources() async throws {
        let run = await runAqua(["range", "preset", "--list"], environment: [:])
        #expect(run.code == 0, "\(run.errors)")
        for preset in Preset.allCases {
            #expect(run.output.contains("\(preset.rawValue): \(preset.name(in: .en))\nSources: "))
            for source in preset.sources { #expect(run.output.contains(source)) }
        }
        #expect(run.output.contains("keepers' convention") && run.output.contains("24.0 °C to 27.0 °C"))
    }

    @Test func refusesWhatIsNothing() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let unknown = await preset(instance, Instance.person, instance.device, "sharks")
            #expect(unknown.code != 0 && unknown.errors.contains("The presets are community, goldfish_koi"))
            let missing = await preset(instance, Instance.person, instance.device)
            #expect(missing.code == 1 && missing.errors.contains("Name a person, a device and a preset"))
            let both = await preset(instance, Instance.person, "--list")
            #expect(both.code == 1 && both.errors.contains("--list takes no person"))
            try await instance.addPeople("eve@example.org")
            let stranger = await preset(instance, "eve@example.org", instance.device, "reef")
            #expect(stranger.code == 1 && stranger.errors.contains("is not linked to eve@example.org"))
        }
    }
}
