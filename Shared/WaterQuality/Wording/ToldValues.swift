package import Words

/// The unit and the digits in which an alert shows its values.
///
/// Values are shown as the whole sensor steps that were compared, so that a value equal to its limit reads the same. If
/// a unit is too coarse to tell a value from the limit that it crossed, digits are added until it can: 142 ppm of
/// alkalinity below a minimum of 143 are 7.96 dKH below 8.00, not 8.0 below 8.0.
package struct ToldValues: Hashable, Sendable {
    package let unit: Unit
    package let decimals: Int
    private let parameter: Parameter
    private let limit: Steps?
    /// The digits of the limit without trailing zeros: a limit is shown as it was entered, however many digits its
    /// value takes. A limit entered in another unit is shown with all digits.
    private let limitDecimals: Int

    /// - Parameters:
    ///   - chosen: The person's unit; replaced by the canonical one if it does not fit, or cannot express one of the
    ///     values.
    ///   - value: The value in the canonical unit, like the others.
    package init(_ parameter: Parameter, in chosen: Unit?, value: Float, limit: Float?, worst: Float? = nil) {
        let (value, limit) = (parameter.steps(of: value), limit.map(parameter.steps))
        let scale = parameter.scale(
            chosen: chosen, telling: parameter.canonical(value), limit.map(parameter.canonical),
            worst.map(parameter.steps).map(parameter.canonical))
        var decimals = scale.decimals
        var limitDecimals = decimals
        if let limit, limit != value, parameter.count(of: value, in: scale) == parameter.count(of: limit, in: scale) {
            let told = parameter.shown(limit, in: scale) ?? 0
            let isEntered = parameter.steps(entered: told, in: scale) == limit
            // A value is at least half a step from an entered limit, which is more than half of the last digit.
            repeat {
                decimals += 1
                if !isEntered { limitDecimals = decimals }
            } while decimals < scale.decimals + 2
                && parameter.shown(value, in: scale, decimals: decimals)
                    == parameter.shown(limit, in: scale, decimals: limitDecimals)
        }
        self.parameter = parameter
        self.unit = scale.unit
        self.decimals = decimals
        self.limit = limit
        self.limitDecimals = limitDecimals
    }

    /// A canonical value in `unit`, as its text shows it.
    package func number(_ value: Float) -> Double {
        DecimalRounding.value(of: count(of: value).count, decimals: decimals)
    }

    package func text(_ value: Float, _ language: Language) -> String {
        language.quantity(digits(value, language), count(of: value).scale.unit.symbol)
    }

    /// The value without its unit, for where that is said once of several.
    func digits(_ value: Float, _ language: Language) -> String {
        DecimalText.number(count(of: value).count, decimals: decimals, mark: language.decimalMark)
    }

    /// A value in units of the last of `decimals`.
    private func count(of value: Float) -> (count: Int64, scale: UnitScale) {
        let steps = parameter.steps(of: value)
        let scale = parameter.scale(chosen: unit, telling: parameter.canonical(steps))
        let own = steps == limit ? limitDecimals : decimals
        let count = parameter.count(of: steps, in: scale, decimals: own) ?? 0
        return ((own..<decimals).reduce(count) { count, _ in count * 10 }, scale)
    }
}

extension Parameter {
    /// A canonical value as text for a person: in `unit` (the canonical one if it does not fit or cannot express the
    /// value), at the sensor's precision, with the language's decimal mark: `78.1 °F`, `25,6 °C`, `7.9`.
    package func text(_ value: Float, in unit: Unit, _ language: Language) -> String {
        ToldValues(self, in: unit, value: value, limit: nil).text(value, language)
    }
}
