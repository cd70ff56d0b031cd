import Routes
import WaterQuality

extension RangeChange {
    /// The range after the change.
    /// - Parameters:
    ///   - criticalMinimum: nil, like the next, where the request has no such input and the value stays as it is.
    /// - Throws: `Problem` at the invalid input.
    func applied(
        to range: PersonalRange, minimum: any InputDeclaration, maximum: any InputDeclaration,
        unit: any InputDeclaration, criticalMinimum: (any InputDeclaration)? = nil,
        criticalMaximum: (any InputDeclaration)? = nil
    ) throws(Problem) -> PersonalRange {
        do throws(Fault) {
            return try applied(to: range)
        } catch {
            var shown = range
            shown.unit = self.unit ?? range.unit
            let set = self.minimum == nil ? maximum : minimum
            switch error {
            case .unit: throw Problem(unit, .notChoice(range.parameter.choosableUnits.map(\.rawValue)))
            case .range(let fault):
                switch fault {
                case .noMinimumSetting: throw Problem(minimum, .noMinimumSetting)
                case .minimumBeyondSensor: throw Problem(minimum, .beyondSensor(shown))
                case .maximumBeyondSensor: throw Problem(maximum, .beyondSensor(shown))
                case .limitsCross: throw Problem(set, .limitsCross)
                case .notANumber: throw Problem(set, .notNumber)
                }
            case .critical(let fault):
                let (lower, upper) = (criticalMinimum ?? minimum, criticalMaximum ?? maximum)
                switch fault {
                case .minimumNotBelow: throw Problem(lower, .criticalMinimumNotBelow)
                case .maximumNotAbove: throw Problem(upper, .criticalMaximumNotAbove)
                case .minimumBeyondSensor: throw Problem(lower, .beyondSensor(shown))
                case .maximumBeyondSensor: throw Problem(upper, .beyondSensor(shown))
                }
            case .setting(let setting):
                let input = SettingInput.of(setting).declaration
                switch setting.form {
                case .change: throw Problem(input, .beyondChange(shown))
                case .minutes(let bounds): throw Problem(input, .tooLarge(maximum: .integer(Int64(bounds.upperBound))))
                case .seconds(let most): throw Problem(input, .tooLarge(maximum: .integer(Int64(most))))
                case .flag: throw Problem(input, .notNumber)
                }
            }
        }
    }
}
