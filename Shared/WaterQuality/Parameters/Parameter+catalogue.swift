extension Parameter {
    /// The settings of a newly linked device (manual, Table 3.1).
    package struct Defaults: Sendable {
        package let unit: Unit
        package let minimum: Steps?
        package let maximum: Steps?
        /// The CSS colour of the circle on the home screen.
        package let color: String
        /// The position on the home screen, from 0.
        package let order: Int16
    }

    struct Facts: Sendable {
        let parameter: Parameter
        let name: String
        /// Other names. Case and separators are ignored and need no entries.
        let aliases: [String]
        let words: ParameterWords
        let canonicalUnit: Unit
        let choosableUnits: [Unit]
        let decimals: Int
        let stepsPerUnit: Int32
        let absoluteRange: ClosedRange<Steps>
        let hasMinimumSetting: Bool
        let defaults: Defaults

        /// - Parameters:
        ///   - unit: The canonical unit, and the only choosable one unless `choices` says otherwise.
        ///   - minimum: The default minimum; `nil` where there is no such setting.
        init(
            _ parameter: Parameter, _ name: String, aliases: [String] = [], unit: Unit, choices: [Unit]? = nil,
            decimals: Int, absolute: ClosedRange<Float>, minimum: Float?, maximum: Float, color: String,
            words: ParameterWords
        ) {
            let stepsPerUnit: Int32 = (0..<decimals).reduce(1) { power, _ in power * 10 }
            func steps(_ value: Float) -> Steps { Steps(value, stepsPerUnit: stepsPerUnit) }
            self.parameter = parameter
            self.name = name
            self.aliases = aliases
            self.words = words
            self.canonicalUnit = unit
            self.choosableUnits = choices ?? [unit]
            self.decimals = decimals
            self.stepsPerUnit = stepsPerUnit
            self.absoluteRange = steps(absolute.lowerBound)...steps(absolute.upperBound)
            self.hasMinimumSetting = minimum != nil
            self.defaults = Defaults(
                unit: unit, minimum: minimum.map(steps), maximum: steps(maximum), color: color,
                order: parameter.rawValue)
        }
    }

    var facts: Facts { Self.catalogue[Int(rawValue)] }

    var words: ParameterWords { facts.words }

    /// One entry per parameter, in the order of the raw values.
    static let catalogue: [Facts] = [
        Facts(
            .temperature, "temperature", aliases: ["temp", "water_temperature", "water_temp"],
            unit: .celsius, choices: [.celsius, .fahrenheit], decimals: 1, absolute: -40...40,
            minimum: 12, maximum: 24, color: "red",
            words: ParameterWords(en: "temperature", ja: "水温", es: .la("temperatura"))),
        Facts(
            .ph, "ph",
            unit: .ph, decimals: 1, absolute: 1...14, minimum: 7.5, maximum: 8.5, color: "blue",
            words: ParameterWords(en: "pH", ja: "pH", es: .el("pH"))),
        Facts(
            .ammonia, "ammonia",
            unit: .ppm, decimals: 2, absolute: 0...0.8, minimum: nil, maximum: 0.25, color: "green",
            words: ParameterWords(en: "ammonia", ja: "アンモニア濃度", es: .el("amoníaco"))),
        Facts(
            .nitrate, "nitrate",
            unit: .ppm, decimals: 1, absolute: 0...200, minimum: 0, maximum: 40, color: "purple",
            words: ParameterWords(en: "nitrate", ja: "硝酸塩濃度", es: .el("nitrato"))),
        Facts(
            .nitrite, "nitrite",
            unit: .ppm, decimals: 2, absolute: 0...0.8, minimum: nil, maximum: 0.25, color: "yellow",
            words: ParameterWords(en: "nitrite", ja: "亜硝酸塩濃度", es: .el("nitrito"))),
        Facts(
            .alkalinity, "alkalinity",
            unit: .ppm, decimals: 0, absolute: 0...1000, minimum: 50, maximum: 200, color: "#7c3f00",
            words: ParameterWords(en: "alkalinity", ja: "アルカリ度", es: .la("alcalinidad"))),
        Facts(
            .hardness, "hardness", aliases: ["general_hardness"],
            unit: .ppm, decimals: 0, absolute: 0...1000, minimum: 200, maximum: 530, color: "#f7138e",
            words: ParameterWords(en: "general hardness", ja: "総硬度", es: .la("dureza general"))),
        Facts(
            .dissolvedOxygen, "dissolved_oxygen", aliases: ["do"],
            unit: .ppm, decimals: 1, absolute: 0...20, minimum: 7, maximum: 9, color: "#6bcae2",
            words: ParameterWords(en: "dissolved oxygen", ja: "溶存酸素量", es: .el("oxígeno disuelto"))),
        Facts(
            .salinity, "salinity",
            unit: .ppt, decimals: 1, absolute: 0...20, minimum: 3, maximum: 7, color: "gray",
            words: ParameterWords(en: "salinity", ja: "塩分濃度", es: .la("salinidad"))),
    ]
}
