import Glibc

/// Dissolved oxygen in percent of the equilibrium with moist air at one atmosphere: the equations of Benson and Krause
/// (1984) in the form of APHA Standard Methods 4500-O and USGS memorandum 2011.03. Valid for 0 to 40 °C and salinities
/// of 0 to 40.
///
/// The local air pressure is unknown. Water 500 m above sea level holds 6 % less oxygen, so that a saturation of 94 %
/// is the equilibrium there.
enum OxygenSaturation {
    static let temperatures = 0.0...40
    static let salinities = 0.0...40

    /// - Parameters:
    ///   - temperature: The temperature in °C.
    ///   - salinity: Practical salinity.
    /// - Returns: The solubility in mg/L at one atmosphere; `nil` where the equations do not hold.
    static func solubility(temperature: Double, salinity: Double) -> Double? {
        guard temperatures.contains(temperature), salinities.contains(salinity) else { return nil }
        let t = 1 / (temperature + 273.15)
        let fresh = polynomial(t, -139.34411, 1.575701e5, -6.642308e7, 1.243800e10, -8.621949e11)
        return exp(fresh - salinity * polynomial(t, 0.017674, -10.754, 2140.7))
    }

    /// - Parameters:
    ///   - oxygen: Dissolved oxygen in mg/L. A probe that drifted below zero gives a negative saturation.
    /// - Returns: The saturation in percent.
    static func percent(oxygen: Double, temperature: Double, salinity: Double) -> Double? {
        solubility(temperature: temperature, salinity: salinity).map { 100 * oxygen / $0 }
    }
}
