extension Parameter {
    /// The scales of the units that a device may send and a person may choose; the canonical one first.
    package var scales: [UnitScale] { facts.scales }

    /// The unit of stored values and limits.
    package var canonicalScale: UnitScale { facts.scales[0] }
    package var canonicalUnit: Unit { canonicalScale.unit }

    /// The units that a person may choose; the first is the default.
    package var choosableUnits: [Unit] { facts.choosableUnits }

    /// The scale of this parameter's values in `unit`; `nil` if the unit does not fit.
    package func scale(in unit: Unit) -> UnitScale? { facts.scales.first { $0.unit == unit } }

    /// The scale for showing canonical values to a person: their chosen unit's, or the canonical one if the unit does
    /// not fit or cannot express one of the values.
    package func scale(chosen unit: Unit?, telling values: Double?...) -> UnitScale {
        guard let unit, let scale = scale(in: unit),
            values.allSatisfy({ $0 == nil || $0.flatMap(scale.fromCanonical) != nil })
        else { return canonicalScale }
        return scale
    }

    /// Whether values of this parameter can be expressed in `unit`.
    package func accepts(_ unit: Unit) -> Bool { scale(in: unit) != nil }

    /// The unit that `spelling` names, if it fits this parameter.
    package func unit(spelling: String) -> Unit? {
        Unit.spelled(spelling, of: facts.substances).first(where: accepts)
    }

    /// The quantity that a device means by this parameter's name and a unit: dissolved oxygen in percent is oxygen
    /// saturation.
    package func quantity(spelling: String) -> (parameter: Parameter, unit: Unit)? {
        for parameter in [self] + facts.namesakes {
            if let unit = parameter.unit(spelling: spelling) { return (parameter, unit) }
        }
        return nil
    }

    /// Converts a value in `unit` to the stored form.
    /// - Returns: `nil` if the unit does not fit this parameter, or its formula does not hold. NaN and infinities pass
    ///   through.
    package func canonical(_ value: Double, in unit: Unit) -> Float? {
        scale(in: unit)?.toCanonical(value).map { Float($0) }
    }

    /// The steps of a number that a person enters: those within the absolute range that are shown as this number,
    /// otherwise the nearest.
    /// - Returns: `nil` where the unit's formula does not hold.
    func steps(entered number: Double, in scale: UnitScale) -> Steps? {
        guard let canonical = scale.toCanonical(number) else { return nil }
        let nearest = steps(of: Float(canonical))
        let entered = DecimalRounding.count(number, decimals: scale.decimals)
        // A number halfway between two steps, as all are in kelvin, belongs to the step that is shown as it.
        let candidates = [nearest, Steps(nearest.count - 1), Steps(nearest.count + 1)]
        return candidates.first { absoluteRange.contains($0) && count(of: $0, in: scale) == entered } ?? nearest
    }

    /// A number of steps in the canonical unit.
    func canonical(_ steps: Steps) -> Double { Double(steps.count) / Double(stepsPerUnit) }

    /// Steps as shown, with the digits of the scale; `nil` where the unit's formula does not hold.
    func shown(_ steps: Steps, in scale: UnitScale, decimals: Int? = nil) -> Double? {
        let decimals = decimals ?? scale.decimals
        return count(of: steps, in: scale, decimals: decimals).map { DecimalRounding.value(of: $0, decimals: decimals) }
    }

    /// Steps as shown, in units of the last digit.
    func count(of steps: Steps, in scale: UnitScale, decimals: Int? = nil) -> Int64? {
        scale.fromCanonical(canonical(steps)).map { DecimalRounding.count($0, decimals: decimals ?? scale.decimals) }
    }
}
