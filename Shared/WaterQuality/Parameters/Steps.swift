/// A value or a limit in whole steps of its parameter's sensor.
///
/// Values and limits are compared as steps, never as floating point: 8.3 stored in 32 bits is 8.3000002 and must not
/// exceed a limit of 8.3.
package struct Steps: Hashable, Comparable, Sendable {
    package let count: Int32

    /// The largest count. Up to here a 32-bit float still tells tenths of a step apart, for every precision of the
    /// catalogue. It is far beyond every absolute range, and anything larger counts as this.
    package static let largest: Int32 = 1_000_000

    package init(_ count: Int32) {
        self.count = min(max(count, -Self.largest), Self.largest)
    }

    /// Snaps a stored value to the nearest step, halves away from zero, exactly as its shortest decimal text would
    /// snap: 8.45 stored in 32 bits is 8.4499998 and snaps like 8.45, to 8.5.
    ///
    /// Total: infinities snap to the ends. NaN, which the sentinel check filters out beforehand, snaps to the upper
    /// end.
    package init(_ value: Float, of parameter: Parameter) {
        self.init(value, stepsPerUnit: parameter.stepsPerUnit)
    }

    init(_ value: Float, stepsPerUnit: Int32) {
        let magnitude = value.magnitude
        // Exact: 24 bits times at most 7.
        let exact = Double(magnitude) * Double(stepsPerUnit)
        guard exact < Double(Self.largest) else {
            count = value < 0 ? -Self.largest : Self.largest
            return
        }
        let below = Int32(exact)
        // The half step above `below`, as it would be stored. Rounding is monotonic: a stored value above it lies above
        // the exact half, and one below it lies below. A stored value that equals it has the half as its shortest text.
        let half = Float((Double(below) + 0.5) / Double(stepsPerUnit))
        let steps = magnitude >= half ? below + 1 : below
        count = value < 0 ? -steps : steps
    }

    package static func < (left: Steps, right: Steps) -> Bool { left.count < right.count }
}
