/// What a number of a device, or of a file, is.
package enum Measured: Equatable, Sendable {
    /// A value in the parameter's canonical unit.
    case value(Float)
    /// The unit has no such value.
    case beyondUnit
    /// The probe says of itself that it is broken.
    case brokenProbe
}

extension Parameter {
    /// Takes a number in a unit for a value, unless it is none.
    package func measured(_ number: Double, in unit: Unit) -> Measured {
        guard let canonical = canonical(number, in: unit) else { return .beyondUnit }
        return Sentinel.isFault(canonical, of: self) ? .brokenProbe : .value(canonical)
    }
}
