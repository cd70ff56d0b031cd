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
    static let handValue = object(
        [parameter, number, unit, choice], required: ["parameter"],
        keywords: [.init("minProperties", 2), .init("maxProperties", 3)],
        example: ["parameter": "ph", "value": 7.4, "unit": "pH"], or: .notHandValue
    ) { members throws(Fault) in
        guard let found = try members[parameter]?.parameter else { return nil }
        switch try (members[number], members[unit], members[choice]) {
        case (let read?, let unit, nil): return HandValueInput(parameter: found, read: .number(read, unit))
        case (nil, nil, let choice?): return HandValueInput(parameter: found, read: .step(choice))
        default: return nil
        }
    }

    private static let parameter = ObjectMember(
        "parameter", Format<Parameter.Name>.choice(Parameter.Name.self).example("ph"))
    private static let number = ObjectMember("value", Format<Double>.decimal(-1_000_000...1_000_000).example(7.4))
    private static let unit = ObjectMember("unit", Format<Unit>.choice(Unit.self).example("pH"))
    private static let choice = ObjectMember("choice", Format<String>.text(1...16).example("7.4"))
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
