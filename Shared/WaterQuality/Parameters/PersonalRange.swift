/// A person's limits of one parameter, and the unit that they are shown in.
package struct PersonalRange: Hashable, Sendable {
    package let parameter: Parameter
    package var unit: Unit
    package var minimum: Steps?
    package var maximum: Steps?

    package init(parameter: Parameter, unit: Unit, minimum: Steps?, maximum: Steps?) {
        self.parameter = parameter
        self.unit = unit
        self.minimum = minimum
        self.maximum = maximum
    }

    /// The scale of the unit, or the canonical one where the unit does not fit.
    package var scale: UnitScale { parameter.scale(chosen: unit) }

    /// A limit as the person is shown it: in their unit, with as many digits as it tells apart.
    ///
    /// Every unit that can be chosen has a value throughout the absolute range, beyond which there are no limits.
    package func shown(_ limit: Steps) -> Double {
        let absolute = parameter.absoluteRange
        let limit = min(max(limit, absolute.lowerBound), absolute.upperBound)
        return parameter.shown(limit, in: scale) ?? .nan
    }

    /// A value as the person is shown it, likewise; `nil` where the unit has no such value.
    package func told(_ value: Steps) -> Double? { parameter.shown(value, in: scale) }
}

/// A change of a person's range.
package struct RangeChange: Hashable, Sendable {
    /// A limit that a person sets: a number in their unit, or none.
    package enum Limit: Hashable, Sendable {
        case none
        case value(Double)
    }

    package enum Fault: Error, Hashable, Sendable {
        /// The parameter is not shown in this unit.
        case unit(Unit)
        case range(SafeRange.Fault)
    }

    package var minimum: Limit?
    package var maximum: Limit?
    package var unit: Unit?

    package init(minimum: Limit? = nil, maximum: Limit? = nil, unit: Unit? = nil) {
        self.minimum = minimum
        self.maximum = maximum
        self.unit = unit
    }

    package var isEmpty: Bool { minimum == nil && maximum == nil && unit == nil }

    /// The range after the change. Numbers are in the unit given, or else in the person's, and snap to sensor steps: to
    /// the one that is shown as the number, where there is one.
    package func applied(to range: PersonalRange) throws(Fault) -> PersonalRange {
        var range = range
        let parameter = range.parameter
        if let unit {
            guard parameter.choosableUnits.contains(unit) else { throw .unit(unit) }
            range.unit = unit
        }
        // Where a unit's formula ends is far beyond the sensor.
        if let minimum { range.minimum = try steps(minimum, range, beyond: .minimumBeyondSensor(parameter)) }
        if let maximum { range.maximum = try steps(maximum, range, beyond: .maximumBeyondSensor(parameter)) }
        do {
            _ = try SafeRange(parameter, minimum: range.minimum, maximum: range.maximum)
        } catch {
            throw .range(error)
        }
        return range
    }

    private func steps(
        _ limit: Limit, _ range: PersonalRange, beyond: SafeRange.Fault
    ) throws(Fault) -> Steps? {
        guard case .value(let number) = limit else { return nil }
        guard let scale = range.parameter.scale(in: range.unit) else { throw .unit(range.unit) }
        guard !number.isNaN else { throw .range(.notANumber(range.parameter)) }
        guard let steps = range.parameter.steps(entered: number, in: scale) else { throw .range(beyond) }
        return steps
    }
}
