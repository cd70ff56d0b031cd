/// The density of sea water at one atmosphere: the international equation of state EOS-80 (Millero and Poisson 1981;
/// UNESCO Technical Papers in Marine Science 44, 1983). Valid for practical salinities of 0 to 42 and -2 to 40 °C.
enum SeawaterDensity {
    static let salinities = 0.0...42

    /// - Parameters:
    ///   - salinity: Practical salinity, 0 to 42.
    ///   - temperature: The temperature in °C on the scale of 1968, -2 to 40.
    /// - Returns: The density in kg/m³.
    static func density(salinity: Double, temperature t: Double) -> Double {
        let pure = polynomial(
            t, 999.842594, 6.793952e-2, -9.095290e-3, 1.001685e-4, -1.120083e-6, 6.536332e-9)
        let a = polynomial(t, 8.24493e-1, -4.0899e-3, 7.6438e-5, -8.2467e-7, 5.3875e-9)
        let b = polynomial(t, -5.72466e-3, 1.0227e-4, -1.6546e-6)
        let root = salinity.squareRoot()
        return pure + salinity * (a + root * b + salinity * 4.8314e-4)
    }

    /// The ratio of the density to that of pure water, both at `reference`, without which a specific gravity means
    /// nothing.
    /// - Parameter reference: The temperature in °C on the scale of 1990, as on a hydrometer.
    static func specificGravity(salinity: Double, reference: Double) -> Double {
        let t68 = reference * PracticalSalinity.degreesOf1968
        return density(salinity: salinity, temperature: t68) / density(salinity: 0, temperature: t68)
    }

    /// Specific gravity 25/25, the usual one of aquarists' hydrometers: 1.0264 at a salinity of 35.
    static let specificGravity25 = Conversion.curve(
        Curve(over: salinities) { specificGravity(salinity: $0, reference: 25) })
}
