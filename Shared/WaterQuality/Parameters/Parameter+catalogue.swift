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
        /// What devices name behind the canonical unit: `mg/L NO3`. Folded, as `Unit.spelled(_:of:)` does.
        let substances: [String]
        let words: ParameterWords
        /// The canonical one first.
        let scales: [UnitScale]
        let choosableUnits: [Unit]
        let decimals: Int
        let stepsPerUnit: Int32
        let absoluteRange: ClosedRange<Steps>
        let hasMinimumSetting: Bool
        let defaults: Defaults

        /// - Parameters:
        ///   - scales: The canonical one first, whose digits are the sensor's precision.
        ///   - minimum: The default minimum; `nil` where there is no such setting.
        init(
            _ parameter: Parameter, _ name: String, aliases: [String] = [], scales: [UnitScale],
            substances: [String] = [], absolute: ClosedRange<Float>, minimum: Float?, maximum: Float,
            color: String, words: ParameterWords
        ) {
            let decimals = scales[0].decimals
            let stepsPerUnit: Int32 = (0..<decimals).reduce(1) { power, _ in power * 10 }
            func steps(_ value: Float) -> Steps { Steps(value, stepsPerUnit: stepsPerUnit) }
            self.parameter = parameter
            self.name = name
            self.aliases = aliases
            self.substances = substances
            self.words = words
            self.scales = scales
            self.choosableUnits = scales.filter(\.isChoosable).map(\.unit)
            self.decimals = decimals
            self.stepsPerUnit = stepsPerUnit
            self.absoluteRange = steps(absolute.lowerBound)...steps(absolute.upperBound)
            self.hasMinimumSetting = minimum != nil
            self.defaults = Defaults(
                unit: scales[0].unit, minimum: minimum.map(steps), maximum: steps(maximum), color: color,
                order: parameter.rawValue)
        }
    }

    var facts: Facts { Self.catalogue[Int(rawValue)] }

    var words: ParameterWords { facts.words }

    /// One entry per parameter, in the order of the raw values.
    static let catalogue: [Facts] = [
        Facts(
            .temperature, "temperature", aliases: ["temp", "water_temperature", "water_temp"],
            scales: [
                UnitScale(.celsius, decimals: 1), UnitScale(.fahrenheit, decimals: 1, Temperature.fahrenheit),
                UnitScale(.kelvin, decimals: 1, Temperature.kelvin),
            ],
            absolute: -40...40,
            minimum: 12, maximum: 24, color: "red",
            words: ParameterWords(en: "temperature", ja: "水温", es: .la("temperatura"))),
        Facts(
            .ph, "ph",
            scales: [UnitScale(.ph, decimals: 1)], absolute: 1...14, minimum: 7.5, maximum: 8.5, color: "blue",
            words: ParameterWords(en: "pH", ja: "pH", es: .el("pH"))),
        Facts(
            .ammonia, "ammonia",
            scales: .mass(decimals: 2) + [
                UnitScale(.ammoniaMass, decimals: 2, NitrogenSpecies.ammoniumAsAmmonia),
                UnitScale(.ammoniaNitrogen, decimals: 2, NitrogenSpecies.ammoniumAsNitrogen),
            ],
            substances: ["nh4", "nh4+"], absolute: 0...0.8, minimum: nil, maximum: 0.25, color: "green",
            words: ParameterWords(en: "ammonia", ja: "アンモニア濃度", es: .el("amoníaco"))),
        Facts(
            .nitrate, "nitrate",
            scales: .mass(decimals: 1) + [
                UnitScale(.nitrateNitrogen, decimals: 1, NitrogenSpecies.nitrateAsNitrogen)
            ],
            substances: ["no3", "no3-"], absolute: 0...200, minimum: 0, maximum: 40, color: "purple",
            words: ParameterWords(en: "nitrate", ja: "硝酸塩濃度", es: .el("nitrato"))),
        Facts(
            .nitrite, "nitrite",
            scales: .mass(decimals: 2) + [
                UnitScale(.nitriteNitrogen, decimals: 2, NitrogenSpecies.nitriteAsNitrogen)
            ],
            substances: ["no2", "no2-"], absolute: 0...0.8, minimum: nil, maximum: 0.25, color: "yellow",
            words: ParameterWords(en: "nitrite", ja: "亜硝酸塩濃度", es: .el("nitrito"))),
        Facts(
            .alkalinity, "alkalinity",
            scales: .calciumCarbonate(germanDegrees: .carbonateHardness), substances: ["ascaco3", "caco3"],
            absolute: 0...1000, minimum: 50, maximum: 200, color: "#7c3f00",
            words: ParameterWords(en: "alkalinity", ja: "アルカリ度", es: .la("alcalinidad"))),
        Facts(
            .hardness, "hardness", aliases: ["general_hardness"],
            scales: .calciumCarbonate(germanDegrees: .generalHardness), substances: ["ascaco3", "caco3"],
            absolute: 0...1000, minimum: 200, maximum: 530, color: "#f7138e",
            words: ParameterWords(en: "general hardness", ja: "総硬度", es: .la("dureza general"))),
        Facts(
            .dissolvedOxygen, "dissolved_oxygen", aliases: ["do"],
            scales: .mass(decimals: 1) + [
                UnitScale(.millilitresPerLitre, decimals: 1, DissolvedOxygen.millilitres),
                UnitScale(.micromolesPerLitre, decimals: 0, DissolvedOxygen.micromoles),
            ],
            substances: ["o2"], absolute: 0...20, minimum: 7, maximum: 9, color: "#6bcae2",
            words: ParameterWords(en: "dissolved oxygen", ja: "溶存酸素量", es: .el("oxígeno disuelto"))),
        Facts(
            .salinity, "salinity",
            scales: [
                UnitScale(.ppt, decimals: 1), UnitScale(.psu, decimals: 1),
                UnitScale(.specificGravity, decimals: 4, SeawaterDensity.specificGravity25),
                UnitScale(.millisiemensPerCentimetre, decimals: 1, PracticalSalinity.millisiemens),
                UnitScale(
                    .microsiemensPerCentimetre, decimals: 0, PracticalSalinity.microsiemens, isChoosable: false),
            ],
            // The manual's sensor ends at 20. It leaves the range to the sensors chosen, and sea water is 35.
            absolute: 0...42, minimum: 3, maximum: 7, color: "gray",
            words: ParameterWords(en: "salinity", ja: "塩分濃度", es: .la("salinidad"))),
    ]
}
