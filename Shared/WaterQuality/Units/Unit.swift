/// A unit that a device may send or a person may choose. The raw values are stored and written in JSON.
///
/// The meaning of a unit depends on the parameter (`ppm` of hardness is not `ppm` of nitrate), so values convert by a
/// parameter's `UnitScale`. No conversion needs other facts about the water; a quantity that does is a parameter of its
/// own, such as oxygen in percent of saturation.
package enum Unit: String, CaseIterable, Sendable {
    case celsius = "C"
    case fahrenheit = "F"
    case kelvin = "K"
    /// The pH scale, which has no unit.
    case ph = "pH"
    /// Parts per million: milligrams per litre of fresh water.
    case ppm
    /// Milligrams per litre, another name of `ppm`.
    case milligramsPerLitre = "mg/L"
    /// Parts per billion: micrograms per litre.
    case ppb
    /// Total ammonia as the mass of an equal amount of NH3.
    case ammoniaMass = "mg/L NH3"
    /// Total ammonia as the mass of its nitrogen.
    case ammoniaNitrogen = "mg/L NH3-N"
    /// Nitrate as the mass of its nitrogen.
    case nitrateNitrogen = "mg/L NO3-N"
    /// Nitrite as the mass of its nitrogen.
    case nitriteNitrogen = "mg/L NO2-N"
    /// Phosphate as the mass of its phosphorus.
    case phosphatePhosphorus = "mg/L PO4-P"
    /// Silicate as the mass of its silicon.
    case silicon = "mg/L Si"
    /// Calcium or magnesium as the mass of so much calcium carbonate, as kits for pools tell it.
    case calciumCarbonate = "mg/L CaCO3"
    /// German degrees of carbonate hardness, the usual unit of alkalinity.
    case carbonateHardness = "dKH"
    /// German degrees of general hardness.
    case generalHardness = "dGH"
    /// Millimoles of calcium carbonate per litre.
    case millimolesPerLitre = "mmol/L"
    /// Milliequivalents per litre.
    case milliequivalentsPerLitre = "meq/L"
    /// French degrees.
    case frenchDegrees = "fH"
    /// Clark (English) degrees: grains per imperial gallon.
    case clarkDegrees = "eH"
    /// Grains per US gallon.
    case grainsPerGallon = "gpg"
    /// Millilitres of oxygen, at 0 °C and one atmosphere, per litre.
    case millilitresPerLitre = "mL/L"
    case micromolesPerLitre = "umol/L"
    /// Parts per thousand as aquarists use them, equal to practical salinity units.
    case ppt
    /// The practical salinity scale of 1978.
    case psu = "PSU"
    /// Specific gravity 25/25: the density at 25 °C over that of pure water at 25 °C.
    case specificGravity = "SG"
    /// Electrical conductivity at 25 °C.
    case millisiemensPerCentimetre = "mS/cm"
    case microsiemensPerCentimetre = "uS/cm"
    case siemensPerMetre = "S/m"
    /// Percent of the equilibrium with air.
    case percent = "%"
    /// Millivolts against the probe's own reference electrode.
    case millivolts = "mV"
    /// Nephelometric turbidity units, measured with white light.
    case nephelometric = "NTU"
    /// Formazin nephelometric units, measured with infrared light.
    case formazinNephelometric = "FNU"

    /// The symbol shown after a number; empty for pH.
    package var symbol: String {
        switch self {
        case .celsius: "°C"
        case .fahrenheit: "°F"
        case .ph: ""
        case .ammoniaMass: "mg/L NH₃"
        case .ammoniaNitrogen: "mg/L NH₃-N"
        case .nitrateNitrogen: "mg/L NO₃-N"
        case .nitriteNitrogen: "mg/L NO₂-N"
        case .phosphatePhosphorus: "mg/L PO₄-P"
        case .calciumCarbonate: "mg/L CaCO₃"
        case .frenchDegrees: "°fH"
        case .clarkDegrees: "°e"
        case .micromolesPerLitre: "µmol/L"
        case .microsiemensPerCentimetre: "µS/cm"
        default: rawValue
        }
    }
}
