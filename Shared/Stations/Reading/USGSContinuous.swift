import Instants
import Routes

/// Values of the Geological Survey's present service: its collection `continuous`, by OGC API Features
/// (https://api.waterdata.usgs.gov/ogcapi/v1/).
enum USGSContinuous {
    /// A day of twelve series that measure every five minutes, and some more.
    static let mostValues = 5_000
    private static let collections = "/ogcapi/v1/collections"

    static func url(_ origin: String, _ number: String, _ window: StationWindow) -> String {
        let end = window.to?.iso8601 ?? ".."
        return "\(origin)\(collections)/continuous/items?f=json&skipGeometry=true&limit=\(mostValues)"
            + "&monitoring_location_id=USGS-\(number)&parameter_code=\(SurveyCodes.list)&time=\(window.from.iso8601)/\(end)"
    }

    static func titleURL(_ origin: String, _ number: String) -> String {
        "\(origin)\(collections)/monitoring-locations/items/USGS-\(number)?f=json&skipGeometry=true"
    }

    static func readTitle(_ body: [UInt8]) -> String? {
        (try? JSON(reading: body))?["properties"]?["monitoring_location_name"]?.string
    }

    static func read(
        _ body: [UInt8], _ number: String, _ choice: StationChoice
    ) throws(StationFault) -> StationAnswer {
        guard let json = try? JSON(reading: body), json["type"]?.string == "FeatureCollection",
            let features = json["features"]?.array
        else { throw .unreadable }
        var codes: [String: String] = [:]
        var numbers: [String: [(time: Timestamp, number: Double)]] = [:]
        var skipped = 0
        for feature in features {
            guard let properties = feature["properties"],
                properties["monitoring_location_id"]?.string == "USGS-\(number)",
                let id = properties["time_series_id"]?.string, let code = properties["parameter_code"]?.string,
                let time = properties["time"]?.string.flatMap({ Timestamp($0) })
            else { throw .unreadable }
            codes[id] = code
            let value = properties["value"]
            guard let found = value?.string.flatMap(SurveyCodes.number) ?? value?.number else {
                skipped += 1
                continue
            }
            numbers[id, default: []].append((time, found))
        }
        // Features come in no order, so that a part of them is good for nothing.
        guard features.count < mostValues else { throw .tooLarge }
        return StationAnswer(title: nil, SurveyCodes.ordered(codes), numbers, choice, skipped: skipped)
    }
}
