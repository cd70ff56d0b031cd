/// The range that a person wants a parameter of a device to stay in, limits included, in whole sensor steps.
package struct SafeRange: Hashable, Sendable {
    package let parameter: Parameter
    // Plain integers with far ends for "no limit" keep the check to two comparisons.
    private let lower: Int32
    private let upper: Int32
    private let absoluteLower: Int32
    private let absoluteUpper: Int32

    private static let noLower = Int32.min
    private static let noUpper = Int32.max

    /// - Throws: `Fault` when a limit is beyond the absolute range, when the minimum is not at least one step below
    ///   the maximum, or when the parameter has no minimum setting.
    package init(_ parameter: Parameter, minimum: Steps? = nil, maximum: Steps? = nil) throws(Fault) {
        let absolute = parameter.absoluteRange
        if minimum != nil, !parameter.hasMinimumSetting { throw .noMinimumSetting(parameter) }
        if let minimum, !absolute.contains(minimum) { throw .minimumBeyondSensor(parameter) }
        if let maximum, !absolute.contains(maximum) { throw .maximumBeyondSensor(parameter) }
        if let minimum, let maximum, minimum >= maximum { throw .limitsCross(parameter) }
        self.parameter = parameter
        lower = minimum?.count ?? Self.noLower
        upper = maximum?.count ?? Self.noUpper
        absoluteLower = absolute.lowerBound.count
        absoluteUpper = absolute.upperBound.count
    }

    /// A range from canonical values, which snap to steps.
    package init(_ parameter: Parameter, minimum: Float?, maximum: Float?) throws(Fault) {
        for limit in [minimum, maximum] {
            if let limit, limit.isNaN { throw .notANumber(parameter) }
        }
        try self.init(
            parameter, minimum: minimum.map(parameter.steps), maximum: maximum.map(parameter.steps))
    }

    package var minimum: Steps? { lower == Self.noLower ? nil : Steps(lower) }
    package var maximum: Steps? { upper == Self.noUpper ? nil : Steps(upper) }

    /// Whether a value is in range. Most readings need no other check.
    package func contains(_ value: Steps) -> Bool {
        value.count >= lower && value.count <= upper
    }

    /// Whether a value is beyond what the sensor can measure.
    package func isBeyondSensor(_ value: Steps) -> Bool {
        value.count < absoluteLower || value.count > absoluteUpper
    }

    /// The side of the range that a value is on; `nil` in range.
    package func side(of value: Steps) -> Side? {
        if value.count > upper { return .high }
        if value.count < lower { return .low }
        return nil
    }

    /// The limit that a value on `side` has crossed.
    package func limit(on side: Side) -> Steps? {
        side == .high ? maximum : minimum
    }

    /// Whether a value out of range lies further out than another one by a quarter of the range at least; where the range is open to the
    /// other side, by a quarter of the limit.
    func isFar(_ value: Steps, beyond other: Steps) -> Bool {
        let span: Int64 =
            switch (minimum, maximum) {
            case (let minimum?, let maximum?): Int64(maximum.count) - Int64(minimum.count)
            case (let limit?, nil), (nil, let limit?): Int64(limit.count.magnitude)
            case (nil, nil): 0
            }
        let distance = Int64(value.count) - Int64(other.count)
        return 4 * (side(of: value) == .low ? -distance : distance) >= max(span, 1)
    }

    /// Whether a value in range is far enough inside to end an episode on `side`.
    ///
    /// The dead band keeps a value that trembles at a limit from ending and opening episodes. It never reaches past the
    /// middle of the range, where a missing limit counts as the end of the absolute range. An episode above a maximum
    /// of zero can therefore still end.
    func hasRecovered(_ value: Steps, from side: Side, deadBand: Int32) -> Bool {
        let bottom = max(lower, absoluteLower)
        let top = min(upper, absoluteUpper)
        let sum = bottom + top
        switch side {
        case .high:
            // Rounded up, so that it is not past the middle; an arithmetic shift rounds down on both sides of zero.
            let middle = (sum + 1) >> 1
            return upper == Self.noUpper || value.count <= max(top - deadBand, middle)
        case .low:
            let middle = sum >> 1
            return lower == Self.noLower || value.count >= min(bottom + deadBand, middle)
        }
    }
}

/// The side on which a value has left its range. The raw values are stored.
package enum Side: String, CaseIterable, Sendable {
    case low, high
}
