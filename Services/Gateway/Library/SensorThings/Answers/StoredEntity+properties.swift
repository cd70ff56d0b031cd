import Instants
import Routes
import SensorThings
import WaterQuality

extension StoredEntity {
    /// A property of the entity of a set; nil for what the set does not have.
    func property(_ property: String, of set: EntitySet) -> JSON? {
        switch set {
        case .things: thing(property)
        case .locations: place(property, as: "location", "Where \(named) is")
        case .featuresOfInterest: place(property, as: "feature", "The water at \(named)")
        case .historicalLocations: property == "time" ? time.map { .string($0.iso8601) } : nil
        case .datastreams: datastream(property)
        case .sensors: sensor(property)
        case .observedProperties: observedProperty(property)
        case .observations: observation(property)
        }
    }

    private var named: String { name ?? "" }
    private var isByHand: Bool { found.selection.isByHand == true }
    private var observed: ObservedParameter? { parameter.map(ObservedParameter.init) }

    private func thing(_ property: String) -> JSON? {
        switch property {
        case "name": .string(named)
        case "description": .string(kind == "site" ? "A place where water is measured" : "A device that measures water")
        case "properties": ["hardwareId": .string(hardwareID ?? ""), "kind": .string(kind ?? "device")]
        default: nil
        }
    }

    /// A place in GeoJSON (RFC 7946); a feature without geometry where nobody said where it is.
    private func place(_ property: String, as geometry: String, _ description: String) -> JSON? {
        switch property {
        case "name": return .string(named)
        case "description": return .string(description)
        case "encodingType": return "application/geo+json"
        case geometry:
            guard let latitude, let longitude else { return ["type": "Feature", "geometry": .null, "properties": [:]] }
            return ["type": "Point", "coordinates": [.number(longitude), .number(latitude)]]
        default: return nil
        }
    }

    private func datastream(_ property: String) -> JSON? {
        guard let observed else { return nil }
        return switch property {
        case "name": .string("\(named): \(observed.name)")
        case "description": .string("\(observed.description), \(isByHand ? "measured by hand" : "measured by probes")")
        case "observationType": "http://www.opengis.net/def/observationType/OGC-OM/2.0/OM_Measurement"
        case "unitOfMeasurement":
            [
                "name": .string(observed.unitName), "symbol": .string(observed.symbol),
                "definition": .string(observed.unitDefinition),
            ]
        default: nil
        }
    }

    private func sensor(_ property: String) -> JSON? {
        switch property {
        case "name": .string("\(named): \(isByHand ? "by hand" : "probes")")
        case "description":
            .string(isByHand ? "Kits and meters of the people who care for it" : "The probes of a device")
        case "encodingType": "text/html"
        case "metadata": .string(escaped(isByHand ? "Measured by hand at \(named)" : "Measured by \(hardwareID ?? "")"))
        default: nil
        }
    }

    private func observedProperty(_ property: String) -> JSON? {
        guard let observed else { return nil }
        return switch property {
        case "name": .string(observed.name)
        case "definition": .string(observed.definition)
        case "description": .string(observed.description)
        default: nil
        }
    }

    private func observation(_ property: String) -> JSON? {
        switch property {
        case "phenomenonTime", "resultTime": time.map { .string($0.iso8601) }
        case "result": result.map(JSON.number)
        default: nil
        }
    }
}
