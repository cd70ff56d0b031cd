import Instants
import Store
import WaterQuality

struct HistoryReport: Report {
    struct Series: Encodable {
        struct Point: Encodable {
            var time: String
            var minimum: Double
            var maximum: Double
            var mean: Double
            var count: Int64
            fileprivate var at: Timestamp
            /// The values with their unit.
            fileprivate var texts: (minimum: String, mean: String, maximum: String)

            private enum CodingKeys: CodingKey { case time, minimum, maximum, mean, count }

            init(_ point: History.Point, _ parameter: Parameter, in unit: Unit) {
                func text(_ value: Float) -> String { parameter.text(value, in: unit, .en) }
                at = point.time
                time = point.time.iso8601
                minimum = unit.fromCanonical(Double(point.minimum))
                maximum = unit.fromCanonical(Double(point.maximum))
                mean = unit.fromCanonical(point.mean)
                count = point.count
                texts = (text(point.minimum), text(Float(point.mean)), text(point.maximum))
            }
        }

        var parameter: String
        var unit: String
        var points: [Point]

        init(_ parameter: Parameter, in unit: Unit, _ history: History) {
            self.parameter = parameter.name
            self.unit = unit.rawValue
            points = history.points.map { Point($0, parameter, in: unit) }
        }
    }

    var deviceId: String
    var since: String
    /// `message`, `hour` or `day`.
    var resolution: String
    var series: [Series]
    /// Whether one parameter was asked for.
    private var isSingle: Bool

    private enum CodingKeys: CodingKey { case deviceId, since, resolution, series }

    init(_ device: Device.HardwareID, since: Timestamp, _ series: [Series], resolution: HistoryResolution) {
        deviceId = device.text
        self.since = since.iso8601
        self.resolution = resolution.rawValue
        isSingle = series.count == 1
        self.series = series.filter { !$0.points.isEmpty }
    }

    var text: String {
        guard !series.isEmpty else { return "\(deviceId) has measured nothing since \(since)." }
        return isSingle ? detail(series[0]) : overview
    }

    private func detail(_ series: Series) -> String {
        var table = TextTable([resolution.uppercased(), "MINIMUM", "MEAN", "MAXIMUM", "VALUES"])
        for point in series.points {
            table.add([point.time, point.texts.minimum, point.texts.mean, point.texts.maximum, "\(point.count)"])
        }
        return table.text
    }

    private var overview: String {
        var rows: [Timestamp: [String]] = [:]
        for (column, one) in series.enumerated() {
            for point in one.points {
                rows[point.at, default: Array(repeating: "-", count: series.count)][column] = point.texts.mean
            }
        }
        var table = TextTable([resolution.uppercased()] + series.map { $0.parameter.uppercased() })
        for (time, cells) in rows.sorted(by: { $0.key < $1.key }) { table.add([time.iso8601] + cells) }
        return table.text
    }
}
