import Routes
import WaterQuality

/// A fault of an input, which a change has faults beside.
typealias InputFault = Fault

extension RangeChange {
    /// A request's change of a range.
    enum Member: Hashable, Sendable {
        case unit, minimum, maximum, criticalMinimum, criticalMaximum
        case setting(WatchSetting)
        case periods

        var name: String {
            switch self {
            case .unit: "unit"
            case .minimum: "minimum"
            case .maximum: "maximum"
            case .criticalMinimum: "criticalMinimum"
            case .criticalMaximum: "criticalMaximum"
            case .setting(let setting): setting.name
            case .periods: "periods"
            }
        }
    }

    /// The member that cannot be as it is said, and why.
    func refusal(_ fault: Fault, of range: PersonalRange) -> (member: Member, fault: InputFault) {
        var shown = range
        shown.unit = unit ?? range.unit
        let set = minimum == nil ? Member.maximum : .minimum
        return switch fault {
        case .unit: (.unit, .notChoice(range.parameter.choosableUnits.map(\.rawValue)))
        case .range(let fault):
            switch fault {
            case .noMinimumSetting: (.minimum, .noMinimumSetting)
            case .minimumBeyondSensor: (.minimum, .beyondSensor(shown))
            case .maximumBeyondSensor: (.maximum, .beyondSensor(shown))
            case .limitsCross: (set, .limitsCross)
            case .notANumber: (set, .notNumber)
            }
        case .critical(let fault):
            switch fault {
            case .minimumNotBelow: (.criticalMinimum, .criticalMinimumNotBelow)
            case .maximumNotAbove: (.criticalMaximum, .criticalMaximumNotAbove)
            case .minimumBeyondSensor: (.criticalMinimum, .beyondSensor(shown))
            case .maximumBeyondSensor: (.criticalMaximum, .beyondSensor(shown))
            }
        case .setting(let setting):
            switch setting.form {
            case .change: (.setting(setting), .beyondChange(shown))
            case .minutes(let bounds): (.setting(setting), .tooLarge(maximum: .integer(Int64(bounds.upperBound))))
            case .seconds(let most): (.setting(setting), .tooLarge(maximum: .integer(Int64(most))))
            case .flag: (.setting(setting), .notNumber)
            }
        case .period(let index, nil): (.periods, InputFault.periodAtAllTimes.inside("\(index)"))
        case .period(let index, let fault?):
            (.periods, refused(fault, inPeriod: index, of: shown))
        case .periods(.tooMany): (.periods, .tooMany(maximum: LimitPeriods.most))
        case .periods(.overlap(let first, let second)): (.periods, .periodsOverlap(first, second))
        }
    }

    private func refused(_ fault: Fault, inPeriod index: Int, of range: PersonalRange) -> InputFault {
        let wish = periods?.all[index]
        let own = RangeChange(
            minimum: wish?.minimum == RangeChange.Limit.none ? nil : wish?.minimum, maximum: wish?.maximum
        )
        .refusal(fault, of: range)
        return own.fault.inside(own.member.name).inside("\(index)")
    }

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
            let refusal = self.refusal(error, of: range)
            let input: any InputDeclaration =
                switch refusal.member {
                case .unit: unit
                case .minimum: minimum
                case .maximum: maximum
                case .criticalMinimum: criticalMinimum ?? minimum
                case .criticalMaximum: criticalMaximum ?? maximum
                case .setting(let setting): SettingInput.of(setting).declaration
                case .periods: PeriodInput.periods
                }
            throw Problem(input, refusal.fault)
        }
    }
}
