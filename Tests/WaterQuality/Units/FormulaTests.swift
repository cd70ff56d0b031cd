import Testing

@testable import WaterQuality

/// The formulas of units against published check values.
@Suite struct FormulaTests {
    struct Check: Sendable, CustomTestStringConvertible {
        let parameter: Parameter
        let value: Double
        let unit: Unit
        let canonical: Double
        /// Half of the last digit of the published canonical value, or of `value` if that is coarser.
        let within: Double

        init(_ parameter: Parameter, _ value: Double, _ unit: Unit, is canonical: Double, within: Double) {
            self.parameter = parameter
            self.value = value
            self.unit = unit
            self.canonical = canonical
            self.within = within
        }

        var testDescription: String { "\(value) \(unit.rawValue) of \(parameter.name) is \(canonical)" }
    }

    static let checks: [Check] = [
        // By definition.
        Check(.temperature, 78.1, .fahrenheit, is: 25.611, within: 0.0005),
        Check(.temperature, -40, .fahrenheit, is: -40, within: 1e-9),
        Check(.temperature, 32, .fahrenheit, is: 0, within: 1e-9),
        Check(.temperature, 300, .kelvin, is: 26.85, within: 1e-9),
        Check(.ph, 7.9, .ph, is: 7.9, within: 0),
        Check(.nitrite, 250, .ppb, is: 0.25, within: 1e-9),
        // Ratios of molar masses: the ion from its nitrogen.
        Check(.nitrate, 10, .nitrateNitrogen, is: 44.27, within: 0.005),
        Check(.nitrate, 1, .nitrateNitrogen, is: 4.4268, within: 0.00005),
        Check(.nitrate, 11.295, .nitrateNitrogen, is: 50, within: 0.005),
        Check(.nitrite, 1, .nitriteNitrogen, is: 3.2845, within: 0.00005),
        Check(.ammonia, 1, .ammoniaNitrogen, is: 1.28784, within: 0.00001),
        Check(.ammonia, 1.21588, .ammoniaMass, is: 1.28784, within: 0.00001),
        Check(.nitrate, 50, .milligramsPerLitre, is: 50, within: 0),
        // As manuals of test kits have them.
        Check(.phosphate, 1, .phosphatePhosphorus, is: 3.066, within: 0.0005),
        Check(.silicate, 1, .silicon, is: 2.139, within: 0.0005),
        Check(.calcium, 2.497, .calciumCarbonate, is: 1, within: 0.0005),
        Check(.magnesium, 4.118, .calciumCarbonate, is: 1, within: 0.0005),
        // Masses of CaCO3.
        Check(.alkalinity, 1, .carbonateHardness, is: 17.848, within: 0.0005),
        Check(.hardness, 1, .generalHardness, is: 17.848, within: 0.0005),
        Check(.hardness, 0.17832, .millimolesPerLitre, is: 17.848, within: 0.001),
        Check(.hardness, 1, .millimolesPerLitre, is: 100.087, within: 0.0005),
        Check(.alkalinity, 1, .milliequivalentsPerLitre, is: 50.043, within: 0.0005),
        Check(.hardness, 1, .grainsPerGallon, is: 17.118, within: 0.0005),
        Check(.hardness, 1, .clarkDegrees, is: 14.254, within: 0.0005),
        Check(.hardness, 1, .frenchDegrees, is: 10, within: 1e-9),
        Check(.alkalinity, 8, .carbonateHardness, is: 142.8, within: 0.05),
        Check(.alkalinity, 2.853, .milliequivalentsPerLitre, is: 142.8, within: 0.05),
        Check(.alkalinity, 6.72, .carbonateHardness, is: 120, within: 0.1),
        // UNESCO 50; Garcia and Gordon's own check of 6.315 mL/L is 9.0244 mg/L.
        Check(.dissolvedOxygen, 1, .millilitresPerLitre, is: 1.42905, within: 0.000005),
        Check(.dissolvedOxygen, 31.2512, .micromolesPerLitre, is: 1, within: 1e-9),
        Check(.dissolvedOxygen, 44.66, .micromolesPerLitre, is: 1.42905, within: 0.0001),
        Check(.dissolvedOxygen, 6.315, .millilitresPerLitre, is: 9.0244, within: 0.0005),
        // PSS-78 at 25 °C; below 2 with the extension of Hill and others, as in the Gibbs SeaWater toolbox.
        Check(.salinity, 53.065, .millisiemensPerCentimetre, is: 35.00, within: 0.005),
        Check(.salinity, 50, .millisiemensPerCentimetre, is: 32.73, within: 0.005),
        Check(.salinity, 17.02, .millisiemensPerCentimetre, is: 10.00, within: 0.005),
        Check(.salinity, 1, .millisiemensPerCentimetre, is: 0.492, within: 0.0005),
        Check(.salinity, 50_000, .microsiemensPerCentimetre, is: 32.73, within: 0.005),
        Check(.salinity, 35, .psu, is: 35, within: 0),
        // EOS-80, 25/25. Five decimals of specific gravity are 0.007 of salinity.
        Check(.salinity, 1, .specificGravity, is: 0, within: 1e-9),
        Check(.salinity, 1.02259, .specificGravity, is: 30, within: 0.007),
        Check(.salinity, 1.02486, .specificGravity, is: 33, within: 0.007),
        Check(.salinity, 1.02561, .specificGravity, is: 34, within: 0.007),
        Check(.salinity, 1.02637, .specificGravity, is: 35, within: 0.007),
        Check(.salinity, 1.02713, .specificGravity, is: 36, within: 0.007),
        Check(.salinity, 1.025, .specificGravity, is: 33.2, within: 0.05),
    ]

    @Test(arguments: checks) func holds(_ check: Check) throws {
        let scale = try #require(check.parameter.scale(in: check.unit))
        let canonical = try #require(scale.toCanonical(check.value))
        #expect(abs(canonical - check.canonical) <= check.within, "\(canonical)")
        let back = try #require(scale.fromCanonical(canonical))
        #expect(abs(back - check.value) <= 1e-9 * max(1, check.value.magnitude), "\(back)")
    }

    /// UNESCO Technical Papers in Marine Science 44, with temperatures of IPTS-68.
    @Test(arguments: [
        (1, 15, 0, 35.000000), (1.2, 20, 2000, 37.245628), (0.65, 5, 1500, 27.995347),
    ])
    func practicalSalinity(ratio: Double, temperature: Double, pressure: Double, salinity: Double) {
        let found = PracticalSalinity(temperature: temperature).salinity(ratio: ratio, pressure: pressure)
        #expect(abs(found - salinity) <= 0.0000005, "\(found)")
    }

    /// With a temperature of ITS-90, the scale is off by 0.003.
    @Test func temperaturesAreThoseOf1968() {
        let found = PracticalSalinity(temperature: 15 * PracticalSalinity.degreesOf1968).salinity(ratio: 1)
        #expect(abs(found - 34.99677) <= 0.000005, "\(found)")
    }

    @Test func theExtensionMeetsTheScale() {
        let scale = PracticalSalinity.at25Degrees
        let conductivity = scale.conductivity(salinity: 2)
        let (below, above) = (conductivity.nextDown, conductivity + 1e-9)
        #expect(abs(scale.salinity(conductivity: below) - scale.salinity(conductivity: above)) < 1e-8)
        #expect(scale.salinity(conductivity: 0) == 0)
        let values = stride(from: 0.0, through: 42, by: 0.25).map(scale.conductivity)
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test(arguments: [
        (0, 5, 999.96675), (35, 5, 1027.67547), (0, 25, 997.04796), (35, 25, 1023.34306),
    ])
    func density(salinity: Double, temperature: Double, density: Double) {
        let found = SeawaterDensity.density(salinity: salinity, temperature: temperature)
        #expect(abs(found - density) <= 0.000005, "\(found)")
    }

    @Test func specificGravityNeedsItsReference() {
        #expect(abs(SeawaterDensity.specificGravity(salinity: 35, reference: 25) - 1.02637) <= 0.000005)
        #expect(abs(SeawaterDensity.specificGravity(salinity: 35, reference: 20) - 1.02660) <= 0.000005)
    }

    /// A formula gives no value outside its range.
    @Test(arguments: [
        (Parameter.salinity, Unit.specificGravity, 0.9999, 1.0320, -0.1, 42.1),
        (.salinity, .millisiemensPerCentimetre, -0.01, 62.5, -0.1, 42.1),
        (.salinity, .microsiemensPerCentimetre, -1, 62_500, -0.1, 42.1),
    ])
    func endsWithItsFormula(
        parameter: Parameter, unit: Unit, low: Double, high: Double, least: Double, greatest: Double
    ) throws {
        let scale = try #require(parameter.scale(in: unit))
        #expect(scale.toCanonical(low) == nil && scale.toCanonical(high) == nil)
        #expect(scale.fromCanonical(least) == nil && scale.fromCanonical(greatest) == nil)
        #expect(scale.fromCanonical(0) != nil && scale.fromCanonical(42) != nil)
        #expect(scale.toCanonical(.nan)?.isNaN == true && scale.toCanonical(.infinity) == .infinity)
    }

    @Test func nothingIsColderThanAbsoluteZero() throws {
        let (fahrenheit, kelvin) = (
            Parameter.temperature.scale(in: .fahrenheit), Parameter.temperature.scale(in: .kelvin)
        )
        #expect(fahrenheit?.toCanonical(-459.68) == nil && fahrenheit?.toCanonical(-459.66) != nil)
        #expect(kelvin?.toCanonical(-0.01) == nil && kelvin?.toCanonical(0) == -273.15)
        #expect(kelvin?.fromCanonical(-273.16) == nil)
    }
}
