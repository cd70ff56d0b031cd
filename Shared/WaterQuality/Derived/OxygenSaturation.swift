import Glibc

/// Dissolved oxygen as a share of what water in balance with moist air holds at one atmosphere: the equations of Benson and
/// Krause (1984) in the form of APHA Standard Methods 4500-O and USGS memorandum 2011.03. Valid for 0 to 40 °C and
/// salinities of 0 to 40.
///
/// The pressure of the place is not known. Water 500 m above the sea holds 6 % less oxygen, so that a saturation of 94 %
/// there is balance.
enum OxygenSaturation {
    static let temperatures = 0.0...40
    static let salinities = 0.0...40

    /// - Parameters:
    ///   - temperature: °C
    ///   - salinity: Practical salinity.
    /// - Returns: mg/L at one atmosphere; `nil` where the equations do not hold.
    static func solubility(temperature: Double, salinity: Double) -> Double? {
        guard temperatures.contains(temperature), salinities.contains(salinity) else { return nil }
        let t = 1 / (temperature + 273.15)
        let fresh = polynomial(t, -139.34411, 1.575701e5, -6.642308e7, 1.243800e10, -8.621949e11)
        return exp(fresh - salinity * polynomial(t, 0.017674, -10.754, 2140.7))
    }

    /// - Parameters:
    ///   - oxygen: mg/L. A probe that drifted below nought still says that there is none.
    /// - Returns: Percent.
    static func percent(oxygen: Double, temperature: Double, salinity: Double) -> Double? {
        solubility(temperature: temperature, salinity: salinity).map { 100 * oxygen / $0 }
    }
}
