/// The greatest change within an hour that is not told; a greater one is.
package struct ChangeLimit: Hashable, Sendable {
    /// At least one step.
    package let perHour: Steps

    package init(perHour: Steps) { self.perHour = Steps(max(1, perHour.count)) }

    /// The changes that can be limited: up to all that the sensor measures.
    package static func bounds(of parameter: Parameter) -> ClosedRange<Steps> {
        let absolute = parameter.absoluteRange
        return Steps(1)...Steps(absolute.upperBound.count - absolute.lowerBound.count)
    }
}
