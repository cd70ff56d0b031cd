import ArgumentParser
import WaterQuality
import Words

extension RangeChange.Limit {
    /// The argument of `--min` and `--max`: a number in the person's unit, or `none`.
    /// - Throws: `invalidInput`.
    init(argument: String) throws(OperatorError) {
        if argument.lowercased() == "none" {
            self = .none
        } else if let value = Double(argument), value.isFinite {
            self = .value(value)
        } else {
            throw OperatorError(.invalidInput, "A limit is a number with a decimal point, such as 24.5, or none.")
        }
    }
}

/// The argument of `--after` and of `--ahead`: a length of time, or `none`.
struct DelayArgument: ExpressibleByArgument, Hashable, Sendable {
    let delay: Duration

    init?(argument: String) {
        if argument.lowercased() == "none" {
            delay = .zero
        } else if let length = DurationArgument(argument: argument) {
            delay = length.duration
        } else {
            return nil
        }
    }
}

/// The argument of `--unstable`.
enum UnstableArgument: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// One alert that the value is unstable, in place of its alarms.
    case once
    /// An alarm each time, as far as the interval between alerts allows.
    case each
}

extension RangeChange {
    /// The range after the change.
    /// - Throws: `invalidInput` with a sentence.
    func applied(toRangeOf person: PersonalRange) throws(OperatorError) -> PersonalRange {
        do throws(Fault) {
            return try applied(to: person)
        } catch {
            switch error {
            case .unit(let unit): throw person.parameter.refusal(of: unit.rawValue)
            case .range(let fault): throw OperatorError(.invalidInput, "\(fault)", underlying: fault)
            case .critical(let fault): throw OperatorError(.invalidInput, "\(fault)", underlying: fault)
            case .period, .periods:
                throw OperatorError(.invalidInput, "Limits at other times are set in the app.", underlying: error)
            case .setting(.delay):
                throw OperatorError(
                    .invalidInput, "A delay is a length of time of a day at most, such as 10m, or none.")
            case .setting(.unstable):
                throw OperatorError(.invalidInput, "Unstable water is told once, or each time.")
            case .setting(.ahead):
                throw OperatorError(
                    .invalidInput, "A limit is told from 15 minutes to 6 hours ahead, such as 2h, or none.")
            case .setting(.change):
                var shown = person
                shown.unit = unit ?? person.unit
                let bounds = ChangeLimit.bounds(of: person.parameter)
                throw OperatorError(
                    .invalidInput,
                    """
                    A change of \(person.parameter.name) in an hour is from \(shown.changeText(bounds.lowerBound)) to \
                    \(shown.changeText(bounds.upperBound)), or none.
                    """)
            }
        }
    }
}

extension PersonalRange {
    /// A change with its unit.
    func changeText(_ change: Steps) -> String {
        let value = parameter.value(of: change)
        return ToldChange(parameter, in: unit, change: value, limit: 0, value: 0).text(value, .en)
    }
}
