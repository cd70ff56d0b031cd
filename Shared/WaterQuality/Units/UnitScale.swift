/// A unit of a parameter: its precision, and the conversion of values.
package struct UnitScale: Sendable {
    package let unit: Unit
    /// Digits behind the decimal mark. One more would be finer than the sensor, and a limit that a person enters would
    /// come back as another number.
    package let decimals: Int
    /// Whether a person may choose it; devices may always send it.
    package let isChoosable: Bool
    private let conversion: Conversion

    init(_ unit: Unit, decimals: Int, _ conversion: Conversion = .same, isChoosable: Bool = true) {
        self.unit = unit
        self.decimals = decimals
        self.isChoosable = isChoosable
        self.conversion = conversion
    }

    /// Converts a value in this unit to the canonical unit.
    /// - Returns: `nil` where the unit's formula does not hold. NaN and infinities pass through.
    package func toCanonical(_ value: Double) -> Double? {
        value.isFinite ? conversion.toCanonical(value) : value
    }

    /// - Returns: `nil` where the unit's formula does not hold. NaN and infinities pass through.
    package func fromCanonical(_ value: Double) -> Double? {
        value.isFinite ? conversion.fromCanonical(value) : value
    }

    /// The factor for differences of canonical values; `nil` for a curve, along which equal differences are not equal
    /// in this unit.
    package var factor: Double? {
        switch conversion {
        case .linear(let factor, _, _): factor
        case .curve: nil
        }
    }

    /// The data with which a program converts canonical values by itself.
    package enum Form: Hashable, Sendable {
        /// value = canonical value · factor + offset
        case linear(factor: Double, offset: Double)
        /// The values of `first`, `first + step` and so on; there are none beyond them.
        case table(first: Double, step: Double, values: [Double])
    }

    /// - Parameter step: A sensor step in the canonical unit; a table has a value for each step, in full precision.
    package func form(step: Double) -> Form {
        switch conversion {
        case .linear(let factor, let offset, _): return .linear(factor: factor, offset: offset)
        case .curve(let curve):
            let (first, last) = (curve.range.lowerBound, curve.range.upperBound)
            let values = (0...Int(((last - first) / step).rounded())).map { place in
                let value = curve.value(at: min(first + Double(place) * step, last)) ?? .nan
                return DecimalRounding.rounded(value, decimals: DecimalRounding.mostDecimals)
            }
            return .table(first: first, step: step, values: values)
        }
    }
}

extension [UnitScale] {
    /// Scales for a mass of the parameter itself per litre.
    /// - Parameter decimals: The decimals of the canonical unit, parts per million.
    static func mass(decimals: Int) -> [UnitScale] {
        [
            UnitScale(.ppm, decimals: decimals), UnitScale(.milligramsPerLitre, decimals: decimals),
            // Only for devices: its last digit is finer than any sensor.
            UnitScale(.ppb, decimals: 0, .linear(factor: 1_000), isChoosable: false),
        ]
    }

    /// Scales for calcium carbonate; German degrees have a different name for each parameter.
    static func calciumCarbonate(germanDegrees: Unit) -> [UnitScale] {
        mass(decimals: 0) + [
            UnitScale(germanDegrees, decimals: 1, CalciumCarbonate.germanDegrees),
            UnitScale(.millimolesPerLitre, decimals: 2, CalciumCarbonate.millimoles),
            UnitScale(.milliequivalentsPerLitre, decimals: 1, CalciumCarbonate.milliequivalents),
            UnitScale(.frenchDegrees, decimals: 1, CalciumCarbonate.frenchDegrees),
            UnitScale(.clarkDegrees, decimals: 1, CalciumCarbonate.clarkDegrees),
            UnitScale(.grainsPerGallon, decimals: 1, CalciumCarbonate.grainsPerGallon),
        ]
    }
}
