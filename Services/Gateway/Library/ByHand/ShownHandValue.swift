import Instants
import Routes
import WaterQuality

/// A value by hand as it is answered, judged by the limits of the person who asks.
struct ShownHandValue: Sendable {
    let value: HandValue
    let finding: HandFinding

    /// - Parameter time: When it was measured.
    init(_ value: HandValue, at time: Timestamp, by limits: OwnLimits) {
        self.value = value
        finding = value.finding(by: limits.limits(of: value.parameter, at: time))
    }

    /// The members, which values of tests and single ones have alike.
    static let members: [OutputMember<ShownHandValue>] = [
        .member("parameter", .choice(Parameter.Name.self), "The parameter.") { Parameter.Name($0.value.parameter) },
        .member("value", .decimal, "The number as it was read; of a step, the card's.", example: 0.5) {
            $0.value.read
        },
        .member("unit", .choice(Unit.self), "The unit in which it was read.") { $0.value.unit },
        .member("canonicalValue", .decimal, "The value in the parameter's canonical unit.", example: 0.5) {
            $0.value.value.shownDouble
        },
        .member(
            "lower", .optional(of: .decimal),
            "Of a step, in the canonical unit: from where on the water looks like it; null where that is open, and for a number.",
            example: 0.375
        ) { $0.value.lower?.shownDouble },
        .member("upper", .optional(of: .decimal), "Up to where, likewise.", example: 0.75) {
            $0.value.upper?.shownDouble
        },
        .member("choice", .optional(of: .text), "The step of the kit; null: a number was read.", example: "0.5") {
            $0.value.choice
        },
        .member(
            "finding", .choice(HandFinding.self),
            "What it says of the person's limits as they are set now, of those for the time at which it was measured. A step is beyond a limit only with all that looks like it."
        ) { $0.finding },
    ]

    static let output = Output<ShownHandValue>.object("HandValue", "A value that a person measured.", members)
}
