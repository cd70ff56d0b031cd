/// A person's limits of one parameter, what they ask beside them, and the unit that limits are shown in.
package struct PersonalRange: Hashable, Sendable {
    package let parameter: Parameter
    package var unit: Unit
    package var minimum: Steps?
    package var maximum: Steps?
    package var criticalMinimum: Steps?
    package var criticalMaximum: Steps?
    /// For how long the water must have been out of range before it alarms; whole seconds.
    package var delay: Duration = .zero
    /// Whether water that keeps leaving the range is told once, as unstable.
    package var tellsUnstable = false
    /// How much the value may change within an hour.
    package var changePerHour: Steps?
    /// How long before a limit is reached it is told, in whole minutes; `nil`: it is not.
    package var ahead: Duration?

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

    /// The scale in which changes are given: that of the unit, or the canonical one where a degree more is not the same
    /// everywhere in the unit. Nobody could say then how much the value may change.
    package var changeScale: UnitScale { scale.factor == nil ? parameter.canonicalScale : scale }

    /// A change as the person is shown it, with as many digits as a value.
    package func shownChange(_ change: Steps) -> Double {
        let scale = changeScale
        let canonical = Double(change.count) / Double(parameter.stepsPerUnit)
        return DecimalRounding.rounded(canonical * (scale.factor ?? 1), decimals: scale.decimals)
    }

    /// What engines go by beside the limits.
    /// - Throws: A fault of limits that do not hold up, as stored ones do.
    package var rules: WatchRules {
        get throws {
            let range = try SafeRange(parameter, minimum: minimum, maximum: maximum)
            return WatchRules(
                delay: delay,
                critical: try CriticalBand(beyond: range, minimum: criticalMinimum, maximum: criticalMaximum),
                tellsUnstable: tellsUnstable, changeLimit: changePerHour.map { ChangeLimit(perHour: $0) },
                ahead: ahead)
        }
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
        case critical(CriticalBand.Fault)
        /// The delay is not within `WatchRules.delayBounds`.
        case delay
        /// The change is not within `ChangeLimit.bounds`.
        case change
        /// The time is neither none nor within `WatchRules.aheadBounds`.
        case ahead
    }

    package var minimum: Limit?
    package var maximum: Limit?
    package var criticalMinimum: Limit?
    package var criticalMaximum: Limit?
    package var delay: Duration?
    package var tellsUnstable: Bool?
    /// In the scale for changes.
    package var changePerHour: Limit?
    /// How long before a limit is reached it is told; zero: it is not.
    package var ahead: Duration?
    package var unit: Unit?

    package init(
        minimum: Limit? = nil, maximum: Limit? = nil, criticalMinimum: Limit? = nil, criticalMaximum: Limit? = nil,
        delay: Duration? = nil, tellsUnstable: Bool? = nil, changePerHour: Limit? = nil, ahead: Duration? = nil,
        unit: Unit? = nil
    ) {
        self.minimum = minimum
        self.maximum = maximum
        self.criticalMinimum = criticalMinimum
        self.criticalMaximum = criticalMaximum
        self.delay = delay
        self.tellsUnstable = tellsUnstable
        self.changePerHour = changePerHour
        self.ahead = ahead
        self.unit = unit
    }

    package var isEmpty: Bool { self == RangeChange() }

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
        if let minimum { range.minimum = try steps(minimum, range, beyond: .range(.minimumBeyondSensor(parameter))) }
        if let maximum { range.maximum = try steps(maximum, range, beyond: .range(.maximumBeyondSensor(parameter))) }
        if let criticalMinimum {
            range.criticalMinimum = try criticalSteps(criticalMinimum, range, beyond: .minimumBeyondSensor(parameter))
        }
        if let criticalMaximum {
            range.criticalMaximum = try criticalSteps(criticalMaximum, range, beyond: .maximumBeyondSensor(parameter))
        }
        if let delay {
            guard WatchRules.delayBounds.contains(delay) else { throw .delay }
            range.delay = .seconds(delay.components.seconds)
        }
        if let tellsUnstable { range.tellsUnstable = tellsUnstable }
        if let changePerHour { range.changePerHour = try changeSteps(changePerHour, range) }
        if let ahead {
            guard ahead == .zero || WatchRules.aheadBounds.contains(ahead) else { throw .ahead }
            range.ahead = ahead == .zero ? nil : .seconds(ahead.components.seconds / 60 * 60)
        }
        let safe: SafeRange
        do { safe = try SafeRange(parameter, minimum: range.minimum, maximum: range.maximum) } catch {
            throw .range(error)
        }
        do {
            _ = try CriticalBand(beyond: safe, minimum: range.criticalMinimum, maximum: range.criticalMaximum)
        } catch {
            throw .critical(error)
        }
        return range
    }

    /// What the sensor cannot measure would never be critical.
    private func criticalSteps(
        _ limit: Limit, _ range: PersonalRange, beyond: CriticalBand.Fault
    ) throws(Fault) -> Steps? {
        let steps = try steps(limit, range, beyond: .critical(beyond))
        if let steps, !range.parameter.absoluteRange.contains(steps) { throw .critical(beyond) }
        return steps
    }

    /// A difference has no offset: 9 °F more are 5 °C more.
    private func changeSteps(_ limit: Limit, _ range: PersonalRange) throws(Fault) -> Steps? {
        guard case .value(let number) = limit else { return nil }
        let count = number / (range.changeScale.factor ?? 1) * Double(range.parameter.stepsPerUnit)
        guard count.isFinite, abs(count) <= Double(Steps.largest) else { throw .change }
        let steps = Steps(Int32(count.rounded()))
        guard ChangeLimit.bounds(of: range.parameter).contains(steps) else { throw .change }
        return steps
    }

    private func steps(
        _ limit: Limit, _ range: PersonalRange, beyond: Fault
    ) throws(Fault) -> Steps? {
        guard case .value(let number) = limit else { return nil }
        guard let scale = range.parameter.scale(in: range.unit) else { throw .unit(range.unit) }
        guard !number.isNaN else { throw .range(.notANumber(range.parameter)) }
        guard let steps = range.parameter.steps(entered: number, in: scale) else { throw beyond }
        return steps
    }
}
