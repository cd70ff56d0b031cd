extension Parameter {
    /// The name of the parameter among WQX's characteristics.
    var wqxCharacteristic: String {
        switch self {
        case .temperature: "Temperature, water"
        case .ph: "pH"
        case .ammonia: "Ammonia and ammonium"
        case .nitrate: "Nitrate"
        case .nitrite: "Nitrite"
        case .alkalinity: "Alkalinity, total"
        case .hardness: "Total hardness"
        case .dissolvedOxygen: "Dissolved oxygen (DO)"
        case .salinity: "Salinity"
        case .oxygenSaturation: "Dissolved oxygen saturation"
        case .freeAmmonia: "Ammonia, un-ionized"
        case .carbonDioxide: "Carbon dioxide"
        case .orp: "Oxidation reduction potential (ORP)"
        case .conductivity: "Specific conductance"
        case .tds: "Total dissolved solids"
        case .turbidity, .turbidityFNU: "Turbidity"
        case .phosphate: "Orthophosphate"
        case .calcium: "Calcium"
        case .magnesium: "Magnesium"
        case .potassium: "Potassium"
        case .iron: "Iron"
        case .copper: "Copper"
        case .freeChlorine: "Free Residual Chlorine"
        case .totalChlorine: "Total Residual Chlorine"
        case .cyanuricAcid: "Cyanuric acid"
        case .silicate: "Silica"
        }
    }

    /// As what a mass in the canonical unit is told; `nil`: as itself.
    private var wqxSpeciation: String? {
        switch self {
        case .ammonia: "as NH4"
        case .freeAmmonia: "as NH3"
        case .nitrate: "as NO3"
        case .nitrite: "as NO2"
        case .phosphate: "as PO4"
        case .silicate: "as SiO2"
        case .alkalinity, .hardness: "as CaCO3"
        default: nil
        }
    }

    /// The fraction of the water that was analysed: what is measured in the field is not filtered. `nil` for what is no substance in the water.
    var wqxFraction: String? {
        switch self {
        case .temperature, .ph, .dissolvedOxygen, .oxygenSaturation, .salinity, .orp, .conductivity, .turbidity,
            .turbidityFNU:
            nil
        case .tds: "Dissolved"
        case .alkalinity, .hardness: "Total"
        default: "Unfiltered"
        }
    }

    /// A number as WQX names its unit, and as what a mass is told. Units that WQX does not have, or that mean something else there (`ppt`), are converted.
    /// - Returns: `nil` where the parameter has no such value.
    func wqx(_ number: Double, in unit: Unit) -> (value: String, unit: String, speciation: String?)? {
        func same(_ name: String, _ speciation: String? = nil) -> (String, String, String?) {
            (wqxText(number), name, speciation ?? wqxSpeciation)
        }
        switch unit {
        case .celsius: return same("deg C")
        case .fahrenheit: return same("deg F")
        case .kelvin: return same("deg K")
        case .ph: return same("None")
        case .ppm, .milligramsPerLitre: return same("mg/L")
        case .ppb: return same("ug/L")
        case .ammoniaMass: return same("mg/L", "as NH3")
        case .ammoniaNitrogen, .nitrateNitrogen, .nitriteNitrogen: return same("mg/L", "as N")
        case .phosphatePhosphorus: return same("mg/L", "as P")
        case .silicon: return same("mg/L", "as Si")
        case .calciumCarbonate: return same("mg/L", "as CaCO3")
        case .millilitresPerLitre: return same("mL/L")
        case .micromolesPerLitre: return same("umol/L")
        case .ppt, .psu: return same("PSU")
        case .percent: return same("%")
        case .millivolts: return same("mV")
        case .nephelometric: return same("NTU")
        case .formazinNephelometric: return same("FNU")
        case .microsiemensPerCentimetre where self == .conductivity: return same("uS/cm")
        case .millisiemensPerCentimetre where self == .conductivity: return same("mS/cm")
        case .siemensPerMetre where self == .conductivity: return same("S/m")
        case .carbonateHardness, .generalHardness, .millimolesPerLitre, .milliequivalentsPerLitre, .frenchDegrees,
            .clarkDegrees, .grainsPerGallon, .specificGravity, .microsiemensPerCentimetre, .millisiemensPerCentimetre,
            .siemensPerMetre:
            guard unit != canonicalUnit, let value = canonical(number, in: unit) else { return nil }
            return wqx(Double("\(value)") ?? Double(value), in: canonicalUnit)
        }
    }
}

/// A number as it is written in the table: without an exponent where it is one of water.
func wqxText(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e9 ? "\(Int64(number))" : "\(number)"
}
