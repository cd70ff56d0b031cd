import Instants
import Routes
import TestSupport
import Testing
import WaterQuality

@testable import Stations

/// The questions to each service, and the meaning of its answers.
@Suite struct ReaderTests {
    private static let from = "2026-11-30T11:00:00Z"

    private func question(
        _ station: Station, _ hosts: StationHosts, _ choice: StationChoice = StationChoice()
    ) throws
        -> StationQuestion
    {
        let time = try #require(Timestamp(Self.from))
        let window = StationWindow(seenUntil: time, newest: [], now: time + .seconds(3_600))
        return try #require(StationQuestion(station, window, choice, allowed: hosts))
    }

    private var survey: StationQuestion {
        get throws { try question(.usgs(Examples.number), StationHosts([StationHosts.usgs])) }
    }

    private var former: StationQuestion {
        get throws { try question(.usgs(Examples.number), StationHosts([StationHosts.formerUSGS])) }
    }

    private func thing(_ choice: StationChoice = StationChoice()) throws -> StationQuestion {
        let station = try #require(Station(.sensorThings, "https://sta.example/v1.1/Things(12)"))
        return try question(station, StationHosts(["sta.example"]), choice)
    }

    private func shown(_ answer: StationAnswer) -> [String] {
        answer.values.map { "\($0.time.iso8601) \($0.parameter.name) \($0.value)" }
    }

    // MARK: The Survey

    @Test func `the Survey is asked for a station's values of known codes since a time`() throws {
        let url = try survey.url
        #expect(url.hasPrefix("https://api.waterdata.usgs.gov/ogcapi/v1/collections/continuous/items?f=json&"))
        #expect(url.contains("&monitoring_location_id=USGS-01646500&parameter_code=00010,"))
        #expect(url.hasSuffix("&time=2026-11-30T11:00:00Z/.."))
        #expect(
            try survey.titleURL
                == "https://api.waterdata.usgs.gov/ogcapi/v1/collections/monitoring-locations/items/USGS-01646500?f=json&skipGeometry=true"
        )
        #expect(
            try former.url.hasPrefix(
                "https://waterservices.usgs.gov/nwis/iv/?format=json&siteStatus=all&sites=01646500&"))
        #expect(try former.titleURL == nil)
    }

    @Test func `the Survey's values are those of the catalogue, by their codes`() throws {
        let body = Examples.collection([
            Examples.feature("a", "00010", "2026-11-30T11:15:00+00:00", "12.4"),
            Examples.feature("a", "00010", "2026-11-30T11:00:00+00:00", "12.3"),
            Examples.feature("b", "00400", "2026-11-30T11:15:00+00:00", "7.9", unit: "std units"),
            Examples.feature("c", "00300", "2026-11-30T11:15:00+00:00", 9.5, unit: "mg/l"),
            Examples.feature("d", "99137", "2026-11-30T11:15:00+00:00", "1.00", unit: "mg/l as N"),
        ])
        let answer = try survey.read(body.bytes)
        #expect(answer.values.map(\.parameter) == [.temperature, .temperature, .ph, .nitrate, .dissolvedOxygen])
        #expect(answer.values.prefix(3).map(\.value) == [12.3, 12.4, 7.9])
        #expect(answer.series.map(\.parameter) == [.temperature, .ph, .dissolvedOxygen, .nitrate])
        #expect(answer.moments.map(\.values.count) == [1, 4])
        let nitrate = try #require(answer.values.first { $0.parameter == .nitrate })
        #expect(abs(nitrate.value - 4.427) < 0.01, "nitrate as nitrogen becomes nitrate")
    }

    @Test(arguments: ["-999999", "Ice", "", "nan", "1e400"])
    func `what stands for a missing value is none`(_ text: String) throws {
        let body = Examples.collection([Examples.feature("a", "00010", "2026-11-30T11:15:00+00:00", .string(text))])
        let answer = try survey.read(body.bytes)
        #expect(answer.values.isEmpty && answer.skipped == 1 && answer.series.count == 1)
    }

    @Test func `a second sensor for the same waits for its owner's word, and so does what is nearly a parameter`()
        throws
    {
        let body = Examples.collection([
            Examples.feature("deep", "00010", "2026-11-30T11:15:00+00:00", "8.0"),
            Examples.feature("high", "00010", "2026-11-30T11:15:00+00:00", "14.0"),
            Examples.feature("sum", "99133", "2026-11-30T11:15:00+00:00", "1.0", unit: "mg/l as N"),
        ]).bytes
        #expect(try survey.read(body).series.map(\.parameter) == [.temperature, nil, nil])
        let choice = StationChoice(["high": .temperature, "sum": .nitrate])
        let chosen = try question(.usgs(Examples.number), StationHosts([StationHosts.usgs]), choice).read(body)
        #expect(chosen.series.map(\.parameter) == [nil, .temperature, .nitrate])
        #expect(chosen.values.first { $0.parameter == .temperature }?.value == 14)
        let hidden = StationChoice(["deep": nil])
        let without = try question(.usgs(Examples.number), StationHosts([StationHosts.usgs]), hidden).read(body)
        #expect(without.series.map(\.parameter) == [nil, .temperature, nil])
    }

    @Test func `an answer about another station, or no answer at all, is refused`() throws {
        let other = Examples.collection([Examples.feature("a", "00010", Self.from, "12", at: "01646501")])
        let bad: [JSON] = [other, ["type": "FeatureCollection"], [], ["type": "Feature", "features": []], "no", 3]
        for body in bad { #expect(throws: StationFault.unreadable, "\(body)") { try survey.read(body.bytes) } }
        #expect(throws: StationFault.unreadable) { try survey.read(Array("<html>".utf8)) }
        #expect(try survey.read(Examples.collection([]).bytes).series.isEmpty, "no value is no fault")
        let many = Array(repeating: Examples.feature("a", "00010", Self.from, "12"), count: USGSContinuous.mostValues)
        #expect(throws: StationFault.tooLarge) { try survey.read(Examples.collection(many).bytes) }
    }

    @Test func `the former service says the same in its own way`() throws {
        let series = [
            Examples.timeSeries(
                "00010", [("2026-11-30T06:15:00.000-05:00", "12.4"), ("2026-11-30T06:30:00.000-05:00", "-999999")]),
            Examples.timeSeries("00010", [("2026-11-30T06:15:00.000-05:00", "8.1")], method: 70_000),
            Examples.timeSeries("00400", [("2026-11-30T06:15:00.000-05:00", "7.9")]),
        ]
        let answer = try former.read(JSON.object(["value": ["timeSeries": .array(series)]]).bytes)
        #expect(shown(answer) == ["2026-11-30T11:15:00Z temperature 12.4", "2026-11-30T11:15:00Z ph 7.9"])
        #expect(answer.title == "POTOMAC RIVER NEAR WASH, DC LITTLE FALLS PUMP STA" && answer.skipped == 1)
        #expect(answer.series.map(\.id) == ["00010:69928", "00010:70000", "00400:69928"])
        #expect(throws: StationFault.unreadable) { try former.read(JSON.object(["value": [:]]).bytes) }
    }

    // MARK: SensorThings

    @Test func `all of a Thing is asked for at once`() throws {
        let url = try thing().url
        #expect(url.hasPrefix("https://sta.example/v1.1/Things(12)/Datastreams?$top=40&$expand=Thing($select=name),"))
        #expect(
            url.contains(
                "Observations($filter=phenomenonTime%20ge%202026-11-30T11:00:00Z;$orderby=phenomenonTime%20asc;$top=200;"
            ))
        #expect(!url.contains(" "))
    }

    @Test func `Datastreams are what their observed properties and units say`() throws {
        let streams = [
            Examples.stream(1, "wt", symbol: "°C", property: "Water temperature", [("2026-11-30T11:00:00.000Z", 12.5)]),
            Examples.stream(
                "ph-1", "pH", symbol: "", property: "pH", [("2026-11-30T11:00:00Z/2026-11-30T11:10:00Z", "7.8")]),
            Examples.stream(3, "air", symbol: "°C", property: "Temperature", [("2026-11-30T11:00:00Z", 3)]),
            Examples.stream(
                4, "F", symbol: "degF", property: "WaterTemp", definition: "", [("2026-11-30T11:00:00Z", 50)]),
            Examples.stream(
                5, "o2", symbol: "mg/L", property: "x", definition: "https://voc.example/dissolved_oxygen",
                [("2026-11-30T11:00:00Z", 9)]),
            Examples.stream(6, "level", symbol: "m", property: "Water level", [("2026-11-30T11:00:00Z", 1.2)]),
        ]
        let answer = try thing().read(JSON.object(["value": .array(streams)]).bytes)
        #expect(answer.title == "Weir at the mill")
        #expect(answer.series.map(\.id) == ["1", "ph-1", "3", "4", "5", "6"])
        #expect(answer.series.map(\.parameter) == [.temperature, .ph, nil, nil, .dissolvedOxygen, nil])
        #expect(
            shown(answer) == [
                "2026-11-30T11:00:00Z temperature 12.5", "2026-11-30T11:00:00Z dissolved_oxygen 9.0",
                "2026-11-30T11:10:00Z ph 7.8",
            ])
        let chosen = try thing(StationChoice(["1": nil, "4": .temperature, "6": .ph])).read(
            JSON.object(["value": .array(streams)]).bytes)
        #expect(chosen.values.first { $0.parameter == .temperature }?.value == 10, "50 °F")
        #expect(chosen.series.last?.parameter == nil, "metres are no unit of pH")
    }

    @Test func `a nutrient without a word of what is weighed is left to the owner`() throws {
        let streams = [
            Examples.stream(1, "no3", symbol: "mg/L", property: "Nitrate", [("2026-11-30T11:00:00Z", 1)])
        ]
        let body = JSON.object(["value": .array(streams)]).bytes
        #expect(try thing().read(body).values.isEmpty)
        #expect(try thing(StationChoice(["1": .nitrate])).read(body).values.map(\.parameter) == [.nitrate])
    }

    @Test func `what has more is taken as far as it goes`() throws {
        let streams = [
            Examples.stream(
                1, "wt", symbol: "°C", property: "water_temp", [("2026-11-30T11:20:00Z", 12.5)], hasMore: true),
            Examples.stream(2, "pH", symbol: "", property: "pH", [("2026-11-30T11:50:00Z", 7.8)]),
        ]
        let answer = try thing().read(JSON.object(["value": .array(streams)]).bytes)
        #expect(answer.until?.iso8601 == "2026-11-30T11:20:00Z")
    }

    @Test func `forecasts are no readings`() throws {
        let streams = [
            Examples.stream(
                1, "wt", symbol: "°C", property: "water_temp",
                [("2026-11-30T11:20:00Z", 12.5), ("2026-12-01T11:20:00Z", 9)])
        ]
        let read = try thing().read(JSON.object(["value": .array(streams)]).bytes)
        let answer = read.without(after: try #require(Timestamp("2026-11-30T11:25:00Z")))
        #expect(shown(answer) == ["2026-11-30T11:20:00Z temperature 12.5"])
        #expect(answer.series[0].newest?.iso8601 == "2026-11-30T11:20:00Z" && answer.skipped == 1)
    }

    @Test func `a Thing with a thousand Datastreams is a Thing with forty`() throws {
        let streams = (0..<1_000).map { Examples.stream(.integer($0), "s\($0)", symbol: "m", property: "Level", []) }
        #expect(try thing().read(JSON.object(["value": .array(streams)]).bytes).series.count == StationSeries.most)
    }

    /// Texts of others are shown on one line and without what turns others around; ids that could not be are left out.
    @Test func `texts of strangers are cut and cleaned`() throws {
        let long = String(repeating: "x", count: 1_000)
        let streams = [
            Examples.stream(1, "a\u{202E}b\n\(long)", symbol: long, property: long, []),
            Examples.stream(.string("i\u{202E}d"), "n", symbol: "", property: "pH", []),
            Examples.stream(.string(long), "n", symbol: "", property: "pH", []),
        ]
        let answer = try thing().read(JSON.object(["value": .array(streams)]).bytes)
        #expect(answer.series.count == 1)
        #expect(answer.series[0].name.unicodeScalars.count <= 81 && answer.series[0].name.hasPrefix("ab "))
        #expect(StationSeries.list(.array(answer.series.map(\.json))) == answer.series, "what is stored is read again")
    }

    @Test func `forty series fit into their row`() throws {
        let text = String(repeating: "ä", count: 80)
        let id = String(repeating: "i", count: StationSeries.longestID)
        let all = try (0..<StationSeries.most).map { number in
            try #require(
                StationSeries(
                    id: id, name: text, unit: text, parameter: .temperature,
                    newest: Timestamp(unixSeconds: Int64(number))))
        }
        #expect(JSON.array(all.map(\.json)).bytes.count < 32_768)
    }
}
