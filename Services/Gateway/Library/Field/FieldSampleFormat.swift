import Instants
import Routes
import WaterQuality

/// The formats of a sample's parts, in requests and as they are stored.
enum FieldSampleFormat {
    static let protocolID = Format<String>.reading(
        "protocol id", example: "river-quick", count: 1...40, pattern: "^[a-z][a-z0-9-]*$"
    ) { text throws(Fault) in
        guard let first = text.utf8.first, (0x61...0x7A).contains(first),
            text.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D })
        else { throw .pattern }
        return text
    }

    static let version = Format<Int>.integer(1...100)

    static let zone = Format<String>.reading(
        "time zone", example: "Europe/Berlin", count: 1...64, pattern: "^[A-Za-z0-9_+/-]+$"
    ) { text throws(Fault) in
        guard
            text.utf8.allSatisfy({
                (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || "_+/-".utf8.contains($0)
            })
        else { throw .pattern }
        return text
    }

    /// A number with nine decimals at most, so that no number is longer as it is stored than it came.
    static func number(_ range: ClosedRange<Double>) -> Format<Double> {
        Format<Double>.decimal(range).map { number throws(Fault) in
            abs(number) < 1e6 ? (number * 1e9).rounded() / 1e9 : number
        }
    }

    static let utcOffset = Format<Int>.integer(-900...900).example(120)
    static let surveyors = Format<[String]>.list(
        of: .visibleText(1...64, example: "Ana"), count: 0...FieldSample.mostSurveyors)
    static let words = Format<String>.text(1...2000).example("Below the bridge.")
    static let values = Format<[FieldValue]>.list(of: .fieldValue, count: 0...FieldSample.mostValues)
}

extension Format where Value == FieldValue {
    static let fieldValue = object(
        [field, station, depth, number, below, above, choice, count, text, flag, notMeasured], required: ["field"],
        keywords: [.init("minProperties", 2)], example: ["field": "temperature", "number": 12.5], or: .notSampleValue
    ) { members throws(Fault) in
        guard let field = try members[field] else { return nil }
        var found: [FieldValue.Content] = []
        if let number = try members[number] ?? nil { found.append(.number(number)) }
        if let below = try members[below] ?? nil { found.append(.below(below)) }
        if let above = try members[above] ?? nil { found.append(.above(above)) }
        if let choice = try members[choice] ?? nil { found.append(.choice(choice)) }
        if let count = try members[count] ?? nil { found.append(.count(count)) }
        if let text = try members[text] ?? nil { found.append(.text(text)) }
        if let flag = try members[flag] ?? nil { found.append(.flag(flag)) }
        if let reason = try members[notMeasured] ?? nil { found.append(.notMeasured(reason)) }
        guard found.count == 1 else { return nil }
        return FieldValue(
            field, station: try members[station] ?? nil, depth: try members[depth] ?? nil, found[0])
    }

    private static let field = ObjectMember("field", Format<String>.text(1...40).example("temperature"))
    private static let station = ObjectMember(
        "station", Format<String>.visibleText(1...16, example: "2").example(.null).nullable)
    private static let depth = ObjectMember("depth", FieldSampleFormat.number(0...12_000).example(.null).nullable)
    private static let number = ObjectMember("number", FieldSampleFormat.number(-1e9...1e9).example(12.5).nullable)
    private static let below = ObjectMember("below", FieldSampleFormat.number(0...1e9).nullable)
    private static let above = ObjectMember("above", FieldSampleFormat.number(0...1e9).nullable)
    private static let choice = ObjectMember("choice", Format<String>.text(1...40).nullable)
    private static let count = ObjectMember(
        "count", Format<[FieldValue.Counted]>.list(of: .counted, count: 0...100).nullable)
    private static let text = ObjectMember("text", Format<String>.text(1...500).nullable)
    private static let flag = ObjectMember("flag", Format<Bool>.boolean.nullable)
    private static let notMeasured = ObjectMember("notMeasured", Format<String>.text(1...100).nullable)
}

extension Format where Value == FieldValue.Counted {
    fileprivate static let counted = object(
        [species, count], required: ["species", "count"], example: ["species": "mayflies", "count": 12],
        or: .notSampleValue
    ) { members throws(Fault) in
        guard let species = try members[species], let count = try members[count] else { return nil }
        return FieldValue.Counted(species, count)
    }

    private static let species = ObjectMember("species", Format<String>.text(1...40).example("mayflies"))
    private static let count = ObjectMember("count", Format<Int>.integer(0...1_000_000).example(12))
}

extension Format where Value == FieldWeather {
    static let fieldWeather = object(
        [now, before, airTemperature, wind, cloud, rain],
        example: ["now": "clouded", "before": "showers", "airTemperature": 18, "wind": 2, "cloud": 60, "rain": 3],
        or: .notPartOfSample
    ) { members throws(Fault) in
        FieldWeather(
            now: try members[now] ?? nil, before: try members[before] ?? nil,
            airTemperature: try members[airTemperature] ?? nil, wind: try members[wind] ?? nil,
            cloud: try members[cloud] ?? nil, rain: try members[rain] ?? nil)
    }

    private static let now = ObjectMember("now", Format<FieldWeather.Sky>.choice(FieldWeather.Sky.self).nullable)
    private static let before = ObjectMember("before", Format<FieldWeather.Sky>.choice(FieldWeather.Sky.self).nullable)
    private static let airTemperature = ObjectMember(
        "airTemperature", FieldSampleFormat.number(-90...70).example(18).nullable)
    private static let wind = ObjectMember("wind", Format<Int>.integer(0...12).example(2).nullable)
    private static let cloud = ObjectMember("cloud", Format<Int>.integer(0...100).example(60).nullable)
    private static let rain = ObjectMember("rain", FieldSampleFormat.number(0...2000).example(3).nullable)
}

extension Format where Value == FieldPlace {
    static let fieldPlace = object(
        [latitude, longitude, accuracy, altitude, source], required: ["latitude", "longitude", "source"],
        example: ["latitude": 52.5, "longitude": 13.4, "accuracy": 5, "altitude": 34, "source": "gps"],
        or: .notPartOfSample
    ) { members throws(Fault) in
        guard let latitude = try members[latitude], let longitude = try members[longitude],
            let source = try members[source]
        else { return nil }
        return FieldPlace(
            latitude: latitude, longitude: longitude, accuracy: try members[accuracy] ?? nil,
            altitude: try members[altitude] ?? nil, source: source)
    }

    private static let latitude = ObjectMember("latitude", FieldSampleFormat.number(-90...90).example(52.5))
    private static let longitude = ObjectMember("longitude", FieldSampleFormat.number(-180...180).example(13.4))
    private static let accuracy = ObjectMember("accuracy", FieldSampleFormat.number(0...100_000).example(5).nullable)
    private static let altitude = ObjectMember("altitude", FieldSampleFormat.number(-500...10_000).example(34).nullable)
    private static let source = ObjectMember("source", Format<FieldPlace.Source>.choice(FieldPlace.Source.self))
}

extension Format where Value == FieldTrack {
    /// Segments of points: seconds since the sample was begun, latitude, longitude, and the accuracy in metres or null.
    static let fieldTrack = Format(
        schema: Schema(
            [
                "type": "array", "maxItems": .integer(Int64(FieldTrack.mostSegments)),
                "items": [
                    "type": "array", "minItems": 1, "maxItems": .integer(Int64(FieldTrack.mostPoints)),
                    "items": [
                        "type": "array", "minItems": 4, "maxItems": 4, "items": ["type": ["number", "null"]],
                    ],
                ],
            ], example: [[[0, 52.5, 13.4, 5]]]),
        readText: { _ throws(Fault) in throw .notTrack },
        readJSON: { json throws(Fault) in
            guard case .array(let segments) = json, segments.count <= FieldTrack.mostSegments else { throw .notTrack }
            var track = FieldTrack()
            for (place, segment) in segments.enumerated() {
                guard case .array(let points) = segment, !points.isEmpty,
                    track.count + points.count <= FieldTrack.mostPoints
                else { throw Fault.notTrack.inside("\(place)") }
                var read: [FieldTrack.Point] = []
                for (index, point) in points.enumerated() {
                    guard let point = FieldTrack.Point(point) else {
                        throw Fault.notTrack.inside("\(index)").inside("\(place)")
                    }
                    read.append(point)
                }
                track.segments.append(read)
            }
            guard track.ascends else { throw .notTrack }
            return track
        })
}

extension FieldTrack.Point {
    fileprivate init?(_ json: JSON) {
        guard case .array(let parts) = json, parts.count == 4,
            let seconds = parts[0].integer.flatMap({ Int32(exactly: $0) }),
            let latitude = parts[1].number, let longitude = parts[2].number,
            parts[3] == .null || parts[3].number != nil,
            let position = try? Position(latitude: latitude, longitude: longitude, accuracy: parts[3].number)
        else { return nil }
        self.init(seconds: seconds, position: position)
    }

    fileprivate var json: JSON {
        let degrees = position.degrees
        return [
            .integer(Int64(seconds)), .number(degrees.latitude), .number(degrees.longitude),
            position.accuracy.map { JSON.integer(Int64($0)) } ?? .null,
        ]
    }
}

extension FieldTrack {
    var json: JSON { .array(segments.map { .array($0.map(\.json)) }) }
}

extension Fault {
    static let notSampleValue = Fault("not-a-sample-value")
    static let notPartOfSample = Fault("not-a-part-of-a-sample")
    fileprivate static let notTrack = Fault("not-a-track")
}
