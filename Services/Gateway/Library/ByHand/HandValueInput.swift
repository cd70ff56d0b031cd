import Routes
import WaterQuality

/// A value of a test as a request names it: a number in a unit, or the step of a kit.
struct HandValueInput: Hashable, Sendable {
    enum Read: Hashable, Sendable {
        case number(Double, Unit?)
        case step(String)
    }

    var parameter: Parameter
    var read: Read

    /// The value, where it is one.
    /// - Parameter kit: The kit that is named; `nil` where none is.
    func value(by kit: Kit?) throws(Fault) -> HandValue {
        switch read {
        case .step(let choice):
            guard let value = kit.flatMap({ HandValue(parameter, choice: choice, of: $0) }) else { throw .notStepOfKit }
            return value
        case .number(let number, let unit):
            // A kit that has one unit for the parameter is read in it.
            let unit = unit ?? kit?.tests.first { $0.parameter == parameter }?.unit ?? parameter.canonicalUnit
            guard let scale = parameter.scale(in: unit) else {
                throw .notChoice(parameter.choosableUnits.map(\.rawValue)).inside("unit")
            }
            let possible = TypingCheck.possible(parameter)
            guard let value = HandValue(parameter, read: number, in: unit), possible.contains(value.value) else {
                throw Fault.impossible(possible, scale).inside("value")
            }
            return value
        }
    }
}

extension Format where Value == HandValueInput {
    /// An object: parameter, and either value, perhaps with its unit, or choice.
    static let handValue = Format(
        schema: Schema(
            [
                "type": "object",
                "properties": [
                    "parameter": parameter.schema.json, "value": number.schema.json, "unit": unit.schema.json,
                    "choice": choice.schema.json,
                ],
                "required": ["parameter"], "minProperties": 2, "maxProperties": 3, "additionalProperties": false,
            ], example: ["parameter": "ph", "value": 7.4, "unit": "pH"]),
        readText: { _ throws(Fault) in throw .notHandValue },
        readJSON: { json throws(Fault) in
            guard case .object(let members) = json else { throw .notHandValue }
            var (found, read, inUnit, chosen): (Parameter?, Double?, Unit?, String?)
            for member in members {
                do throws(Fault) {
                    switch member.name {
                    case "parameter" where found == nil: found = try parameter.readJSON(member.value).parameter
                    case "value" where read == nil: read = try number.readJSON(member.value)
                    case "unit" where inUnit == nil: inUnit = try unit.readJSON(member.value)
                    case "choice" where chosen == nil: chosen = try choice.readJSON(member.value)
                    default: throw .notHandValue
                    }
                } catch {
                    throw error.inside(member.name)
                }
            }
            switch (found, read, chosen) {
            case (let parameter?, let number?, nil):
                return HandValueInput(parameter: parameter, read: .number(number, inUnit))
            case (let parameter?, nil, let choice?) where inUnit == nil:
                return HandValueInput(parameter: parameter, read: .step(choice))
            default: throw .notHandValue
            }
        })

    private static let parameter = Format<Parameter.Name>.choice(Parameter.Name.self).example("ph")
    private static let number = Format<Double>.decimal(-1_000_000...1_000_000).example(7.4)
    private static let unit = Format<Unit>.choice(Unit.self).example("pH")
    private static let choice = Format<String>.text(1...16).example("7.4")
}

extension Fault {
    fileprivate static let notHandValue = Fault("not-a-hand-value")
    fileprivate static let notStepOfKit = Fault("not-a-step-of-the-kit")

    /// - Parameter scale: That of the unit in which the number was given.
    fileprivate static func impossible(_ possible: ClosedRange<Float>, _ scale: UnitScale) -> Fault {
        func shown(_ bound: Float) -> JSON { .number((scale.fromCanonical(Double(bound)) ?? Double(bound)).shown) }
        return Fault(
            "impossible-value",
            parameters: [
                .init("minimum", shown(possible.lowerBound)), .init("maximum", shown(possible.upperBound)),
            ])
    }
}
