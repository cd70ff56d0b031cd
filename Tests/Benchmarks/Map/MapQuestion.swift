import Instants
import WaterQuality

/// Questions to map and standards.
enum MapQuestion: String, CaseIterable, Encodable, Sendable {
    /// What changed between a day of a week ago and the last one: in a zone with a hundredth of the places, and everywhere.
    case changeInZone, changeEverywhere
    /// The first hundred last values as features, of all places and of a zone.
    case features, featuresInZone
    /// A hundred observations of one parameter of a device: by time and value, newest first, and with what their links lead to.
    case filtered, expanded

    var title: String {
        switch self {
        case .changeInZone: "map of change, a zone"
        case .changeEverywhere: "map of change, all places"
        case .features: "OGC, 100 last values"
        case .featuresInZone: "OGC, 100 last values of a zone"
        case .filtered: "SensorThings, 100 by $filter"
        case .expanded: "SensorThings, 100 with $expand"
        }
    }

    /// - Parameters:
    ///   - number: Chooses zone, parameter and series: another for each request.
    ///   - series: Where Observations of Datastreams are.
    ///   - since: From when on observations are asked for by a filter.
    func path(_ number: Int, series: [String], since: Timestamp) -> String {
        let parameter = Parameter.ofManual[number % Parameter.ofManual.count].name
        let one = series[number % series.count]
        return switch self {
        case .changeInZone: "/api/v1/map/change?parameter=\(parameter)&bbox=\(Self.zone(number))"
        case .changeEverywhere: "/api/v1/map/change?parameter=\(parameter)"
        case .features: "/ogc/v1/collections/observations/items?f=json&limit=100"
        case .featuresInZone: "/ogc/v1/collections/observations/items?f=json&limit=100&bbox=\(Self.zone(number))"
        case .filtered:
            "\(one)?$filter=result%20gt%200%20and%20phenomenonTime%20ge%20\(since.iso8601)&$orderby=phenomenonTime%20desc&$top=100"
        case .expanded: "\(one)?$expand=Datastream,FeatureOfInterest&$top=100"
        }
    }

    /// A box with a tenth of each side of the square in which all places are.
    private static func zone(_ number: Int) -> String {
        let (column, row) = (number % 10, number / 10 % 10)
        let side = MapPeople.side / 10
        let (west, south) = (
            MapPeople.corner.west + side * Double(column), MapPeople.corner.south + side * Double(row)
        )
        return "\(west),\(south),\(west + side),\(south + side)"
    }
}
