package import Words

/// The unit and the digits in which an alert shows a change.
///
/// A difference is shown in the person's unit without its offset: 5 °C more are 9 °F more. If the unit is a curve, such
/// as specific gravity, along which equal differences are not equal, everything is shown in the canonical unit.
package struct ToldChange: Hashable, Sendable {
    package let unit: Unit
    /// The digits of the change and of the limit: one more than the unit's if those are too coarse to tell the two
    /// apart.
    package let decimals: Int
    private let parameter: Parameter
    private let factor: Double

    /// - Parameters:
    ///   - chosen: The person's unit; replaced by the canonical one if it does not fit, or is a curve.
    ///   - change: The change in the canonical unit, like the others.
    ///   - limit: The largest change in an hour.
    package init(_ parameter: Parameter, in chosen: Unit?, change: Float, limit: Float, value: Float) {
        let fitting = parameter.scale(chosen: chosen, telling: parameter.canonical(parameter.steps(of: value)))
        let scale = fitting.factor == nil ? parameter.canonicalScale : fitting
        let factor = scale.factor ?? 1
        self.parameter = parameter
        self.factor = factor
        unit = scale.unit
        let isCoarse =
            Self.count(change.magnitude, parameter, factor, scale.decimals)
            == Self.count(limit, parameter, factor, scale.decimals)
        decimals = scale.decimals + (isCoarse ? 1 : 0)
    }

    /// A change, as its text shows it.
    package func number(_ change: Float) -> Double {
        DecimalRounding.value(of: Self.count(change, parameter, factor, decimals), decimals: decimals)
    }

    /// The size of the change, without a sign.
    package func text(_ change: Float, _ language: Language) -> String {
        let count = Self.count(change.magnitude, parameter, factor, decimals)
        return language.quantity(DecimalText.number(count, decimals: decimals, mark: language.decimalMark), unit.symbol)
    }

    /// A value in `unit`, at the sensor's precision.
    package func shown(_ value: Float) -> Double {
        ToldValues(parameter, in: unit, value: value, limit: nil).number(value)
    }

    /// A value in `unit`, as text.
    package func value(_ value: Float, _ language: Language) -> String { parameter.text(value, in: unit, language) }

    /// A change in units of the last digit.
    private static func count(_ change: Float, _ parameter: Parameter, _ factor: Double, _ decimals: Int) -> Int64 {
        DecimalRounding.count(parameter.canonical(parameter.steps(of: change)) * factor, decimals: decimals)
    }
}
