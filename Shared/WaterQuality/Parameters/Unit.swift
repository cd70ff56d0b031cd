/// A unit that a device may send or a person may choose. The raw values are stored and written in JSON.
///
/// Every unit converts without other facts about the water. A saturation in percent would not, so there is none.
package enum Unit: String, CaseIterable, Sendable {
    case celsius = "C"
    case fahrenheit = "F"
    case kelvin = "K"
    /// The pH scale, which has no unit.
    case ph = "pH"
    /// Parts per million: milligrams per litre of fresh water.
    case ppm
    /// Parts per billion: micrograms per litre.
    case ppb
    /// Parts per thousand, as aquarists mean it; practical salinity units count as such.
    case ppt

    /// The quantity that a unit measures. Units of one dimension convert into each other.
    package enum Dimension: Sendable {
        case temperature, acidity, concentration, salinity
    }

    package var dimension: Dimension {
        switch self {
        case .celsius, .fahrenheit, .kelvin: .temperature
        case .ph: .acidity
        case .ppm, .ppb: .concentration
        case .ppt: .salinity
        }
    }

    /// The symbol shown after a number; empty for pH.
    package var symbol: String {
        switch self {
        case .celsius: "°C"
        case .fahrenheit: "°F"
        case .kelvin: "K"
        case .ph: ""
        case .ppm: "ppm"
        case .ppb: "ppb"
        case .ppt: "ppt"
        }
    }

    /// Converts to the canonical unit of the dimension: °C = (°F - 32) / 1.8 = K - 273.15, 1 ppm = 1000 ppb.
    package func toCanonical(_ value: Double) -> Double {
        switch self {
        case .celsius, .ph, .ppm, .ppt: value
        case .fahrenheit: (value - 32) / 1.8
        case .kelvin: value - 273.15
        case .ppb: value / 1000
        }
    }

    /// Converts back from the canonical unit.
    package func fromCanonical(_ value: Double) -> Double {
        switch self {
        case .celsius, .ph, .ppm, .ppt: value
        case .fahrenheit: value * 1.8 + 32
        case .kelvin: value + 273.15
        case .ppb: value * 1000
        }
    }
}
