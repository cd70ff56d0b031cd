import Glibc

/// The fraction of total ammonia that is NH3, which harms fish; the rest is the ion NH4+.
///
/// Fresh water, at salinities below 5: Emerson, Russo, Lund and Thurston (1975), valid for 0 to 50 °C. Salt water: EPA
/// 440/5-88-004 (1989) with the constants of Khoo, Culberson and Bates (1977), valid for 0 to 40 °C and salinities of 5
/// to 40, at one atmosphere. At a salinity of 5 the two fractions differ by at most a tenth. Valid for a pH of 1 to 14.
enum FreeAmmonia {
    static let leastSalinityOfSaltWater = 5.0
    static let salinities = 0.0...40
    static let temperaturesOfFreshWater = 0.0...50
    static let temperaturesOfSaltWater = 0.0...40
    static let acidities = 1.0...14

    /// - Parameters:
    ///   - temperature: The temperature in °C.
    ///   - salinity: Practical salinity.
    /// - Returns: `nil` where the equations do not hold.
    static func fraction(temperature: Double, ph: Double, salinity: Double) -> Double? {
        guard acidities.contains(ph), salinities.contains(salinity) else { return nil }
        let isFresh = salinity < leastSalinityOfSaltWater
        guard (isFresh ? temperaturesOfFreshWater : temperaturesOfSaltWater).contains(temperature) else { return nil }
        let kelvin = temperature + 273.15
        let constant =
            isFresh ? ofFreshWater(kelvin: kelvin) : ofSaltWater(kelvin: kelvin, salinity: salinity)
        return 1 / (1 + pow(10, constant - ph))
    }

    /// - Parameter total: Total ammonia in mg/L as NH4+.
    /// - Returns: The concentration in mg/L as NH3.
    static func mass(ofTotal total: Double, temperature: Double, ph: Double, salinity: Double) -> Double? {
        fraction(temperature: temperature, ph: ph, salinity: salinity).map {
            $0 * total * NitrogenSpecies.ammonia / NitrogenSpecies.ammonium
        }
    }

    /// The acidity constant of NH4+ (pKa).
    private static func ofFreshWater(kelvin: Double) -> Double { 0.09018 + 2729.92 / kelvin }

    private static func ofSaltWater(kelvin: Double, salinity: Double) -> Double {
        let ionicStrength = 19.9273 * salinity / (1_000 - 1.005109 * salinity)
        return 9.245 + 0.116 * ionicStrength + 0.0324 * (298 - kelvin) + 0.0415 / kelvin
    }
}
