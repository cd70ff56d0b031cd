extension Unit {
    /// The unit that a device or a person names, in any usual spelling. Case, blanks, degree signs and underscores are
    /// ignored (`°F`, `F`, `degF`, `fahrenheit`; `mg/l`; `µg/L`).
    ///
    /// Some spellings name another unit for another parameter (`mg/L N`): see `Parameter.unit(spelling:)`.
    package init?(spelling: String) {
        guard let unit = Self.spelled(spelling).first else { return nil }
        self = unit
    }

    /// All units that a spelling can mean.
    /// - Parameter substances: Folded names that may follow a unit without changing it.
    static func spelled(_ spelling: String, of substances: [String] = []) -> [Unit] {
        guard spelling.utf8.count <= longestSpelling else { return [] }
        let folded = folded(spelling)
        // An empty text is the unit of pH; a lone degree sign is no unit.
        guard !folded.isEmpty || spelling.isEmpty else { return [] }
        let units = spellings[folded] ?? []
        guard let substance = substances.first(where: folded.hasSuffix), folded != substance else { return units }
        return units + (spellings[String(folded.dropLast(substance.count))] ?? [])
    }

    /// The length beyond which a text is refused, which bounds the work on hostile text.
    private static let longestSpelling = 40

    private static func folded(_ text: String) -> String {
        String(
            text.lowercased().unicodeScalars.compactMap { scalar -> Character? in
                switch scalar {
                case " ", "\u{a0}", "_", "°", "º", "\u{fe0f}": nil
                // Subscripts count as digits (NO₃ is NO3); charges are ignored.
                case "\u{2080}"..."\u{2089}": Character(UnicodeScalar(UInt8(scalar.value - 0x2080 + 0x30)))
                case "\u{207a}", "\u{207b}": nil
                // The non-breaking hyphen and dashes.
                case "\u{2010}"..."\u{2013}": "-"
                // The micro sign and the Greek letter, which look alike; lower-casing keeps both.
                case "\u{b5}", "\u{3bc}": "u"
                // One-character forms of °C and °F.
                case "\u{2103}": "c"
                case "\u{2109}": "f"
                default: Character(scalar)
                }
            })
    }

    private static let spellings: [String: [Unit]] = {
        let names: [(Unit, [String])] = [
            (.celsius, ["c", "cel", "degc", "celsius", "degreescelsius", "degreecelsius", "centigrade"]),
            (.fahrenheit, ["f", "degf", "fahrenheit", "degreesfahrenheit", "degreefahrenheit", "[degf]"]),
            (.kelvin, ["k", "kelvin", "degk", "kelvins"]),
            (.ph, ["", "ph", "none", "phunits", "[ph]"]),
            (.ppm, ["ppm", "g/m3", "g/m\u{b3}"]),
            (.milligramsPerLitre, litres(of: ["mg"])),
            (.ppb, ["ppb", "ug/l", "ugl", "ug/liter", "ug/litre", "mcg/l"]),
            (.ammoniaMass, litres(of: ["mg"], ["nh3"])),
            (.ammoniaNitrogen, element("n", of: ["nh3", "nh4"])),
            (.nitrateNitrogen, element("n", of: ["no3"])),
            (.nitriteNitrogen, element("n", of: ["no2"])),
            (.phosphatePhosphorus, element("p", of: ["po4"])),
            (.silicon, element("si", of: ["sio2"])),
            (.calciumCarbonate, litres(of: ["mg"], ["caco3", "ascaco3"]) + ["ppmcaco3", "ppmascaco3"]),
            (.carbonateHardness, ["dkh", "kh", "dh"]),
            (.generalHardness, ["dgh", "gh", "dh"]),
            (.millimolesPerLitre, litres(of: ["mmol"])),
            (.milliequivalentsPerLitre, litres(of: ["meq", "mval"])),
            (.frenchDegrees, ["fh", "f", "tf", "french", "frenchdegrees"]),
            (.clarkDegrees, ["eh", "e", "clark", "clarkdegrees", "englishdegrees"]),
            (.grainsPerGallon, ["gpg", "gr/gal", "grains/gallon", "grainspergallon"]),
            (.millilitresPerLitre, litres(of: ["ml"])),
            (.micromolesPerLitre, litres(of: ["umol"])),
            (.ppt, ["ppt", "ppth", "\u{2030}", "g/kg", "o/oo"]),
            (.psu, ["psu", "pss", "pss-78"]),
            (.specificGravity, ["sg", "sg25/25", "specificgravity"]),
            (.millisiemensPerCentimetre, ["ms/cm", "mmho/cm", "ds/m"]),
            // Meters display just `uS`, which nobody reads as a conductance.
            (.microsiemensPerCentimetre, ["us/cm", "us", "umho/cm"]),
            (.siemensPerMetre, ["s/m", "mho/m"]),
            (.percent, ["%", "percent", "pct", "%sat", "%satur", "%saturation"]),
            (.millivolts, ["mv", "millivolt", "millivolts"]),
            (.nephelometric, ["ntu"]),
            (.formazinNephelometric, ["fnu"]),
        ]
        var table: [String: [Unit]] = [:]
        for (unit, spellings) in names {
            for spelling in spellings { table[spelling, default: []].append(unit) }
        }
        return table
    }()

    /// The spellings of an amount per litre, of one of these substances.
    private static func litres(of amounts: [String], _ substances: [String] = [""]) -> [String] {
        amounts.flatMap { amount in
            substances.flatMap { substance in
                ["/l", "l", "/liter", "/litre", "l-1"].map { amount + $0 + substance }
                    + (substance.isEmpty ? [] : [amount + substance + "/l"])
            }
        }
    }

    /// The spellings of a mass of an element per litre, in one of these species.
    private static func element(_ element: String, of species: [String]) -> [String] {
        let names = [element, "-\(element)", "as\(element)"] + species.flatMap { ["\($0)-\(element)", $0 + element] }
        return litres(of: ["mg"], names) + names.map { "ppm" + $0 }
    }
}
