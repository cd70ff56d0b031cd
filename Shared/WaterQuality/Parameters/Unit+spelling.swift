extension Unit {
    /// The unit named by a text from a device or a person, in any of the usual spellings. Case, blanks, degree signs
    /// and underscores do not matter (`°F`, `F`, `degF`, `fahrenheit`; `mg/l`; `µg/L`).
    package init?(spelling: String) {
        guard spelling.utf8.count <= Self.longestSpelling else { return nil }
        let folded = Self.folded(spelling)
        // An empty text is the unit of pH; a lone degree sign is no unit.
        guard let unit = Self.spellings[folded], !folded.isEmpty || spelling.isEmpty else { return nil }
        self = unit
    }

    /// Bounds the work on hostile text.
    private static let longestSpelling = 40

    private static func folded(_ text: String) -> String {
        String(
            text.lowercased().unicodeScalars.compactMap { scalar -> Character? in
                switch scalar {
                case " ", "\u{a0}", "_", "°", "º", "\u{fe0f}": nil
                // The micro sign and the Greek letter look alike; lower case leaves both.
                case "\u{b5}", "\u{3bc}": "u"
                // One-character forms of °C and °F.
                case "\u{2103}": "c"
                case "\u{2109}": "f"
                default: Character(scalar)
                }
            })
    }

    private static let spellings: [String: Unit] = {
        let names: [(Unit, [String])] = [
            (.celsius, ["c", "cel", "degc", "celsius", "degreescelsius", "degreecelsius", "centigrade"]),
            (.fahrenheit, ["f", "degf", "fahrenheit", "degreesfahrenheit", "degreefahrenheit", "[degf]"]),
            (.kelvin, ["k", "kelvin", "degk", "kelvins"]),
            (.ph, ["", "ph", "none", "phunits", "[ph]"]),
            (.ppm, ["ppm", "mg/l", "mgl", "mg/liter", "mg/litre", "mgl-1", "g/m3"]),
            (.ppb, ["ppb", "ug/l", "ugl", "ug/liter", "ug/litre", "mcg/l"]),
            (.ppt, ["ppt", "ppth", "psu", "pss", "pss-78", "\u{2030}", "g/kg", "o/oo"]),
        ]
        var table: [String: Unit] = [:]
        for (unit, spellings) in names {
            for spelling in spellings { table[spelling] = unit }
        }
        return table
    }()
}
