extension Parameter {
    /// The settings of a newly linked device: those of the manual's Table 3.1, and no limits for what is not in it.
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
        /// The parameters that devices may mean by this one's names too, if the unit says so.
        let namesakes: [Parameter]
        /// The canonical one first.
        let scales: [UnitScale]
        let choosableUnits: [Unit]
        let decimals: Int
        let stepsPerUnit: Int32
        let absoluteRange: ClosedRange<Steps>
        let hasMinimumSetting: Bool
        let defaults: Defaults
        /// A change that is great, in the canonical unit.
        let greatChange: Double

        /// - Parameters:
        ///   - scales: The canonical one first, whose digits are the sensor's precision.
        ///   - hasMinimum: Whether a minimum can be set.
        ///   - minimum: The default minimum, like `maximum`.
        ///   - change: A change that is great; half of what lies between the default limits unless given.
        init(
            _ parameter: Parameter, _ name: String, aliases: [String] = [], scales: [UnitScale],
            substances: [String] = [], namesakes: [Parameter] = [], absolute: ClosedRange<Float>,
            hasMinimum: Bool = true, minimum: Float? = nil, maximum: Float? = nil, change: Double? = nil,
            color: String
        ) {
            let decimals = scales[0].decimals
            let stepsPerUnit: Int32 = (0..<decimals).reduce(1) { power, _ in power * 10 }
            func steps(_ value: Float) -> Steps { Steps(value, stepsPerUnit: stepsPerUnit) }
            self.parameter = parameter
            self.name = name
            self.aliases = aliases
            self.substances = substances
            self.namesakes = namesakes
            self.scales = scales
            self.choosableUnits = scales.filter(\.isChoosable).map(\.unit)
            self.decimals = decimals
            self.stepsPerUnit = stepsPerUnit
            self.absoluteRange = steps(absolute.lowerBound)...steps(absolute.upperBound)
            self.hasMinimumSetting = hasMinimum
            self.defaults = Defaults(
                unit: scales[0].unit, minimum: minimum.map(steps), maximum: maximum.map(steps), color: color,
                order: parameter.rawValue)
            self.greatChange = change ?? Double((maximum ?? absolute.upperBound) - (minimum ?? 0)) / 2
        }
    }

    var facts: Facts { Self.catalogue[Int(rawValue)] }

    /// The nine of the manual's Table 3.1, which have limits from the start.
    package static let ofManual = allCases.filter { $0.defaults.maximum != nil }

    /// One entry per parameter, in the order of the raw values.
    static let catalogue: [Facts] = [
        Facts(
            .temperature, "temperature", aliases: ["temp", "water_temperature", "water_temp"],
            scales: [
                UnitScale(.celsius, decimals: 1), UnitScale(.fahrenheit, decimals: 1, Temperature.fahrenheit),
                UnitScale(.kelvin, decimals: 1, Temperature.kelvin),
            ],
            absolute: -40...40,
            minimum: 12, maximum: 24, color: "red"),
        Facts(
            .ph, "ph",
            scales: [UnitScale(.ph, decimals: 1)], absolute: 1...14, minimum: 7.5, maximum: 8.5, change: 1,
            color: "blue"),
        Facts(
            .ammonia, "ammonia",
            scales: .mass(decimals: 2) + [
                UnitScale(.ammoniaMass, decimals: 2, NitrogenSpecies.ammoniumAsAmmonia),
                UnitScale(.ammoniaNitrogen, decimals: 2, NitrogenSpecies.ammoniumAsNitrogen),
            ],
            substances: ["nh4", "nh4+"], absolute: 0...0.8, hasMinimum: false, maximum: 0.25, color: "green"),
        Facts(
            .nitrate, "nitrate",
            scales: .mass(decimals: 1) + [
                UnitScale(.nitrateNitrogen, decimals: 1, NitrogenSpecies.nitrateAsNitrogen)
            ],
            substances: ["no3", "no3-"], absolute: 0...200, minimum: 0, maximum: 40, color: "purple"),
        Facts(
            .nitrite, "nitrite",
            scales: .mass(decimals: 2) + [
                UnitScale(.nitriteNitrogen, decimals: 2, NitrogenSpecies.nitriteAsNitrogen)
            ],
            substances: ["no2", "no2-"], absolute: 0...0.8, hasMinimum: false, maximum: 0.25, color: "yellow"),
        Facts(
            .alkalinity, "alkalinity",
            scales: .calciumCarbonate(germanDegrees: .carbonateHardness), substances: ["ascaco3", "caco3"],
            absolute: 0...1000, minimum: 50, maximum: 200, color: "#7c3f00"),
        Facts(
            .hardness, "hardness", aliases: ["general_hardness"],
            scales: .calciumCarbonate(germanDegrees: .generalHardness), substances: ["ascaco3", "caco3"],
            absolute: 0...1000, minimum: 200, maximum: 530, color: "#f7138e"),
        Facts(
            .dissolvedOxygen, "dissolved_oxygen", aliases: ["do"],
            scales: .mass(decimals: 1) + [
                UnitScale(.millilitresPerLitre, decimals: 1, DissolvedOxygen.millilitres),
                UnitScale(.micromolesPerLitre, decimals: 0, DissolvedOxygen.micromoles),
            ],
            substances: ["o2"], namesakes: [.oxygenSaturation], absolute: 0...20, minimum: 7, maximum: 9,
            change: 2, color: "#6bcae2"),
        Facts(
            .salinity, "salinity",
            scales: [
                UnitScale(.ppt, decimals: 1), UnitScale(.psu, decimals: 1),
                UnitScale(.specificGravity, decimals: 4, SeawaterDensity.specificGravity25),
                UnitScale(.millisiemensPerCentimetre, decimals: 1, PracticalSalinity.millisiemens),
                UnitScale(
                    .microsiemensPerCentimetre, decimals: 0, PracticalSalinity.microsiemens, isChoosable: false),
            ],
            // The manual's sensor ends at 20. It leaves the range to the sensors chosen, and sea water is 35. The formulas of
            // specific gravity and conductivity end at 42.
            absolute: 0...40, minimum: 3, maximum: 7, color: "gray"),
        Facts(
            .oxygenSaturation, "oxygen_saturation", aliases: ["do_sat", "do_saturation", "do_pct", "do_percent"],
            scales: [UnitScale(.percent, decimals: 0)], absolute: 0...300, change: 20, color: "#209194"),
        Facts(
            .freeAmmonia, "free_ammonia", aliases: ["nh3", "unionized_ammonia"],
            scales: .mass(decimals: 3) + [
                UnitScale(.ammoniaMass, decimals: 3, isChoosable: false),
                UnitScale(.ammoniaNitrogen, decimals: 3, NitrogenSpecies.ammoniaAsNitrogen),
            ],
            absolute: 0...1, hasMinimum: false, change: 0.02, color: "#6b8c4f"),
        Facts(
            .carbonDioxide, "carbon_dioxide", aliases: ["co2"], scales: .mass(decimals: 1), substances: ["co2"],
            absolute: 0...500, change: 10, color: "#81863f"),
        Facts(
            .orp, "orp", aliases: ["redox"], scales: [UnitScale(.millivolts, decimals: 0)], absolute: -2000...2000,
            change: 100, color: "#757ab8"),
        Facts(
            .conductivity, "conductivity", aliases: ["ec", "specific_conductance"],
            scales: [
                UnitScale(.microsiemensPerCentimetre, decimals: 0),
                UnitScale(.millisiemensPerCentimetre, decimals: 3, Conductivity.millisiemensPerCentimetre),
                UnitScale(.siemensPerMetre, decimals: 4, Conductivity.siemensPerMetre),
            ],
            absolute: 0...200_000, change: 200, color: "#9f7938"),
        Facts(
            .tds, "tds", aliases: ["total_dissolved_solids"], scales: .mass(decimals: 0), absolute: 0...100_000,
            change: 100, color: "#4388b2"),
        Facts(
            .turbidity, "turbidity", scales: [UnitScale(.nephelometric, decimals: 1)], namesakes: [.turbidityFNU],
            absolute: 0...4000, hasMinimum: false, change: 10, color: "#a06b9b"),
        Facts(
            .turbidityFNU, "turbidity_fnu", scales: [UnitScale(.formazinNephelometric, decimals: 1)],
            absolute: 0...4000, hasMinimum: false, change: 10, color: "#35937b"),
        Facts(
            .phosphate, "phosphate", aliases: ["po4", "orthophosphate"],
            scales: .mass(decimals: 2) + [
                UnitScale(.phosphatePhosphorus, decimals: 2, DissolvedSpecies.phosphateAsPhosphorus)
            ],
            substances: ["po4", "po4³"], absolute: 0...10, change: 0.5, color: "#a8733c"),
        // Symbols are no aliases of these: what devices call mg, fc or tc may be anything.
        Facts(
            .calcium, "calcium",
            scales: .mass(decimals: 0) + [
                UnitScale(.calciumCarbonate, decimals: 0, DissolvedSpecies.calciumAsCarbonate)
            ],
            substances: ["ca", "ca2+"], absolute: 0...1000, change: 50, color: "#8f7f95"),
        Facts(
            .magnesium, "magnesium",
            scales: .mass(decimals: 0) + [
                UnitScale(.calciumCarbonate, decimals: 0, DissolvedSpecies.magnesiumAsCarbonate)
            ],
            substances: ["mg", "mg2+"], absolute: 0...3000, change: 100, color: "#5f8a73"),
        Facts(
            .potassium, "potassium", scales: .mass(decimals: 0), substances: ["k", "k+"],
            absolute: 0...1000, change: 50, color: "#b06a78"),
        Facts(
            .iron, "iron", scales: .mass(decimals: 2), substances: ["fe", "fe2+", "fe3+"],
            absolute: 0...10, change: 0.2, color: "#a85a3a"),
        // A minimum can be set: fish are treated with copper, which has to stay as strong as it is dosed.
        Facts(
            .copper, "copper", scales: .mass(decimals: 2), substances: ["cu", "cu2+"],
            absolute: 0...5, change: 0.2, color: "#3f8f7a"),
        Facts(
            .freeChlorine, "free_chlorine", scales: .mass(decimals: 2),
            substances: ["cl2", "cl"], absolute: 0...20, change: 1, color: "#7f9a2f"),
        Facts(
            .totalChlorine, "total_chlorine", scales: .mass(decimals: 2),
            substances: ["cl2", "cl"], absolute: 0...20, change: 1, color: "#5e8fa3"),
        Facts(
            .cyanuricAcid, "cyanuric_acid", aliases: ["cya"], scales: .mass(decimals: 0),
            substances: ["cya"], absolute: 0...300, change: 20, color: "#8c77a8"),
        Facts(
            .silicate, "silicate", aliases: ["sio2", "silica"],
            scales: .mass(decimals: 2) + [UnitScale(.silicon, decimals: 2, DissolvedSpecies.silicaAsSilicon)],
            substances: ["sio2"], absolute: 0...100, change: 2, color: "#6f7fa0"),
    ]
}
