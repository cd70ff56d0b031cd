import WaterQuality
import Words

/// A parameter as an ObservedProperty: in English, since entities have one name for everybody.
struct ObservedParameter: Sendable {
    let parameter: Parameter

    init(_ parameter: Parameter) { self.parameter = parameter }

    var name: String { Language.en.text("water.\(parameter.name)") }

    /// In the canonical unit, which no choice of a person's changes.
    var symbol: String { parameter.canonicalUnit.symbol }

    var unitName: String {
        switch parameter.canonicalUnit {
        case .celsius: "degree Celsius"
        case .ph: "pH"
        case .ppm: "milligram per litre"
        case .ppt: "practical salinity"
        case .percent: "percent of saturation"
        case .millivolts: "millivolt"
        case .microsiemensPerCentimetre: "microsiemens per centimetre at 25 °C"
        case .nephelometric: "nephelometric turbidity unit"
        case .formazinNephelometric: "formazin nephelometric unit"
        default: parameter.canonicalUnit.rawValue
        }
    }

    /// The unit's code of UCUM (ucum.org, version 2.1).
    var unitDefinition: String {
        switch parameter.canonicalUnit {
        case .celsius: "ucum:Cel"
        case .ph: "ucum:[pH]"
        case .ppm: "ucum:mg/L"
        case .ppt: "ucum:[ppth]"
        case .percent: "ucum:%"
        case .millivolts: "ucum:mV"
        case .microsiemensPerCentimetre: "ucum:uS/cm"
        case .nephelometric: "ucum:[NTU]"
        case .formazinNephelometric: "ucum:[FNU]"
        default: "ucum:{\(parameter.canonicalUnit.rawValue)}"
        }
    }

    /// A name of this catalogue's own. Vocabularies of oceanography tell methods apart that devices do not tell.
    var definition: String { "urn:x-water-quality:parameter:\(parameter.name)" }

    var description: String { "\(name) of the water" + (symbol.isEmpty ? "" : ", in \(symbol)") }
}
