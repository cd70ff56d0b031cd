import Routes
import WaterQuality

/// A change of one parameter's limits, as one of several in a request.
struct LimitChange: Hashable, Sendable {
    var parameter: Parameter
    var change: RangeChange
}

extension Format where Value == LimitChange {
    /// An object: parameter, and minimum, maximum or both, null for none; perhaps the unit of these numbers.
    static let limitChange = Format(
        schema: Schema(
            [
                "type": "object",
                "properties": [
                    "parameter": parameter.schema.json, "minimum": limit.schema.nullable.json,
                    "maximum": limit.schema.nullable.json, "unit": unit.schema.json,
                ],
                "required": ["parameter"], "minProperties": 2, "additionalProperties": false,
            ], example: ["parameter": "temperature", "minimum": 24, "maximum": 27]),
        readText: { _ throws(Fault) in throw .notLimitChange },
        readJSON: { json throws(Fault) in
            guard case .object(let members) = json else { throw .notLimitChange }
            var found: Parameter?
            var change = RangeChange()
            for member in members {
                do throws(Fault) {
                    switch member.name {
                    case "parameter" where found == nil: found = try parameter.readJSON(member.value).parameter
                    case "minimum" where change.minimum == nil: change.minimum = try read(member.value)
                    case "maximum" where change.maximum == nil: change.maximum = try read(member.value)
                    case "unit" where change.unit == nil: change.unit = try unit.readJSON(member.value)
                    default: throw .notLimitChange
                    }
                } catch {
                    throw error.inside(member.name)
                }
            }
            guard let found, !change.isEmpty else { throw .notLimitChange }
            return LimitChange(parameter: found, change: change)
        })

    private static func read(_ json: JSON) throws(Fault) -> RangeChange.Limit {
        json == .null ? .none : .value(try limit.readJSON(json))
    }

    private static let parameter = Format<Parameter.Name>.choice(Parameter.Name.self).example("temperature")
    private static let limit = Format<Double>.decimal(-1_000_000...1_000_000).example(24)
    private static let unit = Format<Unit>.choice(Unit.self).example("C")
}

extension Fault {
    fileprivate static let notLimitChange = Fault("not-a-change-of-limits")
}
