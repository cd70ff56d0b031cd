package import Words

/// Decimal numbers as text.
enum DecimalText {
    /// The text of a number of steps of ten to the minus `decimals`, with all digits of the sensor's precision: 12.0,
    /// -0.5.
    static func number(_ steps: Steps, decimals: Int, mark: Character) -> String {
        number(Int64(steps.count), decimals: decimals, mark: mark)
    }

    static func number(_ count: Int64, decimals: Int, mark: Character) -> String {
        var digits = String(count.magnitude)
        if decimals > 0 {
            while digits.utf8.count <= decimals { digits = "0" + digits }
            digits.insert(mark, at: digits.index(digits.endIndex, offsetBy: -decimals))
        }
        return count < 0 ? "-" + digits : digits
    }
}

extension Parameter {
    /// A canonical value as text for a person: in `unit` (the canonical one if it does not fit or cannot express the
    /// value), at the sensor's precision, with the language's decimal mark: `78.1 °F`, `25,6 °C`, `7.9`.
    package func text(_ value: Float, in unit: Unit, _ language: Language) -> String {
        ToldValues(self, in: unit, value: value, limit: nil).text(value, language)
    }
}

extension RangeContent {
    /// The limit in the text; the value if the limit was removed since.
    package var toldLimit: Float { limit ?? value }

    /// Whether the value is beyond the limit. In an all-clear: the limits have changed, and the value is within them now.
    var isBeyond: Bool { isFurther(value, than: toldLimit) }

    /// Whether an earlier value was further out of range than the latest, at the precision shown.
    var hasBeenWorse: Bool { isFurther(worst, than: value) }

    private func isFurther(_ one: Float, than other: Float) -> Bool {
        let (one, other) = (parameter.steps(of: one), parameter.steps(of: other))
        return side == .high ? one > other : one < other
    }
}

extension FaultContent {
    /// The value of a flat line, as text.
    func flatAt(in unit: Unit?, _ language: Language) -> String? {
        told(in: unit).map { told, value in told.text(value, language) }
    }
}

extension AheadContent {
    /// The newest reading and the limit, as text; `nil` in an all-clear.
    func text(in unit: Unit?, _ language: Language) -> (value: String, limit: String)? {
        told(in: unit).map { told, outlook in (told.text(outlook.value, language), told.text(outlook.limit, language)) }
    }
}

extension RateContent {
    var rises: Bool { (change?.by ?? 0) > 0 }

    /// The change as text; `nil` in an all-clear.
    func text(in unit: Unit?, _ language: Language) -> (by: String, minutes: Int64, to: String, limit: String)? {
        told(in: unit).map { told, change in
            (
                told.text(change.by, language), max(1, (change.within.components.seconds + 30) / 60),
                told.value(change.value, language), told.text(change.limit, language)
            )
        }
    }
}
