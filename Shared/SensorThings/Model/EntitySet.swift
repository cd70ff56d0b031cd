/// The entity sets of SensorThings 1.1 (OGC 18-088, section 8.2), by their names in addresses.
package enum EntitySet: String, CaseIterable, Sendable {
    case things = "Things"
    case locations = "Locations"
    case historicalLocations = "HistoricalLocations"
    case datastreams = "Datastreams"
    case sensors = "Sensors"
    case observedProperties = "ObservedProperties"
    case observations = "Observations"
    case featuresOfInterest = "FeaturesOfInterest"

    /// The links of an entity, in the order of answers.
    package var links: [EntityLink] {
        switch self {
        case .things: [.many(.locations), .many(.historicalLocations), .many(.datastreams)]
        case .locations: [.many(.things), .many(.historicalLocations)]
        case .historicalLocations: [.one(.things), .many(.locations)]
        case .datastreams: [.one(.things), .one(.sensors), .one(.observedProperties), .many(.observations)]
        case .sensors, .observedProperties: [.many(.datastreams)]
        case .observations: [.one(.datastreams), .one(.featuresOfInterest)]
        case .featuresOfInterest: [.many(.observations)]
        }
    }

    package func link(_ name: String) -> EntityLink? { links.first { $0.name == name } }

    /// The members of an entity's answer, without its control information and its links.
    package var properties: [String] {
        switch self {
        case .things: ["name", "description", "properties"]
        case .locations: ["name", "description", "encodingType", "location"]
        case .historicalLocations: ["time"]
        case .datastreams: ["name", "description", "observationType", "unitOfMeasurement"]
        case .sensors: ["name", "description", "encodingType", "metadata"]
        case .observedProperties: ["name", "definition", "description"]
        case .observations: ["phenomenonTime", "resultTime", "result"]
        case .featuresOfInterest: ["name", "description", "encodingType", "feature"]
        }
    }

    /// The name of one entity, as links to one have it.
    var singular: String {
        switch self {
        case .things: "Thing"
        case .locations: "Location"
        case .historicalLocations: "HistoricalLocation"
        case .datastreams: "Datastream"
        case .sensors: "Sensor"
        case .observedProperties: "ObservedProperty"
        case .observations: "Observation"
        case .featuresOfInterest: "FeatureOfInterest"
        }
    }
}

/// A link from one entity to another, or to several.
package struct EntityLink: Hashable, Sendable {
    package let target: EntitySet
    package let isMany: Bool

    package var name: String { isMany ? target.rawValue : target.singular }

    static func one(_ target: EntitySet) -> EntityLink { EntityLink(target: target, isMany: false) }
    static func many(_ target: EntitySet) -> EntityLink { EntityLink(target: target, isMany: true) }
}
