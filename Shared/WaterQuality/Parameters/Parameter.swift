/// A quantity that a probe measures, or that is computed from what probes measure (`Derivation`). The raw values are stored,
/// and follow the order of the home screen.
///
/// Each parameter is one entry of `catalogue`, columns of the tables of readings, and words in each language.
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
    case oxygenSaturation = 9
    case freeAmmonia = 10
    case carbonDioxide = 11
    case orp = 12
    case conductivity = 13
    case tds = 14
    /// By white light at a right angle (EPA 180.1).
    case turbidity = 15
    /// By infrared light at a right angle (ISO 7027). Both methods agree on the substance that they are calibrated with and on
    /// nothing else, so that neither stands for the other.
    case turbidityFNU = 16
    case phosphate = 17
    case calcium = 18
    case magnesium = 19
    case potassium = 20
    case iron = 21
    case copper = 22
    case freeChlorine = 23
    /// Free chlorine and what is bound to ammonia (chloramine), as which waterworks often send it.
    case totalChlorine = 24
    case cyanuricAcid = 25
    case silicate = 26

    /// How many there are, for arrays without a heap.
    package static let count = 27

    /// - Parameter number: A raw value.
    @inline(__always)
    init(number: Int) {
        guard let parameter = Parameter(rawValue: Int16(number)) else {
            preconditionFailure("no parameter has the number \(number)")
        }
        self = parameter
    }

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

/// A value for each parameter, by its number, in place.
package typealias PerParameter<Value> = InlineArray<27, Value>
