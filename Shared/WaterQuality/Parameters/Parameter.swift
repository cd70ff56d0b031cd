/// A quantity that a probe measures. The raw values are stored, and follow the order of the home screen.
///
/// Each parameter is one entry of `catalogue`.
package enum Parameter: Int16, CaseIterable, Sendable {
    case temperature = 0
    case ph = 1
    case ammonia = 2
    case nitrate = 3
    case nitrite = 4
    case alkalinity = 5
    case hardness = 6
    case dissolvedOxygen = 7
    case salinity = 8

    /// The name in JSON, SQL columns and command lines.
    package var name: String { facts.name }

    /// Sensor steps in one canonical unit: 10 for a precision of 0.1.
    package var stepsPerUnit: Int32 { facts.stepsPerUnit }

    /// Digits behind the decimal mark in the canonical unit; each `UnitScale` has its own.
    package var decimals: Int { facts.decimals }

    /// The sensor's measuring range. Beyond it the probe is suspect as well as the water.
    package var absoluteRange: ClosedRange<Steps> { facts.absoluteRange }

    /// Whether a minimum can be set. It cannot where the best value is zero.
    package var hasMinimumSetting: Bool { facts.hasMinimumSetting }

    package var defaults: Defaults { facts.defaults }

    /// The canonical value of a number of steps.
    package func value(of steps: Steps) -> Float {
        Float(Double(steps.count) / Double(stepsPerUnit))
    }

    /// The steps of a stored value; see `Steps.init(_:of:)`.
    package func steps(of value: Float) -> Steps {
        Steps(value, of: self)
    }
}
