import Testing
import Words

@testable import WaterQuality

/// The limits of each preset.
@Suite struct PresetTests {
    @Test(arguments: Preset.allCases) func everyPresetIsARangeThatCanBeSet(_ preset: Preset) throws {
        for parameter in Parameter.allCases {
            guard let limits = preset.limits(of: parameter) else { continue }
            let range = try SafeRange(parameter, minimum: limits.minimum, maximum: limits.maximum)
            #expect(range.minimum == limits.minimum && range.maximum == limits.maximum)
            // A limit at the end of the probe's scale would never alarm.
            if let maximum = limits.maximum { #expect(maximum < parameter.absoluteRange.upperBound) }
            if let minimum = limits.minimum { #expect(minimum > parameter.absoluteRange.lowerBound) }
        }
    }

    /// The most dangerous parameters always have limits.
    @Test(arguments: Preset.allCases.filter { $0 != .pool }) func theWorstIsAlwaysLimited(_ preset: Preset) throws {
        #expect(preset.limits(of: .temperature)?.minimum != nil && preset.limits(of: .temperature)?.maximum != nil)
        #expect(preset.limits(of: .ph)?.minimum != nil && preset.limits(of: .ph)?.maximum != nil)
        for parameter in [Parameter.ammonia, .nitrite] { #expect(preset.limits(of: parameter)?.maximum != nil) }
        #expect(preset.limits(of: .dissolvedOxygen)?.minimum != nil)
    }

    @Test func seaWaterIsSaltyAndFreshWaterIsNotLimited() throws {
        for preset in Preset.allCases {
            let salinity = try #require(preset.limits(of: .salinity))
            let isMarine = preset == .reef || preset == .marineFish
            #expect((salinity.minimum != nil) == isMarine && (salinity.maximum != nil) == isMarine)
        }
        let reef = try #require(Preset.reef.limits(of: .salinity))
        let range = try SafeRange(.salinity, minimum: reef.minimum, maximum: reef.maximum)
        #expect(range.contains(Steps(350)) && !range.isBeyondSensor(Steps(350)))
    }

    /// The catalogue's degrees of hardness were converted by hand.
    @Test(
        arguments: [
            (Preset.community, Parameter.alkalinity, 3, 10), (.community, .hardness, 4, 15),
            (.marineFish, .alkalinity, 7, 12),
            (.reef, .alkalinity, 7, 11), (.neocaridina, .alkalinity, 1, 8), (.neocaridina, .hardness, 4, 12),
            (.caridina, .hardness, 4, 6), (.discus, .alkalinity, 1, 4), (.discus, .hardness, 1, 5),
        ] as [(Preset, Parameter, Float, Float)])
    func degreesAreWhatTheSourcesSay(_ preset: Preset, _ parameter: Parameter, _ low: Float, _ high: Float) throws {
        let limits = try #require(preset.limits(of: parameter))
        #expect(
            limits.minimum == parameter.steps(of: low * 17.848) && limits.maximum == parameter.steps(of: high * 17.848))
    }

    @Test func chlorineIsWantedInPoolsAlone() throws {
        for preset in Preset.allCases {
            let isPool = preset == .pool
            #expect((preset.limits(of: .freeChlorine)?.minimum != nil) == isPool)
            guard !isPool, let limits = preset.limits(of: .freeChlorine) else { continue }
            #expect(limits.maximum == Steps(2) && preset.limits(of: .totalChlorine) == limits)
        }
        let hardness = try #require(Parameter.calcium.scale(in: .calciumCarbonate))
        let calcium = try #require(Preset.pool.limits(of: .calcium))
        #expect(hardness.toCanonical(200).map { Parameter.calcium.steps(of: Float($0)) } == calcium.minimum)
        #expect(hardness.toCanonical(400).map { Parameter.calcium.steps(of: Float($0)) } == calcium.maximum)
    }

    @Test func namesTellThemApart() {
        for language in Language.allCases {
            let names = Preset.allCases.map { $0.name(in: language) }
            #expect(Set(names).count == names.count && names.allSatisfy { !$0.isEmpty })
        }
        #expect(Preset.allCases.allSatisfy { !$0.sources.isEmpty })
    }
}
