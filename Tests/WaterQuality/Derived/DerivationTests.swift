import TestSupport
import Testing

@testable import WaterQuality

/// Derived values that are added to the readings of a message.
@Suite struct DerivationTests {
    private static func derived(_ values: [Parameter: Float]) -> Readings {
        var readings = Readings()
        for (parameter, value) in values { readings[parameter] = value }
        readings.derive()
        return readings
    }

    @Test func inputsThatShareAMessageGiveTheValue() throws {
        let readings = Self.derived([.temperature: 20, .dissolvedOxygen: 4.546])
        #expect(try abs(#require(readings[.oxygenSaturation]) - 50) < 0.01)
        #expect(readings[.freeAmmonia] == nil && readings[.carbonDioxide] == nil)
        #expect(readings[.temperature] == 20 && readings[.dissolvedOxygen] == 4.546)
    }

    /// What is wrong takes along what was computed with it, and nothing else.
    @Test func whatIsComputedGoesWithItsInputs() {
        let ofPH: ParameterSet = [ParameterSet(.ph), ParameterSet(.freeAmmonia), ParameterSet(.carbonDioxide)]
        #expect(ParameterSet(.ph).withDerived == ofPH)
        #expect(ParameterSet(.oxygenSaturation).withDerived == ParameterSet(.oxygenSaturation))
        #expect(ParameterSet(.nitrate).withDerived == ParameterSet(.nitrate))
        #expect(
            ParameterSet(.salinity).withDerived.isSuperset(of: ParameterSet(.oxygenSaturation)),
            "it says which water it is")
    }

    /// A measured value is not replaced by a derived one.
    @Test func whatTheDeviceMeasuresIsKept() {
        let readings = Self.derived([
            .temperature: 20, .dissolvedOxygen: 4.546, .oxygenSaturation: 47, .alkalinity: 70, .ph: 7,
            .carbonDioxide: 0,
        ])
        #expect(readings[.oxygenSaturation] == 47 && readings[.carbonDioxide] == 0)
    }

    /// Salt water holds less oxygen, and less of its ammonia is NH3. Without a salinity, conductivity gives it.
    @Test func saltCounts() throws {
        let water: [Parameter: Float] = [.temperature: 25, .dissolvedOxygen: 6.772, .ammonia: 1, .ph: 8.2]
        let salt = Self.derived(water.merging([.salinity: 35]) { $1 })
        let conductive = Self.derived(water.merging([.conductivity: 53_065]) { $1 })
        let fresh = Self.derived(water)
        #expect(try abs(#require(salt[.oxygenSaturation]) - 100) < 0.01)
        #expect(try abs(#require(conductive[.oxygenSaturation]) - 100) < 0.02)
        #expect(try abs(#require(fresh[.oxygenSaturation]) - 81.95) < 0.01)
        #expect(try abs(#require(salt[.freeAmmonia]) - 0.0699 * 0.94412) < 0.0001)
        #expect(try abs(#require(fresh[.freeAmmonia]) - 0.0825 * 0.94412) < 0.0001)
        let both = Self.derived(water.merging([.salinity: 35, .conductivity: 200]) { $1 })
        #expect(
            both
                == Self.derived(water.merging([.salinity: 35, .conductivity: 100_000]) { $1 }).with(.conductivity, 200))
    }

    /// No value is derived from an impossible salinity.
    @Test(arguments: [(Parameter.salinity, Float(-0.6)), (.salinity, 41), (.conductivity, -1), (.conductivity, 90_000)])
    func impossibleSaltGivesNoValue(parameter: Parameter, value: Float) {
        let readings = Self.derived([
            .temperature: 20, .dissolvedOxygen: 8, .ammonia: 1, .ph: 7, .alkalinity: 70, parameter: value,
        ])
        for derivation in Derivation.all { #expect(readings[derivation.parameter] == nil) }
    }

    @Test func aProbeThatDriftedBelowNoughtIsInFreshWater() {
        let drifted = Self.derived([.temperature: 20, .dissolvedOxygen: 8, .salinity: -0.3])
        #expect(drifted[.oxygenSaturation] == Self.derived([.temperature: 20, .dissolvedOxygen: 8])[.oxygenSaturation])
    }

    /// Zero oxygen gives zero saturation.
    @Test func noOxygenIsNoSaturation() throws {
        #expect(try #require(Self.derived([.temperature: 20, .dissolvedOxygen: -0.05])[.oxygenSaturation]) < 0)
        #expect(Self.derived([.temperature: 20, .dissolvedOxygen: 3e38])[.oxygenSaturation] == nil, "beyond 32 bits")
    }

    /// For random messages: with all inputs the derived value is that of the formula, without one of them there is
    /// none, and nothing else changes.
    @Test(arguments: 0..<50) func propertiesOfRandomMessages(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var sent = Readings()
            for parameter in Parameter.allCases where Int.random(in: 0..<100, using: &random) < 60 {
                let range = parameter.absoluteRange
                let steps = Int32.random(in: range.lowerBound.count...range.upperBound.count, using: &random)
                let isAbsurd = Int.random(in: 0..<20, using: &random) == 0
                sent[parameter] =
                    isAbsurd ? Float.random(in: -1e38...1e38, using: &random) : parameter.value(of: Steps(steps))
            }
            var stored = sent
            stored.derive()
            for parameter in Parameter.allCases {
                if let value = sent[parameter] {
                    #expect(stored[parameter] == value)
                } else if let derivation = parameter.derivation, derivation.inputs.allSatisfy({ sent[$0] != nil }) {
                    #expect(stored[parameter] == Self.expected(parameter, sent))
                } else {
                    #expect(stored[parameter] == nil)
                }
                #expect(stored[parameter]?.isFinite != false)
            }
            var again = stored
            again.derive()
            #expect(again == stored)
        }
    }

    private static func expected(_ parameter: Parameter, _ sent: Readings) -> Float? {
        func double(_ parameter: Parameter) -> Double { sent[parameter].map(Double.init) ?? 0 }
        var salinity: Double?
        if let sent = sent[.salinity] {
            salinity = sent < 0 && sent >= -0.5 ? 0 : Double(sent)
        } else if sent[.conductivity] != nil {
            salinity = Parameter.salinity.scale(in: .microsiemensPerCentimetre)?.toCanonical(double(.conductivity))
        } else {
            salinity = 0
        }
        guard let salinity else { return nil }
        let value =
            switch parameter {
            case .oxygenSaturation:
                OxygenSaturation.solubility(temperature: double(.temperature), salinity: salinity)
                    .map { 100 * double(.dissolvedOxygen) / $0 }
            case .freeAmmonia:
                FreeAmmonia.fraction(temperature: double(.temperature), ph: double(.ph), salinity: salinity)
                    .map { $0 * double(.ammonia) * 17.0305 / 18.0385 }
            default:
                CarbonDioxide.estimate(alkalinity: double(.alkalinity), ph: double(.ph), salinity: salinity)
            }
        return value.map { Float($0) }.flatMap { $0.isFinite ? $0 : nil }
    }

    @Test func whatIsDerivableIsWhatHasItsInputs() {
        func set(_ parameters: Parameter...) -> ParameterSet {
            parameters.reduce(into: ParameterSet()) { $0.insert(ParameterSet($1)) }
        }
        #expect(set(.oxygenSaturation, .temperature).derivable == [])
        #expect(set(.dissolvedOxygen, .temperature).derivable == [])
        #expect(
            set(.oxygenSaturation, .dissolvedOxygen, .temperature, .carbonDioxide).derivable == set(.oxygenSaturation))
    }

    @Test func nothingIsDerivedFromWhatIsDerived() {
        let derived = Derivation.all.map(\.parameter)
        #expect(Set(derived).count == derived.count)
        for derivation in Derivation.all { #expect(Set(derivation.inputs).isDisjoint(with: derived)) }
    }
}

extension Readings {
    fileprivate func with(_ parameter: Parameter, _ value: Float?) -> Readings {
        var readings = self
        readings[parameter] = value
        return readings
    }
}
