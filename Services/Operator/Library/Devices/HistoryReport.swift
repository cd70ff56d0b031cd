import Instants
import Store
import WaterQuality
import Words

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

            init(_ point: History.Point, _ parameter: Parameter, in scale: UnitScale) {
                func text(_ value: Float) -> String { parameter.text(value, in: scale.unit, .en) }
                func number(_ value: Double) -> Double { scale.fromCanonical(value) ?? .nan }
                at = point.time
                time = point.time.iso8601
                minimum = number(Double(point.minimum))
                maximum = number(Double(point.maximum))
                mean = number(point.mean)
                count = point.count
                texts = (text(point.minimum), text(Float(point.mean)), text(point.maximum))
            }
        }

        var parameter: String
        var unit: String
        var points: [Point]

        init(_ parameter: Parameter, in unit: Unit, _ history: History) {
            self.parameter = parameter.name
            // Falls back to the canonical unit if the chosen one cannot express some value.
            let scales = history.points.map {
                parameter.scale(chosen: unit, telling: Double($0.minimum), $0.mean, Double($0.maximum))
            }
            let scale = scales.first { $0.unit != unit } ?? parameter.scale(chosen: unit)
            self.unit = scale.unit.rawValue
            points = history.points.map { Point($0, parameter, in: scale) }
        }
    }

    var deviceId: String
    var since: String
    /// `message`, `hour` or `day`; or the length of a step in which these were combined, such as `6 hours`.
    var resolution: String
    var series: [Series]
    /// Whether one parameter was asked for.
    private var isSingle: Bool

    private enum CodingKeys: CodingKey { case deviceId, since, resolution, series }

    init(
        _ device: Device.HardwareID, since: Timestamp, _ series: [Series], resolution: HistoryResolution,
        _ step: Duration?
    ) {
        deviceId = device.text
        self.since = since.iso8601
        self.resolution = step.map(Self.length) ?? resolution.rawValue
        isSingle = series.count == 1
        self.series = series.filter { !$0.points.isEmpty }
    }

    private static func length(_ step: Duration) -> String {
        let minutes = Int(step.asSeconds / 60)
        let (count, unit) =
            minutes % 1_440 == 0
            ? (minutes / 1_440, "day") : minutes % 60 == 0 ? (minutes / 60, "hour") : (minutes, "minute")
        return count == 1 ? unit : "\(count) \(unit)s"
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
