import WaterQuality

/// Parameter codes of the Geological Survey for what probes in the water measure, with what each is here. A code has one unit, whatever the answer
/// calls it. Source: the codes of https://help.waterdata.usgs.gov/codes-and-parameters/parameters.
enum SurveyCodes {
    struct Entry: Sendable {
        let code: String
        let name: String
        let parameter: Parameter
        let unit: Unit
        /// Whether it is the parameter without any doubt; what is nearly it is left to the site's owner.
        let isCertain: Bool

        init(_ code: String, _ name: String, _ parameter: Parameter, _ unit: Unit, isCertain: Bool = true) {
            self.code = code
            self.name = name
            self.parameter = parameter
            self.unit = unit
            self.isCertain = isCertain
        }
    }

    static let all = [
        Entry("00010", "Temperature, water", .temperature, .celsius),
        Entry("00011", "Temperature, water", .temperature, .fahrenheit),
        Entry("00400", "pH", .ph, .ph),
        Entry("00300", "Dissolved oxygen", .dissolvedOxygen, .milligramsPerLitre),
        Entry("00301", "Dissolved oxygen, percent of saturation", .oxygenSaturation, .percent),
        Entry("00095", "Specific conductance at 25 °C", .conductivity, .microsiemensPerCentimetre),
        Entry("90860", "Salinity", .salinity, .psu),
        Entry("00480", "Salinity", .salinity, .ppt),
        Entry("63680", "Turbidity, infrared light", .turbidityFNU, .formazinNephelometric),
        Entry("00076", "Turbidity, white light", .turbidity, .nephelometric),
        Entry("00090", "Oxidation reduction potential", .orp, .millivolts, isCertain: false),
        Entry("99137", "Nitrate, as nitrogen", .nitrate, .nitrateNitrogen),
        Entry("99133", "Nitrate and nitrite, as nitrogen", .nitrate, .nitrateNitrogen, isCertain: false),
        Entry("51289", "Orthophosphate, as phosphorus", .phosphate, .phosphatePhosphorus),
    ]

    static let list = all.map(\.code).joined(separator: ",")

    static subscript(code: String) -> Entry? { all.first { $0.code == code } }

    /// The number that stands for a value that is missing.
    static let missing = -999_999.0

    /// - Returns: nil for a text that is no number, and for what stands for a missing one.
    static func number(_ text: String) -> Double? {
        guard text.utf8.count <= 40, let number = Double(text), number.isFinite, number > missing else { return nil }
        return number
    }

    /// Series in the order of `all`, then of their ids, so that the first of a parameter is the same each time.
    static func ordered(_ series: [String: String]) -> [FoundSeries] {
        let ids = series.keys.sorted()
        let found = all.flatMap { entry in
            ids.filter { series[$0] == entry.code }.compactMap { id -> FoundSeries? in
                guard let one = StationSeries(id: id, name: entry.name, unit: entry.unit.symbol) else { return nil }
                return FoundSeries(
                    series: one, units: [entry.unit.rawValue], certain: entry.isCertain ? entry.parameter : nil)
            }
        }
        return Array(found.prefix(StationSeries.most))
    }
}
