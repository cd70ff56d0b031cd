import WaterQuality

/// The argument of `--min` and `--max`: a number in the person's unit, or `none`.
enum Limit: Hashable, Sendable {
    case none
    case value(Double)

    /// - Throws: `invalidInput`.
    init(_ argument: String) throws(OperatorError) {
        if argument.lowercased() == "none" {
            self = .none
        } else if let value = Double(argument), value.isFinite {
            self = .value(value)
        } else {
            throw OperatorError(.invalidInput, "A limit is a number with a decimal point, such as 24.5, or none.")
        }
    }
}

/// A person's limits of one parameter, and the unit that they are shown in.
struct PersonalRange: Hashable, Sendable {
    var parameter: Parameter
    var unit: Unit
    var minimum: Steps?
    var maximum: Steps?
}

/// A change of a person's range.
struct RangeChange: Hashable, Sendable {
    var minimum: Limit?
    var maximum: Limit?
    /// As it was typed.
    var unit: String?

    var isEmpty: Bool { minimum == nil && maximum == nil && unit == nil }

    /// The range after the change: numbers are in the unit given, or else in the person's, and snap to sensor steps.
    /// - Throws: `invalidInput` with a sentence.
    func applied(to range: PersonalRange) throws(OperatorError) -> PersonalRange {
        var range = range
        if let unit { range.unit = try range.parameter.chosenUnit(unit) }
        if let minimum { range.minimum = try steps(minimum, range) }
        if let maximum { range.maximum = try steps(maximum, range) }
        do {
            _ = try SafeRange(range.parameter, minimum: range.minimum, maximum: range.maximum)
        } catch {
            throw OperatorError(.invalidInput, "\(error)", underlying: error)
        }
        return range
    }

    private func steps(_ limit: Limit, _ range: PersonalRange) throws(OperatorError) -> Steps? {
        guard case .value(let number) = limit else { return nil }
        guard let value = range.parameter.canonical(number, in: range.unit) else {
            throw OperatorError(.invalidInput, "\(range.parameter.name) is not measured in \(range.unit.rawValue).")
        }
        return range.parameter.steps(of: value)
    }
}

extension Parameter {
    /// The unit of this spelling, if values of the parameter can be shown in it.
    /// - Throws: `invalidInput` with those that can be chosen.
    func chosenUnit(_ spelling: String) throws(OperatorError) -> Unit {
        if let unit = unit(spelling: spelling), choosableUnits.contains(unit) { return unit }
        let choices = choosableUnits.map { $0.symbol.isEmpty ? $0.rawValue : $0.symbol }
        throw OperatorError(
            .invalidInput, "\(name) is not shown in \(spelling). Choose \(choices.joined(separator: " or ")).")
    }
}
