/// A change of a person's range.
package struct RangeChange: Hashable, Sendable {
    /// A limit that a person sets: a number in their unit, or none.
    package enum Limit: Hashable, Sendable {
        case none
        case value(Double)
    }

    /// A period that a person sets, with its limits.
    package struct Period: Hashable, Sendable {
        package var hours: LimitPeriod.Hours?
        package var season: LimitPeriod.Season?
        package var minimum: Limit
        package var maximum: Limit
        package var criticalMinimum: Limit
        package var criticalMaximum: Limit

        package init(
            hours: LimitPeriod.Hours?, season: LimitPeriod.Season?, minimum: Limit = .none, maximum: Limit = .none,
            criticalMinimum: Limit = .none, criticalMaximum: Limit = .none
        ) {
            self.hours = hours
            self.season = season
            self.minimum = minimum
            self.maximum = maximum
            self.criticalMinimum = criticalMinimum
            self.criticalMaximum = criticalMaximum
        }
    }

    /// All periods of a parameter.
    package struct Periods: Hashable, Sendable {
        package var all: [Period]
        /// The zone by whose clock they are given.
        package var zone: String

        package init(_ all: [Period], zone: String) {
            self.all = all
            self.zone = zone
        }
    }

    package indirect enum Fault: Error, Hashable, Sendable {
        /// The parameter is not shown in this unit.
        case unit(Unit)
        case range(SafeRange.Fault)
        case critical(CriticalBand.Fault)
        /// The value is not within the bounds of its declaration, or of `ChangeLimit.bounds`.
        case setting(WatchSetting)
        /// A period, counted from 0, whose own limits cannot be; `nil` where it would hold at all times.
        case period(Int, Fault?)
        case periods(LimitPeriods.Fault)
    }

    package var minimum: Limit?
    package var maximum: Limit?
    package var criticalMinimum: Limit?
    package var criticalMaximum: Limit?
    /// Seconds, minutes, 1 and 0 of a flag, and changes in the scale for changes.
    package var settings: [WatchSetting: Limit]
    package var unit: Unit?
    /// The periods in place of those that are; none takes them away.
    package var periods: Periods?

    package init(
        minimum: Limit? = nil, maximum: Limit? = nil, criticalMinimum: Limit? = nil, criticalMaximum: Limit? = nil,
        settings: [WatchSetting: Limit] = [:], unit: Unit? = nil, periods: Periods? = nil
    ) {
        self.minimum = minimum
        self.maximum = maximum
        self.criticalMinimum = criticalMinimum
        self.criticalMaximum = criticalMaximum
        self.settings = settings
        self.unit = unit
        self.periods = periods
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
        // In their order, so that of several faults it is always the same that is told.
        for setting in WatchSetting.allCases {
            guard let value = settings[setting] else { continue }
            range.settings[setting] = try count(value, of: setting, range)
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
        if let periods { range.periods = try made(of: periods, range) }
        return range
    }

    /// Each period is a range for itself, in the unit of the others.
    private func made(of periods: Periods, _ range: PersonalRange) throws(Fault) -> LimitPeriods? {
        var made: [LimitPeriod] = []
        for (index, wish) in periods.all.enumerated() {
            let none = PersonalRange(parameter: range.parameter, unit: range.unit, minimum: nil, maximum: nil)
            let held: PersonalRange
            do {
                held = try RangeChange(
                    minimum: wish.minimum, maximum: wish.maximum, criticalMinimum: wish.criticalMinimum,
                    criticalMaximum: wish.criticalMaximum
                ).applied(to: none)
            } catch {
                throw .period(index, error)
            }
            guard
                let period = LimitPeriod(
                    hours: wish.hours, season: wish.season, minimum: held.minimum, maximum: held.maximum,
                    criticalMinimum: held.criticalMinimum, criticalMaximum: held.criticalMaximum)
            else { throw .period(index, nil) }
            made.append(period)
        }
        do { return try LimitPeriods(made, zone: periods.zone) } catch { throw .periods(error) }
    }

    /// A critical limit in steps, within what the sensor measures: a value beyond that would never come.
    private func criticalSteps(
        _ limit: Limit, _ range: PersonalRange, beyond: CriticalBand.Fault
    ) throws(Fault) -> Steps? {
        let steps = try steps(limit, range, beyond: .critical(beyond))
        if let steps, !range.parameter.absoluteRange.contains(steps) { throw .critical(beyond) }
        return steps
    }

    /// The value of a setting as it is stored.
    private func count(_ value: Limit, of setting: WatchSetting, _ range: PersonalRange) throws(Fault) -> Int32? {
        guard case .value(let number) = value else { return nil }
        let bounds: ClosedRange<Int>
        switch setting.form {
        case .flag: return number == 0 ? nil : 1
        case .change: return try changeSteps(number, of: setting, range)
        case .seconds(let most): bounds = 0...most
        case .minutes(let within): bounds = within
        }
        guard number != 0 else { return nil }
        guard Double(bounds.lowerBound) <= number, number <= Double(bounds.upperBound) else { throw .setting(setting) }
        return Int32(number.rounded(.down))
    }

    /// A difference has no offset: 9 °F more are 5 °C more.
    private func changeSteps(
        _ number: Double, of setting: WatchSetting, _ range: PersonalRange
    ) throws(Fault) -> Int32 {
        let count = number / (range.changeScale.factor ?? 1) * Double(range.parameter.stepsPerUnit)
        guard count.isFinite, abs(count) <= Double(Steps.largest) else { throw .setting(setting) }
        let steps = Steps(Int32(count.rounded()))
        guard ChangeLimit.bounds(of: range.parameter).contains(steps) else { throw .setting(setting) }
        return steps.count
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
