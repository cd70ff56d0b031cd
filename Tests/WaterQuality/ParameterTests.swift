import Testing

@testable import WaterQuality

@Suite struct ParameterTests {
    /// The manual's Table 3.1, typed independently: parameter, unit, min, max, absolute min and max, colour, precision.
    /// The manual's salinity ends at 20; ours reaches sea water.
    static let table: [(Parameter, String, String?, String, String, String, String, Float)] = [
        (.temperature, "°C", "12.0", "24.0", "-40.0", "40.0", "red", 0.1),
        (.ph, "", "7.5", "8.5", "1.0", "14.0", "blue", 0.1),
        (.ammonia, "ppm", nil, "0.25", "0.00", "0.80", "green", 0.01),
        (.nitrate, "ppm", "0.0", "40.0", "0.0", "200.0", "purple", 0.1),
        (.nitrite, "ppm", nil, "0.25", "0.00", "0.80", "yellow", 0.01),
        (.alkalinity, "ppm", "50", "200", "0", "1000", "#7c3f00", 1),
        (.hardness, "ppm", "200", "530", "0", "1000", "#f7138e", 1),
        (.dissolvedOxygen, "ppm", "7.0", "9.0", "0.0", "20.0", "#6bcae2", 0.1),
        (.salinity, "ppt", "3.0", "7.0", "0.0", "40.0", "gray", 0.1),
    ]

    @Test(arguments: table.indices) func catalogueIsTheManualsTable(row: Int) throws {
        let (parameter, unit, minimum, maximum, absoluteMinimum, absoluteMaximum, color, precision) = Self.table[row]
        func text(_ steps: Steps) -> String {
            DecimalText.number(Int64(steps.count), decimals: parameter.decimals, mark: ".")
        }
        #expect(parameter.rawValue == Int16(row))
        #expect(parameter.defaults.unit.symbol == unit)
        #expect(parameter.defaults.minimum.map(text) == minimum)
        #expect(parameter.defaults.maximum.map(text) == maximum)
        #expect(text(parameter.absoluteRange.lowerBound) == absoluteMinimum)
        #expect(text(parameter.absoluteRange.upperBound) == absoluteMaximum)
        #expect(parameter.defaults.color == color)
        #expect(parameter.defaults.order == Int16(row))
        #expect(parameter.value(of: Steps(1)) == precision)
        #expect(parameter.hasMinimumSetting == (minimum != nil))
        _ = try SafeRange(
            parameter, minimum: parameter.defaults.minimum, maximum: parameter.defaults.maximum)
    }

    /// Parameters that the manual lacks: parameter, unit, absolute range, precision, and whether there is a minimum.
    static let others: [(Parameter, Unit, ClosedRange<Float>, Float, Bool)] = [
        (.oxygenSaturation, .percent, 0...300, 1, true), (.freeAmmonia, .ppm, 0...1, 0.001, false),
        (.carbonDioxide, .ppm, 0...500, 0.1, true), (.orp, .millivolts, -2000...2000, 1, true),
        (.conductivity, .microsiemensPerCentimetre, 0...200_000, 1, true), (.tds, .ppm, 0...100_000, 1, true),
        (.turbidity, .nephelometric, 0...4000, 0.1, false),
        (.turbidityFNU, .formazinNephelometric, 0...4000, 0.1, false),
        (.phosphate, .ppm, 0...10, 0.01, true), (.calcium, .ppm, 0...1000, 1, true),
        (.magnesium, .ppm, 0...3000, 1, true), (.potassium, .ppm, 0...1000, 1, true),
        (.iron, .ppm, 0...10, 0.01, true), (.copper, .ppm, 0...5, 0.01, true),
        (.freeChlorine, .ppm, 0...20, 0.01, true), (.totalChlorine, .ppm, 0...20, 0.01, true),
        (.cyanuricAcid, .ppm, 0...300, 1, true), (.silicate, .ppm, 0...100, 0.01, true),
    ]

    @Test func otherParametersHaveNoLimitsAtFirst() {
        #expect(Parameter.ofManual == Self.table.map(\.0))
        #expect(Parameter.allCases == Parameter.ofManual + Self.others.map(\.0))
        for (parameter, unit, range, precision, hasMinimum) in Self.others {
            #expect(parameter.defaults.minimum == nil && parameter.defaults.maximum == nil)
            #expect(parameter.defaults.unit == unit && parameter.defaults.order == parameter.rawValue)
            #expect(parameter.value(of: parameter.absoluteRange.lowerBound) == range.lowerBound)
            #expect(parameter.value(of: parameter.absoluteRange.upperBound) == range.upperBound)
            #expect(parameter.value(of: Steps(1)) == precision)
            #expect(parameter.hasMinimumSetting == hasMinimum)
        }
    }

    @Test func eachHasAColourOfItsOwn() {
        #expect(Set(Parameter.allCases.map(\.defaults.color)).count == Parameter.allCases.count)
    }

    @Test func catalogueStandsInOrder() {
        #expect(Parameter.catalogue.map(\.parameter) == Parameter.allCases)
        #expect(Parameter.count == Parameter.allCases.count)
        #expect(PerParameter(repeating: 0).count == Parameter.count)
        #expect(
            Parameter.allCases.map(\.name) == [
                "temperature", "ph", "ammonia", "nitrate", "nitrite", "alkalinity", "hardness", "dissolved_oxygen",
                "salinity", "oxygen_saturation", "free_ammonia", "carbon_dioxide", "orp", "conductivity", "tds",
                "turbidity", "turbidity_fnu", "phosphate", "calcium", "magnesium", "potassium", "iron", "copper",
                "free_chlorine", "total_chlorine", "cyanuric_acid", "silicate",
            ])
        for parameter in Parameter.allCases {
            #expect(parameter.choosableUnits.first == parameter.canonicalUnit)
            #expect(parameter.choosableUnits.allSatisfy(parameter.accepts))
        }
        #expect(Parameter.temperature.choosableUnits == [.celsius, .fahrenheit, .kelvin])
    }

    @Test(arguments: [
        ("temperature", Parameter.temperature), ("Temperature", .temperature), ("temp", .temperature),
        ("ph", .ph), ("pH", .ph), ("PH", .ph), ("dissolved_oxygen", .dissolvedOxygen),
        ("dissolvedOxygen", .dissolvedOxygen), ("Dissolved Oxygen", .dissolvedOxygen), ("DO", .dissolvedOxygen),
        ("generalHardness", .hardness), ("salinity", .salinity), ("water-temperature", .temperature),
        ("orp", .orp), ("Redox", .orp), ("ec", .conductivity), ("conductivity", .conductivity), ("TDS", .tds),
        ("turbidity", .turbidity), ("co2", .carbonDioxide), ("carbonDioxide", .carbonDioxide),
        ("oxygen_saturation", .oxygenSaturation), ("do_sat", .oxygenSaturation), ("free_ammonia", .freeAmmonia),
        ("NH3", .freeAmmonia), ("turbidity_fnu", .turbidityFNU),
    ])
    func knowsNames(name: String, parameter: Parameter) {
        #expect(Parameter(name: name) == parameter)
    }

    @Test(arguments: ["", "_", "p", "phh", "temperatur", "temperature2", "orpp", "time", "\u{0}", "ｐｈ"])
    func refusesOtherNames(name: String) {
        #expect(Parameter(name: name) == nil)
    }

    @Test(arguments: [
        ("°F", Unit.fahrenheit), ("F", .fahrenheit), ("degF", .fahrenheit), ("Fahrenheit", .fahrenheit),
        ("\u{2109}", .fahrenheit), ("°C", .celsius), ("c", .celsius), ("Cel", .celsius), ("\u{2103}", .celsius),
        ("deg C", .celsius), ("K", .kelvin), ("mg/L", .milligramsPerLitre), ("mg/l", .milligramsPerLitre),
        ("PPM", .ppm), ("g/m³", .ppm), ("µg/L", .ppb), ("dKH", .carbonateHardness), ("°dGH", .generalHardness),
        ("mmol/L", .millimolesPerLitre), ("meq/l", .milliequivalentsPerLitre), ("mval/L", .milliequivalentsPerLitre),
        ("°fH", .frenchDegrees), ("°Clark", .clarkDegrees), ("gpg", .grainsPerGallon), ("mL/L", .millilitresPerLitre),
        ("µmol/L", .micromolesPerLitre), ("SG", .specificGravity), ("mS/cm", .millisiemensPerCentimetre),
        ("µS/cm", .microsiemensPerCentimetre), ("mg/L NO₃-N", .nitrateNitrogen),
        ("\u{3bc}g/l", .ppb), ("ug/L", .ppb), ("ppb", .ppb), ("ppt", .ppt), ("PSU", .psu), ("‰", .ppt),
        ("pH", .ph), ("", .ph), ("none", .ph), ("%", .percent), ("% sat", .percent), ("mV", .millivolts),
        ("NTU", .nephelometric), ("FNU", .formazinNephelometric), ("S/m", .siemensPerMetre),
    ])
    func knowsSpellings(spelling: String, unit: Unit) {
        #expect(Unit(spelling: spelling) == unit)
    }

    @Test(arguments: ["%%", "furlong", "mg", "g/L", "mS", "NO3", "°", "CC", String(repeating: "F", count: 100_000)])
    func refusesOtherSpellings(spelling: String) {
        #expect(Unit(spelling: spelling) == nil)
    }

    @Test func refusesUnitsThatDoNotFit() {
        #expect(Parameter.temperature.unit(spelling: "ppm") == nil)
        #expect(Parameter.salinity.unit(spelling: "mg/L") == nil)
        #expect(Parameter.ammonia.unit(spelling: "ppt") == nil)
        #expect(Parameter.ph.unit(spelling: "C") == nil)
        #expect(Parameter.ph.canonical(7, in: .ppm) == nil)
        #expect(Parameter.nitrite.unit(spelling: "ppb") == .ppb)
        #expect(Parameter.hardness.unit(spelling: "dKH") == nil)
        #expect(Parameter.nitrite.unit(spelling: "mg/L NO3") == nil)
        #expect(Parameter.nitrite.unit(spelling: "mg/L NO3-N") == nil)
        #expect(Parameter.nitrate.unit(spelling: "no3") == nil)
    }

    /// The meaning of `dH`, `°f` and "as N" depends on the parameter.
    @Test(arguments: [
        (Parameter.alkalinity, "dH", Unit.carbonateHardness), (.hardness, "°dH", .generalHardness),
        (.temperature, "°f", .fahrenheit), (.hardness, "°f", .frenchDegrees), (.ammonia, "mg/L as N", .ammoniaNitrogen),
        (.nitrate, "ppm N", .nitrateNitrogen), (.nitrite, "mg N/L", .nitriteNitrogen),
        (.nitrate, "mg/L NO3-N", .nitrateNitrogen), (.nitrate, "mg/L NO3", .milligramsPerLitre),
        (.nitrate, "ppm NO₃⁻", .ppm), (.ammonia, "mg/L NH4+", .milligramsPerLitre),
        (.ammonia, "mg/L NH3", .ammoniaMass),
        (.alkalinity, "mg/L as CaCO3", .milligramsPerLitre), (.hardness, "ppm CaCO₃", .ppm),
        (.dissolvedOxygen, "mg/L O2", .milligramsPerLitre), (.freeAmmonia, "mg/L NH3", .ammoniaMass),
        (.freeAmmonia, "mg/L NH3-N", .ammoniaNitrogen), (.carbonDioxide, "mg/L CO2", .milligramsPerLitre),
        (.conductivity, "uS/cm", .microsiemensPerCentimetre), (.tds, "mg/L", .milligramsPerLitre),
    ])
    func spellingsOfAParameter(parameter: Parameter, spelling: String, unit: Unit) {
        #expect(parameter.unit(spelling: spelling) == unit)
    }

    /// The unit distinguishes two quantities with one name.
    @Test(arguments: [
        (Parameter.dissolvedOxygen, "%", Parameter.oxygenSaturation), (.dissolvedOxygen, "mg/L", .dissolvedOxygen),
        (.turbidity, "FNU", .turbidityFNU), (.turbidity, "NTU", .turbidity),
    ])
    func theUnitTellsTheQuantity(named: Parameter, spelling: String, quantity: Parameter) {
        #expect(named.quantity(spelling: spelling)?.parameter == quantity)
    }

    /// The two kinds of turbidity are not converted into each other, nor potentials against different electrodes.
    @Test func whatDiffersIsNotConverted() {
        #expect(Parameter.turbidityFNU.quantity(spelling: "NTU") == nil)
        #expect(Parameter.turbidity.unit(spelling: "FNU") == nil)
        #expect(Parameter.tds.unit(spelling: "uS/cm") == nil)
        #expect(Parameter.orp.choosableUnits == [.millivolts])
    }

    @Test func everyUnitIsSpelledByItsNameAndItsSymbol() {
        for parameter in Parameter.allCases {
            for scale in parameter.scales {
                #expect(parameter.unit(spelling: scale.unit.rawValue) == scale.unit)
                #expect(parameter.unit(spelling: scale.unit.symbol) == scale.unit)
            }
            #expect(Set(parameter.scales.map(\.unit)).count == parameter.scales.count)
        }
        #expect(Set(Parameter.allCases.flatMap { $0.scales.map(\.unit) }) == Set(Unit.allCases))
    }

    @Test func faultsAreNoWater() {
        for parameter in Parameter.allCases {
            for fault in [Float.nan, .signalingNaN, .infinity, -.infinity] {
                #expect(Sentinel.isFault(fault, of: parameter))
            }
            #expect(!Sentinel.isFault(0, of: parameter))
            #expect(Sentinel.isFault(-127, of: parameter) == (parameter == .temperature))
        }
        #expect(!Sentinel.isFault(-126.9, of: .temperature))
        #expect(Sentinel.isFault(85, of: .temperature) && !Sentinel.isFault(85, of: .alkalinity))
        for beside in [Float(84.9375), 85.0625] { #expect(!Sentinel.isFault(beside, of: .temperature)) }
        let inFahrenheit = Parameter.temperature.canonical(-196.6, in: .fahrenheit)
        #expect(inFahrenheit.map { Sentinel.isFault($0, of: .temperature) } == true)
    }
}
