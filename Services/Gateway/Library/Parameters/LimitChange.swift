import Routes
import WaterQuality

/// A change of one parameter's limits, as one of several in a request.
struct LimitChange: Hashable, Sendable {
    var parameter: Parameter
    var change: RangeChange
}

extension Format where Value == LimitChange {
    /// An object: parameter, and minimum, maximum or both, null for none; perhaps the unit of these numbers.
    static let limitChange = object(
        [parameter, minimum, maximum, unit], required: ["parameter"], keywords: [.init("minProperties", 2)],
        example: ["parameter": "temperature", "minimum": 24, "maximum": 27], or: .notLimitChange
    ) { members throws(Fault) in
        guard let found = try members[parameter]?.parameter else { return nil }
        var change = RangeChange()
        change.minimum = try members[minimum].map(RangeChange.Limit.init)
        change.maximum = try members[maximum].map(RangeChange.Limit.init)
        change.unit = try members[unit]
        return change.isEmpty ? nil : LimitChange(parameter: found, change: change)
    }

    private static let parameter = ObjectMember(
        "parameter", Format<Parameter.Name>.choice(Parameter.Name.self).example("temperature"))
    private static let limit = Format<Double>.decimal(-1_000_000...1_000_000).example(24).nullable
    private static let minimum = ObjectMember("minimum", limit)
    private static let maximum = ObjectMember("maximum", limit)
    private static let unit = ObjectMember("unit", Format<Unit>.choice(Unit.self).example("C"))
}

extension Fault {
    fileprivate static let notLimitChange = Fault("not-a-change-of-limits")
}
