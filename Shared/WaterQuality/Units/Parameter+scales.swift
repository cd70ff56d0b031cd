extension Parameter {
    /// The scales of a unit that a device may send, and those that a person may choose; the canonical one first.
    package var scales: [UnitScale] { facts.scales }

    /// The unit of stored values and limits.
    package var canonicalScale: UnitScale { facts.scales[0] }
    package var canonicalUnit: Unit { canonicalScale.unit }

    /// The units that a person may choose; the first is the default.
    package var choosableUnits: [Unit] { facts.choosableUnits }

    /// How values of this parameter are given in `unit`; `nil` when they are not.
    package func scale(in unit: Unit) -> UnitScale? { facts.scales.first { $0.unit == unit } }

    /// The scale in which a person is told these canonical values: that of the unit that they chose, or the canonical
    /// one where the unit does not fit or one of the values has none in it.
    package func scale(chosen unit: Unit?, telling values: Double?...) -> UnitScale {
        guard let unit, let scale = scale(in: unit),
            values.allSatisfy({ $0 == nil || $0.flatMap(scale.fromCanonical) != nil })
        else { return canonicalScale }
        return scale
    }

    /// Whether values of this parameter can be given in `unit`.
    package func accepts(_ unit: Unit) -> Bool { scale(in: unit) != nil }

    /// The unit that `spelling` names, if values of this parameter can be given in it.
    package func unit(spelling: String) -> Unit? {
        Unit.spelled(spelling, of: facts.substances).first(where: accepts)
    }

    /// What a device means by this parameter's name and a unit: dissolved oxygen in percent is oxygen saturation.
    package func quantity(spelling: String) -> (parameter: Parameter, unit: Unit)? {
        for parameter in [self] + facts.namesakes {
            if let unit = parameter.unit(spelling: spelling) { return (parameter, unit) }
        }
        return nil
    }

    /// A value in `unit` as it is stored.
    /// - Returns: `nil` when the unit does not fit this parameter, or its formula does not hold. NaN and infinities
    ///   pass through.
    package func canonical(_ value: Double, in unit: Unit) -> Float? {
        scale(in: unit)?.toCanonical(value).map { Float($0) }
    }

    /// The steps of a number that a person enters: the nearest within the absolute range that are shown as this number,
    /// where there are any, and else the nearest.
    /// - Returns: `nil` where the unit's formula does not hold.
    func steps(entered number: Double, in scale: UnitScale) -> Steps? {
        guard let canonical = scale.toCanonical(number) else { return nil }
        let nearest = steps(of: Float(canonical))
        let entered = DecimalRounding.count(number, decimals: scale.decimals)
        // A number half way between two steps, as all are in kelvin, belongs to the one that is shown as it.
        let candidates = [nearest, Steps(nearest.count - 1), Steps(nearest.count + 1)]
        return candidates.first { absoluteRange.contains($0) && count(of: $0, in: scale) == entered } ?? nearest
    }

    /// A number of steps in the canonical unit.
    func canonical(_ steps: Steps) -> Double { Double(steps.count) / Double(stepsPerUnit) }

    /// A number of steps as it is shown, with the digits of the scale; `nil` where the unit's formula does not hold.
    func shown(_ steps: Steps, in scale: UnitScale, decimals: Int? = nil) -> Double? {
        let decimals = decimals ?? scale.decimals
        return count(of: steps, in: scale, decimals: decimals).map { DecimalRounding.value(of: $0, decimals: decimals) }
    }

    /// A number of steps as it is shown, in units of the last digit.
    func count(of steps: Steps, in scale: UnitScale, decimals: Int? = nil) -> Int64? {
        scale.fromCanonical(canonical(steps)).map { DecimalRounding.count($0, decimals: decimals ?? scale.decimals) }
    }
}

extension [UnitScale] {
    /// A mass of the parameter itself in a litre.
    /// - Parameter decimals: Of the canonical unit, parts per million.
    static func mass(decimals: Int) -> [UnitScale] {
        [
            UnitScale(.ppm, decimals: decimals), UnitScale(.milligramsPerLitre, decimals: decimals),
            // Its last digit would tell apart what no sensor does, so it is for devices.
            UnitScale(.ppb, decimals: 0, .linear(factor: 1_000), isChoosable: false),
        ]
    }

    /// Calcium carbonate, with its German degrees by the name that they have for the parameter.
    static func calciumCarbonate(germanDegrees: Unit) -> [UnitScale] {
        mass(decimals: 0) + [
            UnitScale(germanDegrees, decimals: 1, CalciumCarbonate.germanDegrees),
            UnitScale(.millimolesPerLitre, decimals: 2, CalciumCarbonate.millimoles),
            UnitScale(.milliequivalentsPerLitre, decimals: 1, CalciumCarbonate.milliequivalents),
            UnitScale(.frenchDegrees, decimals: 1, CalciumCarbonate.frenchDegrees),
            UnitScale(.clarkDegrees, decimals: 1, CalciumCarbonate.clarkDegrees),
            UnitScale(.grainsPerGallon, decimals: 1, CalciumCarbonate.grainsPerGallon),
        ]
    }
}
