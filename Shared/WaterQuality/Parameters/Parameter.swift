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

    /// The unit of stored values and limits.
    package var canonicalUnit: Unit { facts.canonicalUnit }

    /// The units that a person may choose; the first is the default.
    package var choosableUnits: [Unit] { facts.choosableUnits }

    /// Sensor steps in one canonical unit: 10 for a precision of 0.1.
    package var stepsPerUnit: Int32 { facts.stepsPerUnit }

    /// Digits behind the decimal mark, in every unit that a person may choose.
    package var decimals: Int { facts.decimals }

    /// The sensor's measuring range. Beyond it the probe is suspect as well as the water.
    package var absoluteRange: ClosedRange<Steps> { facts.absoluteRange }

    /// Whether a minimum can be set. It cannot where the best value is zero.
    package var hasMinimumSetting: Bool { facts.hasMinimumSetting }

    package var defaults: Defaults { facts.defaults }

    /// Whether values of this parameter can be given in `unit`.
    package func accepts(_ unit: Unit) -> Bool {
        unit.dimension == canonicalUnit.dimension
    }

    /// The unit that `spelling` names, if values of this parameter can be given in it.
    package func unit(spelling: String) -> Unit? {
        guard let unit = Unit(spelling: spelling), accepts(unit) else { return nil }
        return unit
    }

    /// A value in `unit` as it is stored.
    /// - Returns: `nil` when the unit does not fit this parameter. NaN and infinities pass through.
    package func canonical(_ value: Double, in unit: Unit) -> Float? {
        accepts(unit) ? Float(unit.toCanonical(value)) : nil
    }

    /// The canonical value of a number of steps.
    package func value(of steps: Steps) -> Float {
        Float(Double(steps.count) / Double(stepsPerUnit))
    }

    /// The steps of a stored value; see `Steps.init(_:of:)`.
    package func steps(of value: Float) -> Steps {
        Steps(value, of: self)
    }
}
