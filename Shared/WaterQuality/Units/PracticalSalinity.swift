/// The practical salinity scale of 1978 at one temperature (PSS-78; Lewis 1980; UNESCO Technical Papers in Marine
/// Science 44, 1983). Valid for salinities of 2 to 42 and -2 to 35 °C; below 2 by the extension of Hill, Dauphinee and
/// Woods (1986), scaled as in TEOS-10's Gibbs SeaWater toolbox so that both meet at 2.
struct PracticalSalinity: Sendable {
    static let salinities = 0.0...42

    /// The factor from today's scale to IPTS-68, the scale's temperature: t68 = 1.00024 · t90 (Saunders 1990).
    static let degreesOf1968 = 1.00024

    /// The conductivity of sea water with a salinity of 35 at 15 °C (IPTS-68) and one atmosphere, in mS/cm (Culkin and
    /// Smith 1980).
    static let standardConductivity = 42.914

    static let at25Degrees = PracticalSalinity(temperature: 25 * degreesOf1968)

    /// The conversion to mS/cm, compensated to 25 °C: 53.065 mS/cm is a salinity of 35.
    static let millisiemens = at25Degrees.conversion(times: 1)
    static let microsiemens = at25Degrees.conversion(times: 1_000)

    private let temperature: Double
    /// The ratio of the conductivity at this temperature to that at 15 °C, at a salinity of 35.
    private let warming: Double
    private let departure: Double
    /// The factor that scales the extension.
    private let extensionFactor: Double

    /// The salinity below which the extension applies.
    private static let leastOfScale = 2.0
    /// The range of square roots of conductivity ratios, to beyond a salinity of 42.
    private static let roots = 0.0...1.2

    /// - Parameter t: The temperature in °C on the scale of 1968.
    init(temperature t: Double) {
        temperature = t
        warming = polynomial(t, 0.6766097, 2.00564e-2, 1.104259e-4, -6.9698e-7, 1.0031e-9)
        let departure = (t - 15) / (1 + 0.0162 * (t - 15))
        self.departure = departure
        let end = Curve.argument(
            Self.roots, ofIncreasing: { Self.scale(root: $0, departure) }, at: Self.leastOfScale)
        extensionFactor = Self.leastOfScale / Self.extended(root: end, departure)
    }

    /// - Parameters:
    ///   - ratio: The conductivity divided by `standardConductivity`.
    ///   - pressure: The pressure above one atmosphere in decibars.
    func salinity(ratio: Double, pressure p: Double = 0) -> Double {
        let t = temperature
        let ofPressure =
            1 + p * polynomial(p, 2.070e-5, -6.370e-10, 3.989e-15)
            / (polynomial(t, 1, 3.426e-2, 4.464e-4) + polynomial(t, 4.215e-1, -3.107e-3) * ratio)
        return salinity(root: max(0, ratio / (ofPressure * warming)).squareRoot())
    }

    /// - Parameter conductivity: The conductivity in mS/cm at this temperature and one atmosphere.
    func salinity(conductivity: Double) -> Double { salinity(ratio: conductivity / Self.standardConductivity) }

    /// - Returns: The conductivity in mS/cm at this temperature and one atmosphere.
    func conductivity(salinity: Double) -> Double {
        let root = Curve.argument(Self.roots, ofIncreasing: self.salinity(root:), at: salinity)
        return root * root * warming * Self.standardConductivity
    }

    private func conversion(times factor: Double) -> Conversion {
        .curve(
            // The extension is zero at 2 µS/cm and undefined for purer water, which has no salt, either.
            Curve(over: Self.salinities, from: 0) {
                conductivity(salinity: $0) * factor
            } inverse: {
                salinity(conductivity: $0 / factor)
            })
    }

    private func salinity(root: Double) -> Double {
        let salinity = Self.scale(root: root, departure)
        return salinity < Self.leastOfScale
            ? max(0, Self.extended(root: root, departure) * extensionFactor) : salinity
    }

    /// - Parameter root: The square root of the conductivity's ratio to that of a salinity of 35 at the same
    ///   temperature.
    private static func scale(root: Double, _ departure: Double) -> Double {
        polynomial(root, 0.0080, -0.1692, 25.3851, 14.0941, -7.0261, 2.7081)
            + departure * polynomial(root, 0.0005, -0.0056, -0.0066, -0.0375, 0.0636, -0.0144)
    }

    private static func extended(root: Double, _ departure: Double) -> Double {
        let (x, y) = (400 * root * root, 10 * root)
        return scale(root: root, departure) - 0.0080 / polynomial(x, 1, 1.5, 1)
            - 0.0005 * departure / polynomial(y, 1, 1, 1, 1)
    }
}

/// A polynomial of `x`, with its coefficients from the constant upwards.
func polynomial(
    _ x: Double, _ a: Double, _ b: Double, _ c: Double = 0, _ d: Double = 0, _ e: Double = 0, _ f: Double = 0
) -> Double {
    let upper = d + x * (e + x * f)
    return a + x * (b + x * (c + x * upper))
}
