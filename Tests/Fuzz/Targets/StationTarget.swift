import Instants
import Routes
import WaterQuality

@testable import Stations

extension FuzzTarget {
    /// What others' public stations answer, and what people name them by.
    static let station = FuzzTarget(
        "station",
        seeds: [
            #"{"type":"FeatureCollection","features":[{"properties":{"time_series_id":"a","monitoring_location_id":"USGS-01646500","parameter_code":"00010","time":"2026-11-30T11:00:00+00:00","value":"12.3"}}]}"#,
            #"{"value":{"timeSeries":[{"sourceInfo":{"siteName":"n","siteCode":[{"value":"01646500"}]},"variable":{"variableCode":[{"value":"00400"}],"noDataValue":-999999.0},"values":[{"value":[{"value":"7.9","dateTime":"2026-11-30T06:15:00.000-05:00"}],"method":[{"methodID":1}]}]}]}}"#,
            #"{"value":[{"@iot.id":1,"name":"t","unitOfMeasurement":{"symbol":"°C"},"ObservedProperty":{"name":"water temperature"},"Observations":[{"phenomenonTime":"2026-11-30T11:00:00Z","result":12.5}],"Observations@iot.nextLink":"n"}]}"#,
            "https://sta.example/v1.1/Things(12)", "https://waterdata.usgs.gov/monitoring-location/USGS-01646500/",
        ],
        words: [
            "-999999", "1e999", "\u{202e}", "00301", "99133", "\"result\":null", "/2026-11-30T12:00:00Z", "Things('a')",
            "?$expand=",
        ]
    ) { input in
        let text = String(decoding: input, as: UTF8.self)
        for kind in StationKind.allCases {
            guard let station = Station(kind, text) else { continue }
            try promise(Station(kind, station.address) == station, "\(text) is another station once it is stored")
            try promise(station.page.hasPrefix("https://"), "\(station.page) is an open line")
        }
        let thing = Station(.sensorThings, "https://sta.example/v1.1/Things(12)")
        let hosts: [StationHosts] = [
            StationHosts([StationHosts.usgs]), StationHosts([StationHosts.formerUSGS]), StationHosts(["sta.example"]),
        ]
        let window = StationWindow(seenUntil: nil, newest: [], now: Timestamp(unixSeconds: Int64(1_800_000_000)))
        for (station, allowed) in zip([.usgs("01646500"), .usgs("01646500"), thing], hosts) {
            guard let station, let question = StationQuestion(station, window, StationChoice(), allowed: allowed),
                let answer = try? question.read(input)
            else { continue }
            try promise(answer.series.count <= StationSeries.most, "\(answer.series.count) series")
            try promise(
                StationSeries.list(.array(answer.series.map(\.json))) == answer.series, "series change by being stored")
            try promise(
                zip(answer.values, answer.values.dropFirst()).allSatisfy { $0.time <= $1.time }, "values in no order")
            let shown = answer.series.compactMap(\.parameter)
            try promise(Set(shown).count == shown.count, "two series are one parameter")
            try promise(
                answer.values.allSatisfy { $0.value.isFinite && shown.contains($0.parameter) }, "a value of nothing")
            for series in answer.series {
                try promisePresentable(series.name, longest: 4 * StationSeries.longestText + 3)
            }
        }
    }
}
