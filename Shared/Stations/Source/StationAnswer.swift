package import Instants
package import WaterQuality

/// A station's answer, in the catalogue's parameters and units.
package struct StationAnswer: Hashable, Sendable {
    package struct Value: Hashable, Sendable {
        package var time: Timestamp
        package var parameter: Parameter
        /// In the canonical unit.
        package var value: Float
    }

    /// nil where values come without it.
    package var title: String?
    /// With the newest value of each in this answer.
    package var series: [StationSeries]
    /// Of the series that are shown, in order of time.
    package var values: [Value]
    /// Numbers that are none: what the source marks as missing, and what the unit does not have.
    package var skipped = 0
    /// Until when all values are here, where the source has more of the same stretch; nil: all of them are.
    package var until: Timestamp?

    /// The times of each parameter's values.
    package var times: [[Timestamp]] {
        Array(Dictionary(grouping: values, by: \.parameter).values.map { $0.map(\.time) })
    }

    /// The values of one moment, by moment, in order of time; the first value of a parameter counts.
    package var moments: [(time: Timestamp, values: [Parameter: Float])] {
        var moments: [(time: Timestamp, values: [Parameter: Float])] = []
        for value in values {
            if moments.last?.time != value.time { moments.append((value.time, [:])) }
            if moments[moments.count - 1].values[value.parameter] == nil {
                moments[moments.count - 1].values[value.parameter] = value.value
            }
        }
        return moments
    }

    /// - Parameters:
    ///   - found: In the source's order.
    ///   - numbers: Of each series, by its id.
    init(
        title: String?, _ found: [FoundSeries], _ numbers: [String: [(time: Timestamp, number: Double)]],
        _ choice: StationChoice, skipped: Int, until: Timestamp? = nil
    ) {
        let quantities = choice.quantities(of: found)
        self.title = title.map { ForeignText.shown($0, longest: 80) }
        (series, values, self.skipped, self.until) = ([], [], skipped, until)
        for var series in found.map(\.series) {
            if let quantity = quantities[series.id] {
                series.parameter = quantity.parameter
                for (time, number) in numbers[series.id] ?? [] {
                    guard case .value(let value) = quantity.parameter.measured(number, in: quantity.unit) else {
                        self.skipped += 1
                        continue
                    }
                    values.append(Value(time: time, parameter: quantity.parameter, value: value))
                    series.newest = max(series.newest ?? time, time)
                }
            }
            self.series.append(series)
        }
        // A stable order, so that the same answer is always the same messages.
        values.sort { ($0.time, $0.parameter.rawValue) < ($1.time, $1.parameter.rawValue) }
    }

    /// Without values of a time to come, which are forecasts, or of a clock that is ahead.
    package func without(after latest: Timestamp) -> StationAnswer {
        guard values.contains(where: { $0.time > latest }) else { return self }
        var answer = self
        answer.values.removeAll { $0.time > latest }
        answer.skipped += values.count - answer.values.count
        let newest = Dictionary(answer.values.map { ($0.parameter, $0.time) }) { max($0, $1) }
        for index in series.indices where series[index].newest != nil {
            answer.series[index].newest = series[index].parameter.flatMap { newest[$0] }
        }
        return answer
    }
}
