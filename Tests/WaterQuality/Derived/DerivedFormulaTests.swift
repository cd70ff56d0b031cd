import Glibc
import Testing

@testable import WaterQuality

/// The formulas of derived parameters against published values.
@Suite struct DerivedFormulaTests {
    /// The table of APHA Standard Methods 4500-O, and values of the same equations in salt water, to half of the last
    /// digit.
    @Test(arguments: [
        (0, 0, 14.621), (8, 0, 11.843), (16, 0, 9.870), (24, 0, 8.418), (32, 0, 7.305), (40, 0, 6.413),
        (10, 0, 11.288), (20, 0, 9.092), (25, 0, 8.263), (20, 35, 7.396), (25, 35, 6.772),
    ])
    func oxygenSolubility(temperature: Double, salinity: Double, published: Double) throws {
        let found = try #require(OxygenSaturation.solubility(temperature: temperature, salinity: salinity))
        #expect(abs(found - published) <= 0.0005, "\(found)")
        let percent = OxygenSaturation.percent(oxygen: published / 2, temperature: temperature, salinity: salinity)
        #expect(try abs(#require(percent) - 50) <= 0.005)
    }

    /// Emerson and others, from table 1.4 of Fundamentals of Aquatic Veterinary Medicine, which gives four digits.
    @Test(arguments: [
        (10, 7.0, 0.0018), (20, 8.0, 0.0381), (26, 8.4, 0.1326), (28, 8.2, 0.0998), (6, 8.0, 0.0133),
    ])
    func freeAmmoniaOfFreshWater(temperature: Double, ph: Double, published: Double) throws {
        let found = try #require(FreeAmmonia.fraction(temperature: temperature, ph: ph, salinity: 0))
        #expect(abs(found - published) <= 0.0001, "\(found)")
    }

    /// EPA 1989, computed independently.
    @Test(arguments: [(25, 8.2, 35, 0.0699), (20, 8.0, 30, 0.0325), (25, 8.0, 20, 0.0491)])
    func freeAmmoniaOfSaltWater(temperature: Double, ph: Double, salinity: Double, published: Double) throws {
        let found = try #require(FreeAmmonia.fraction(temperature: temperature, ph: ph, salinity: salinity))
        #expect(abs(found - published) <= 0.00005, "\(found)")
    }

    @Test func theFormulasOfAmmoniaMeetWithinATenth() throws {
        for temperature in stride(from: 0.0, through: 40, by: 5) {
            let salt = try #require(FreeAmmonia.fraction(temperature: temperature, ph: 8, salinity: 5))
            let fresh = try #require(FreeAmmonia.fraction(temperature: temperature, ph: 8, salinity: 5.0.nextDown))
            #expect(abs(fresh / salt - 1) <= 0.1 && fresh != salt)
        }
    }

    /// Total ammonia is given as NH4+, free ammonia as NH3: 1.28785 mg and 1.21588 mg are 1 mg of nitrogen each.
    @Test func freeAmmoniaIsAMassOfNH3() throws {
        let fraction = try #require(FreeAmmonia.fraction(temperature: 25, ph: 8.2, salinity: 0))
        let mass = try #require(FreeAmmonia.mass(ofTotal: 1.28784, temperature: 25, ph: 8.2, salinity: 0))
        #expect(abs(mass - 1.21588 * fraction) <= 0.000005)
    }

    @Test func carbonDioxide() throws {
        let found = try #require(CarbonDioxide.estimate(alkalinity: 4 * 17.848, ph: 6.6, salinity: 0))
        #expect(abs(found - 30.1) <= 0.05, "\(found)")
    }

    /// A formula gives no value outside its range.
    @Test func formulasEndWhereTheyDoNotHold() {
        for temperature in [-0.1, 40.1, .nan] {
            #expect(OxygenSaturation.solubility(temperature: temperature, salinity: 0) == nil)
            #expect(FreeAmmonia.fraction(temperature: temperature, ph: 8, salinity: 30) == nil)
        }
        for salinity in [-0.1, 40.1, .nan] {
            #expect(OxygenSaturation.solubility(temperature: 20, salinity: salinity) == nil)
            #expect(FreeAmmonia.fraction(temperature: 20, ph: 8, salinity: salinity) == nil)
        }
        #expect(FreeAmmonia.fraction(temperature: 50, ph: 8, salinity: 0) != nil)
        #expect(FreeAmmonia.fraction(temperature: 50.1, ph: 8, salinity: 0) == nil)
        #expect(FreeAmmonia.fraction(temperature: -0.1, ph: 8, salinity: 0) == nil)
        #expect(FreeAmmonia.fraction(temperature: 20, ph: 0.9, salinity: 0) == nil)
        #expect(FreeAmmonia.fraction(temperature: 20, ph: 14.1, salinity: 0) == nil)
        #expect(CarbonDioxide.estimate(alkalinity: 70, ph: 5.9, salinity: 0) == nil)
        #expect(CarbonDioxide.estimate(alkalinity: 70, ph: 8.1, salinity: 0) == nil)
        #expect(CarbonDioxide.estimate(alkalinity: -1, ph: 7, salinity: 0) == nil)
        #expect(CarbonDioxide.estimate(alkalinity: 1_001, ph: 7, salinity: 0) == nil)
        #expect(CarbonDioxide.estimate(alkalinity: 70, ph: 7, salinity: 2.1) == nil)
    }

    /// The documentation's figures for the estimate, recalculated with the constant of Plummer and Busenberg (1982).
    @Test(arguments: [(15, 4.1), (25, 3.5), (30, 3.3)])
    func theConstantOfTheEstimateIsOneOfTapWater(temperature: Double, factor: Double) {
        let t = temperature + 273.15
        let logarithm = -356.3094 - 0.06091964 * t + 21834.37 / t + 126.8339 * log10(t) - 1_684_915 / (t * t)
        // 1 dKH is 0.35664 mmol/L of HCO3-, 1 mmol of CO2 44.01 mg.
        let found = 0.35664 * 44.01 * pow(10, -logarithm - 7)
        #expect(abs(found - factor) <= 0.06, "\(found)")
    }
}
