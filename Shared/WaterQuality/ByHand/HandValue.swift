/// A value that a person has measured: a number, or the step of a kit's card, which stands for all that looks like it.
package struct HandValue: Hashable, Sendable {
    package let parameter: Parameter
    /// The number as it was read, in its unit; of a step, the card's.
    package let read: Double
    package let unit: Unit
    /// The number in the parameter's canonical unit, in which the bounds are as well.
    package let value: Float
    /// The name of the step; `nil` where a number was read.
    package let choice: String?
    /// From where on the water looks like the step; `nil` where that is open, and for a number.
    package let lower: Float?
    /// Up to where, likewise.
    package let upper: Float?

    package init(
        parameter: Parameter, read: Double, unit: Unit, value: Float, choice: String?, lower: Float?, upper: Float?
    ) {
        self.parameter = parameter
        self.read = read
        self.unit = unit
        self.value = value
        self.choice = choice
        self.lower = lower
        self.upper = upper
    }

    /// A number that was read; `nil` where the parameter has no such value in the unit.
    package init?(_ parameter: Parameter, read: Double, in unit: Unit) {
        guard let value = parameter.canonical(read, in: unit), value.isFinite else { return nil }
        self.init(
            parameter: parameter, read: read, unit: unit, value: value, choice: nil, lower: nil, upper: nil)
    }

    /// A step that was chosen; `nil` where the kit has none of this name.
    package init?(_ parameter: Parameter, choice: String, of kit: Kit) {
        guard let (step, unit) = kit.step(choice, of: parameter),
            let value = parameter.canonical(step.value, in: unit)
        else { return nil }
        func canonical(_ bound: Double?) -> Float? { bound.flatMap { parameter.canonical($0, in: unit) } }
        self.init(
            parameter: parameter, read: step.value, unit: unit, value: value, choice: choice,
            lower: canonical(step.lower), upper: canonical(step.upper))
    }
}
