import Instants
import Store
import WaterQuality

/// A device's positions as GeoJSON (RFC 7946): a feature for each, with the readings of the message that said it. Units
/// of properties are members of the collection.
struct TrackFeatures: Sendable {
    static let mediaType = "application/geo+json"

    private let scales: [(parameter: Parameter, scale: UnitScale)]
    private let lag: Duration
    private var separator = "\n"

    /// - Parameters:
    ///   - units: The person's; canonical ones where they chose none.
    ///   - lag: How far the device's clock is behind.
    init(units: [FindUnits.Row], lag: Duration) {
        scales = Parameter.allCases.map { parameter in
            (parameter, parameter.scale(chosen: units.first { $0.parameter == parameter }?.unit))
        }
        self.lag = lag
    }

    var begin: [UInt8] {
        let units = scales.map { "\"\($0.parameter.name)\":\"\($0.scale.unit.rawValue)\"" }.joined(separator: ",")
        return Array("{\"type\":\"FeatureCollection\",\"units\":{\(units)},\"features\":[".utf8)
    }

    var end: [UInt8] { Array("\n]}\n".utf8) }

    /// Longitude comes before latitude.
    mutating func features(_ rows: [ListTrackReadings.Row]) -> [UInt8] {
        var text = ""
        text.reserveCapacity(rows.count * 200)
        for row in rows {
            let (latitude, longitude) = row.point.position.degrees
            text += separator
            text +=
                "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[\(longitude),\(latitude)]},"
            text += "\"properties\":{\"time\":\"\((row.point.time + lag).iso8601)\""
            if let accuracy = row.point.position.accuracy { text += ",\"accuracy\":\(accuracy)" }
            for (parameter, scale) in scales {
                // No value where the unit's formula does not hold.
                guard let stored = row.readings[parameter], let value = scale.fromCanonical(Double(stored)) else {
                    continue
                }
                text += ",\"\(parameter.name)\":\(value.shown)"
            }
            text += "}}"
            separator = ",\n"
        }
        return Array(text.utf8)
    }
}
