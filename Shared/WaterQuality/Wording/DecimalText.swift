import Instants

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

extension Notice.Trouble {
    func text(_ value: Float, _ language: Language) -> String {
        ToldValues(parameter, in: unit, value: self.value, limit: limit).text(value, language)
    }

    /// Whether `other` is further out of range than the latest value, at the precision shown.
    func isWorse(_ other: Float) -> Bool {
        let (other, value) = (parameter.steps(of: other), parameter.steps(of: value))
        return side == .high ? other > value : other < value
    }
}

extension CivilTime {
    /// The time of day: 09:05, or 9:05.
    func clock(paddedHour: Bool) -> String {
        var text = ""
        text.append(digits: hour, width: paddedHour ? 2 : 1)
        text += ":"
        text.append(digits: minute, width: 2)
        return text
    }
}
