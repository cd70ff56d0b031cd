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

    /// - Parameter range: With the unit in which the limit was given.
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
