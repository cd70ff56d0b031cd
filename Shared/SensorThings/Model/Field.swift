/// The type of a value in a filter.
package enum ValueType: String, CaseIterable, Sendable {
    case number, text, time, truth, place
}

/// A value that filters and orders may name: the whitelist. A service has an expression for each field of a set, and for nothing else.
package enum Field: String, CaseIterable, Sendable {
    case id
    case name
    case description
    case definition
    case hardwareID
    case kind
    case unitSymbol
    case place
    case time
    case resultTime
    case result
    case thingID, thingName, thingHardwareID
    case datastreamID
    case sensorID
    case propertyID, propertyName
    case featureID

    /// The type of the field in a set: the ids of some sets are texts.
    package func type(in set: EntitySet) -> ValueType {
        switch self {
        case .id: set.hasTextIDs ? .text : .number
        case .name, .description, .definition, .hardwareID, .kind, .unitSymbol, .thingName, .thingHardwareID,
            .propertyName, .datastreamID:
            .text
        case .place: .place
        case .time, .resultTime: .time
        case .result, .thingID, .sensorID, .propertyID, .featureID: .number
        }
    }
}

extension EntitySet {
    /// Whether ids are texts: 64-bit numbers do not survive in JSON beyond 2⁵³, and a device knows its Datastreams by names alone.
    package var hasTextIDs: Bool { [.locations, .historicalLocations, .datastreams, .observations].contains(self) }

    /// The fields of a set by the paths that name them, the canonical path of each first.
    package var fields: [(path: String, field: Field)] {
        let own: [(String, Field)] =
            switch self {
            case .things: [("name", .name), ("properties/hardwareId", .hardwareID), ("properties/kind", .kind)]
            case .locations: [("name", .name), ("location", .place)]
            case .historicalLocations: [("time", .time), ("Thing/id", .thingID), ("Thing/name", .thingName)]
            case .datastreams:
                [
                    ("name", .name), ("unitOfMeasurement/symbol", .unitSymbol), ("Thing/id", .thingID),
                    ("Thing/name", .thingName), ("Thing/properties/hardwareId", .thingHardwareID),
                    ("Sensor/id", .sensorID), ("ObservedProperty/id", .propertyID),
                    ("ObservedProperty/name", .propertyName),
                ]
            case .sensors: [("name", .name)]
            case .observedProperties: [("name", .name), ("definition", .definition), ("description", .description)]
            case .observations:
                [
                    ("phenomenonTime", .time), ("resultTime", .resultTime), ("result", .result),
                    ("Datastream/id", .datastreamID), ("FeatureOfInterest/id", .featureID),
                ]
            case .featuresOfInterest: [("name", .name), ("feature", .place)]
            }
        return [("id", .id)] + own
    }

    /// The field that a path names; `@iot.id` is another way to write `id`.
    func field(_ path: String) -> Field? {
        let path = path == "@iot.id" ? "id" : path.hasSuffix("/@iot.id") ? String(path.dropLast(7)) + "id" : path
        return fields.first { $0.path == path }?.field
    }

    /// The canonical path of a field.
    func path(of field: Field) -> String? { fields.first { $0.field == field }?.path }
}
