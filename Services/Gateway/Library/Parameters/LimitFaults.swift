import Routes
import WaterQuality

extension Fault {
    static let noMinimumSetting = Fault(
        "no-minimum",
        Localised(
            en: "This parameter has no minimum, as its best value is zero. Set only a maximum.",
            ja: "最良の値が0のため、最小値は設定できません。最大値のみ設定してください。",
            es: "Este parámetro no tiene mínimo, porque su mejor valor es cero. Indique solo un máximo."))
    static let limitsCross = Fault(
        "limits-cross",
        Localised(
            en: "The minimum must be at least one sensor step below the maximum.",
            ja: "最小値は最大値よりセンサーの1目盛り以上小さくしてください。",
            es: "El mínimo debe estar al menos un paso del sensor por debajo del máximo."))
    static let criticalMinimumNotBelow = Fault(
        "critical-minimum-not-below",
        Localised(
            en: "The critical minimum must be below the minimum. Lower it, or take it away, first.",
            ja: "危険下限は下限より小さくしてください。先に下げるか、なしにしてください。",
            es: "El mínimo crítico debe estar por debajo del mínimo. Bájelo o quítelo antes."))
    static let criticalMaximumNotAbove = Fault(
        "critical-maximum-not-above",
        Localised(
            en: "The critical maximum must be above the maximum. Raise it, or take it away, first.",
            ja: "危険上限は上限より大きくしてください。先に上げるか、なしにしてください。",
            es: "El máximo crítico debe estar por encima del máximo. Súbalo o quítelo antes."))

    /// - Parameter range: The range, in the unit in which the change was given.
    static func beyondChange(_ range: PersonalRange) -> Fault {
        let bounds = ChangeLimit.bounds(of: range.parameter)
        return Fault(
            "beyond-change",
            Localised(
                en: "This must be from {minimum} to {maximum}, which the sensor tells apart.",
                ja: "センサーで区別できる{minimum}から{maximum}までの変化量にしてください。",
                es: "Debe estar entre {minimum} y {maximum}, que es lo que distingue el sensor."),
            parameters: [
                .init("minimum", .number(range.shownChange(bounds.lowerBound))),
                .init("maximum", .number(range.shownChange(bounds.upperBound))),
            ])
    }

    /// - Parameter range: The range, in the unit in which the limit was given.
    static func beyondSensor(_ range: PersonalRange) -> Fault {
        let absolute = range.parameter.absoluteRange
        return Fault(
            "beyond-sensor",
            Localised(
                en: "This must be from {minimum} to {maximum}, which is what the sensor measures.",
                ja: "センサーの測定範囲である{minimum}から{maximum}までの値にしてください。",
                es: "Debe estar entre {minimum} y {maximum}, que es lo que mide el sensor."),
            parameters: [
                .init("minimum", .number(range.shown(absolute.lowerBound))),
                .init("maximum", .number(range.shown(absolute.upperBound))),
            ])
    }
}
