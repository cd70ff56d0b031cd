extension RangeContent {
    /// The units and digits in which texts, webhooks and the API alike show the values. A unit that does not fit is ignored.
    package func told(in unit: Unit?) -> ToldValues {
        ToldValues(parameter, in: unit, value: value, limit: limit, worst: worst)
    }

    /// The limit in the text; the value if the limit was removed since.
    package var toldLimit: Float { limit ?? value }

    /// Whether the value is beyond the limit. In an all-clear: the limits have changed, and the value is within them now.
    var isBeyond: Bool { isFurther(value, than: toldLimit) }

    /// Whether an earlier value was further out of range than the latest, at the precision shown.
    var hasBeenWorse: Bool { isFurther(worst, than: value) }

    private func isFurther(_ one: Float, than other: Float) -> Bool {
        let (one, other) = (parameter.steps(of: one), parameter.steps(of: other))
        return side == .high ? one > other : one < other
    }
}
