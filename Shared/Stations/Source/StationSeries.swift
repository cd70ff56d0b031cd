package import Instants
package import Routes
package import WaterQuality

/// One series of a station: a sensor at one depth, for one quantity.
package struct StationSeries: Hashable, Sendable {
    /// The station's own id.
    package var id: String
    /// The station's own name of what is measured.
    package var name: String
    /// The unit as the station writes it.
    package var unit: String
    /// The parameter that it is here; nil where it is not shown.
    package var parameter: Parameter?
    /// The time of the newest value that was taken.
    package var newest: Timestamp?

    /// The most series of a station; further ones are not looked at.
    package static let most = 40
    /// The longest id, in bytes; a series with a longer one is not looked at.
    package static let longestID = 120
    /// The longest text of a station that is kept, in Unicode scalars.
    static let longestText = 80

    /// - Returns: nil for an id that is too long.
    package init?(
        id: String, name: String, unit: String, parameter: Parameter? = nil, newest: Timestamp? = nil
    ) {
        guard (1...Self.longestID).contains(id.utf8.count), ForeignText.shown(id, longest: 200) == id else {
            return nil
        }
        self.id = id
        self.name = ForeignText.shown(name, longest: Self.longestText)
        self.unit = ForeignText.shown(unit, longest: 40)
        self.parameter = parameter
        self.newest = newest
    }
}

extension StationSeries {
    package var json: JSON {
        .object([
            "id": .string(id), "name": .string(name), "unit": .string(unit),
            "parameter": parameter.map { .string($0.name) } ?? .null,
            "newest": newest.map { .string($0.iso8601) } ?? .null,
        ])
    }

    /// Reads what `json` wrote; nil for anything else.
    package init?(_ json: JSON) {
        guard let id = json["id"]?.string, let name = json["name"]?.string, let unit = json["unit"]?.string else {
            return nil
        }
        self.init(
            id: id, name: name, unit: unit, parameter: json["parameter"]?.string.flatMap(Parameter.init(name:)),
            newest: json["newest"]?.string.flatMap { Timestamp($0) })
    }

    package static func list(_ json: JSON) -> [StationSeries] { (json.array ?? []).compactMap(StationSeries.init) }
}
