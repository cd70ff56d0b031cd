import Instants
import PushTargets
import Routes
import WaterQuality

/// Values of a Thing of a SensorThings service (OGC 15-078r6 and 18-088): all of its Datastreams with their newest Observations by one request.
enum SensorThingsReader {
    /// The most Observations of a Datastream in one answer; where there are more, the rest is asked for soon.
    static let mostValues = 200

    static func url(_ thing: Station.Thing, _ window: StationWindow) -> String {
        let filter =
            "phenomenonTime ge \(window.from.iso8601)"
            + (window.to.map { " and phenomenonTime lt \($0.iso8601)" } ?? "")
        let expand =
            "Thing($select=name),ObservedProperty($select=name,definition),Observations($filter=\(filter);"
            + "$orderby=phenomenonTime \(window.looksBack ? "desc" : "asc");$top=\(mostValues);$select=phenomenonTime,result)"
        let query = "$top=\(StationSeries.most)&$expand=\(expand)"
        return "\(thing.target.url)/Datastreams?" + query.split(separator: " ").joined(separator: "%20")
    }

    static func read(_ body: [UInt8], _ choice: StationChoice) throws(StationFault) -> StationAnswer {
        guard let streams = (try? JSON(reading: body))?["value"]?.array else { throw .unreadable }
        var found: [FoundSeries] = []
        var numbers: [String: [(time: Timestamp, number: Double)]] = [:]
        var skipped = 0
        var until: Timestamp?
        for stream in streams.prefix(StationSeries.most) {
            guard let id = stream["@iot.id"].flatMap(identifier), let name = stream["name"]?.string else {
                throw .unreadable
            }
            let unit = stream["unitOfMeasurement"]
            let units = ["symbol", "name", "definition"].compactMap { unit?[$0]?.string }.filter { !$0.isEmpty }
            guard let series = StationSeries(id: id, name: name, unit: units.first ?? ""),
                !found.contains(where: { $0.series.id == id })
            else { continue }
            let property = stream["ObservedProperty"]
            found.append(
                FoundSeries(
                    series: series,
                    units: units.map { $0.hasPrefix("ucum:") ? String($0.dropFirst(5)) : $0 },
                    certain: certain([property?["name"]?.string, property?["definition"]?.string])))
            var newest: Timestamp?
            for observation in stream["Observations"]?.array ?? [] {
                guard let time = observation["phenomenonTime"]?.string.flatMap(instant) else { throw .unreadable }
                newest = max(newest ?? time, time)
                let result = observation["result"]
                guard let number = result?.number ?? result?.string.flatMap(SurveyCodes.number) else {
                    skipped += 1
                    continue
                }
                numbers[id, default: []].append((time, number))
            }
            if let newest, stream["Observations@iot.nextLink"]?.string != nil { until = min(until ?? newest, newest) }
        }
        return StationAnswer(
            title: streams.first?["Thing"]?["name"]?.string, found, numbers, choice, skipped: skipped, until: until)
    }

    /// An id is a number or a text, and both are written the same here.
    private static func identifier(_ json: JSON) -> String? { json.integer.map(String.init) ?? json.string }

    /// The instant of an observation; of a mean over some time, its end.
    private static func instant(_ text: String) -> Timestamp? {
        text.split(separator: "/", maxSplits: 1).last.flatMap { Timestamp(String($0)) }
    }

    /// Parameters of which a milligram may be the ion's, or its nitrogen's, phosphorus' or silicon's alone: the site's owner knows.
    private static let doubtful: Set<Parameter> = [
        .ammonia, .freeAmmonia, .nitrate, .nitrite, .phosphate, .silicate,
    ]

    /// The parameter of an observed property by its name, or by the last part of its definition. A temperature may be the air's unless its
    /// name says otherwise.
    private static func certain(_ names: [String?]) -> Parameter? {
        for name in names.compactMap({ $0 }) {
            let last = name.split { "/#:".contains($0) }.last.map(String.init) ?? name
            guard let parameter = Parameter(name: last), !doubtful.contains(parameter) else { continue }
            if parameter == .temperature, !name.lowercased().contains("water") { continue }
            return parameter
        }
        return nil
    }
}
