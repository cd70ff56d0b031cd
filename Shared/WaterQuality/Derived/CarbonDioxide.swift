import Glibc

/// Estimates dissolved carbon dioxide from alkalinity and pH: 3 · dKH · 10^(7 - pH) mg/L, as in the charts for planted
/// aquaria.
///
/// The formula assumes that all alkalinity is bicarbonate. That holds for a pH of 6 to 8 and, because the constant is
/// that of fresh water, for salinities up to 2. Other buffers, such as phosphate and humic acids, make the estimate too
/// high. For pure water the constants of Plummer and Busenberg (1982) give 3.3 (30 °C) to 4.1 (15 °C) instead of 3, and
/// less with the salts of tap water.
enum CarbonDioxide {
    static let acidities = 6.0...8
    static let salinities = 0.0...2
    static let alkalinities = 0.0...1_000

    /// - Parameters:
    ///   - alkalinity: Alkalinity in mg/L as CaCO3.
    ///   - salinity: Practical salinity.
    /// - Returns: The concentration in mg/L; `nil` where the estimate does not hold.
    static func estimate(alkalinity: Double, ph: Double, salinity: Double) -> Double? {
        guard alkalinities.contains(alkalinity), acidities.contains(ph), salinities.contains(salinity) else {
            return nil
        }
        return CalciumCarbonate.germanDegrees.fromCanonical(alkalinity).map { 3 * $0 * pow(10, 7 - ph) }
    }
}
