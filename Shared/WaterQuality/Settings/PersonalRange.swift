/// A person's limits of one parameter, what they ask beside them, and the unit that limits are shown in.
@dynamicMemberLookup
package struct PersonalRange: Hashable, Sendable {
    package let parameter: Parameter
    package var unit: Unit
    package var minimum: Steps?
    package var maximum: Steps?
    package var criticalMinimum: Steps?
    package var criticalMaximum: Steps?
    package var settings = WatchSettings()
    /// Limits at other times, in place of those above.
    package var periods: LimitPeriods?
    /// The limits that the four above are: those of a period while it holds.
    package var place = LimitTurns.Place.plain

    package init(parameter: Parameter, unit: Unit, minimum: Steps?, maximum: Steps?) {
        self.parameter = parameter
        self.unit = unit
        self.minimum = minimum
        self.maximum = maximum
    }

    package subscript<Value>(dynamicMember setting: WritableKeyPath<WatchSettings, Value>) -> Value {
        get { settings[keyPath: setting] }
        set { settings[keyPath: setting] = newValue }
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

    /// The rules by which engines decide, beside the limits.
    /// - Throws: A fault of limits that do not hold up, as stored ones do.
    package var rules: WatchRules {
        get throws {
            let range = try SafeRange(parameter, minimum: minimum, maximum: maximum)
            return WatchRules(
                settings,
                critical: try CriticalBand(beyond: range, minimum: criticalMinimum, maximum: criticalMaximum))
        }
    }

    /// A value as the person is shown it, likewise; `nil` where the unit has no such value.
    package func told(_ value: Steps) -> Double? { parameter.shown(value, in: scale) }
}
