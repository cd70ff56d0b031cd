import Routes
import WaterQuality

/// A change of one parameter's limits, as one of several in a request.
struct LimitChange: Hashable, Sendable {
    var parameter: Parameter
    var change: RangeChange
    /// By the clock of the account; nil: as they are.
    var periods: [RangeChange.Period]?

    /// The whole change.
    /// - Parameter zone: The account's time zone.
    func whole(zone: String) -> RangeChange {
        var change = change
        change.periods = periods.map { RangeChange.Periods($0, zone: zone) }
        return change
    }
}

extension RangeChange {
    /// A fault of the change, inside the member of a request at which it is told.
    func told(_ fault: Fault, of range: PersonalRange) -> InputFault {
        let refusal = refusal(fault, of: range)
        return refusal.fault.inside(refusal.member.name)
    }
}

extension Format where Value == LimitChange {
    /// An object: parameter, and minimum, maximum or both, null for none; perhaps the unit of these numbers.
    static let limitChange = object(of: [parameter, minimum, maximum, unit])

    /// The same with all that a parameter of a device has but colour and order.
    static let wholeLimits = object(
        of: [parameter, unit, minimum, maximum, criticalMinimum, criticalMaximum]
            + WatchSetting.allCases.map { SettingMember.of($0).declaration } + [periods])

    private static func object(of members: [any AnyObjectMember]) -> Format {
        object(
            members, required: ["parameter"], keywords: [.init("minProperties", 2)],
            example: ["parameter": "temperature", "minimum": 24, "maximum": 27], or: .notLimitChange
        ) { members throws(Fault) in
            guard let found = try members[parameter]?.parameter else { return nil }
            var change = RangeChange()
            change.minimum = try members[minimum].map(RangeChange.Limit.init)
            change.maximum = try members[maximum].map(RangeChange.Limit.init)
            change.criticalMinimum = try members[criticalMinimum].map(RangeChange.Limit.init)
            change.criticalMaximum = try members[criticalMaximum].map(RangeChange.Limit.init)
            for setting in WatchSetting.allCases {
                change.settings[setting] = try SettingMember.of(setting).limit(in: members)
            }
            change.unit = try members[unit]
            let periods = try members[periods]
            return change.isEmpty && periods == nil
                ? nil : LimitChange(parameter: found, change: change, periods: periods)
        }
    }

    private static let parameter = ObjectMember(
        "parameter", Format<Parameter.Name>.choice(Parameter.Name.self).example("temperature"))
    private static let limit = Format<Double>.decimal(-1_000_000...1_000_000).example(24).nullable
    private static let minimum = ObjectMember("minimum", limit)
    private static let maximum = ObjectMember("maximum", limit)
    private static let criticalMinimum = ObjectMember("criticalMinimum", limit)
    private static let criticalMaximum = ObjectMember("criticalMaximum", limit)
    private static let unit = ObjectMember("unit", Format<Unit>.choice(Unit.self).example("C"))
    private static let periods = ObjectMember(
        "periods", Format<[RangeChange.Period]>.list(of: .limitPeriod, count: 0...LimitPeriods.most))
}

/// A setting beside the limits as a member of an object, made from its declaration.
private enum SettingMember: Sendable {
    case flag(ObjectMember<Bool>)
    case seconds(ObjectMember<Int>)
    case minutes(ObjectMember<Int?>)
    case change(ObjectMember<Double?>)

    private static let all = WatchSetting.allCases.map { SettingMember($0.declaration) }

    static func of(_ setting: WatchSetting) -> SettingMember { all[setting.rawValue] }

    private init(_ declared: SettingDeclaration) {
        let (name, example) = (declared.name, JSON.integer(Int64(declared.example)))
        switch declared.form {
        case .flag: self = .flag(ObjectMember(name, .boolean))
        case .seconds(let most): self = .seconds(ObjectMember(name, .integer(0...most).example(example)))
        case .minutes(let bounds):
            self = .minutes(ObjectMember(name, Format<Int>.integer(bounds).example(example).nullable))
        case .change:
            self = .change(ObjectMember(name, Format<Double>.decimal(0...1_000_000).example(example).nullable))
        }
    }

    var declaration: any AnyObjectMember {
        switch self {
        case .flag(let member): member
        case .seconds(let member): member
        case .minutes(let member): member
        case .change(let member): member
        }
    }

    /// - Returns: nil where the object leaves the setting as it is.
    func limit(in members: ObjectMembers) throws(Fault) -> RangeChange.Limit? {
        switch self {
        case .flag(let member): try members[member].map { .value($0 ? 1 : 0) }
        case .seconds(let member): try members[member].map { .value(Double($0)) }
        case .minutes(let member): try members[member].map { .init($0.map(Double.init)) }
        case .change(let member): try members[member].map(RangeChange.Limit.init)
        }
    }
}

extension Fault {
    fileprivate static let notLimitChange = Fault("not-a-change-of-limits")
}
