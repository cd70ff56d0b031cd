/// What a parameter came to at one place around two moments: by the roll-ups of its probe, or by values by hand where it has none.
///
/// A side is the median of the means of its hours or days; roll-ups keep no medians of their own. Hours are compared with the same hours of the day, since
/// most water is warmer in the afternoon whatever else changes; days with days.
package struct PlaceChange: Equatable, Sendable {
    package let before: Double
    /// In the canonical unit, like all of it.
    package let after: Double
    /// The largest difference that chance alone makes likely: twice the median absolute deviation by the root of how many parts there are.
    package let noise: Double

    package var difference: Double { after - before }

    /// Medians are rounded to the digits of the parameter's sensor, so that their difference is that of the numbers that are shown.
    /// - Parameters:
    ///   - before: The parts of the first window, by their place in the day: the hour of hours, 0 of days.
    ///   - after: Those of the second.
    ///   - wished: The parts of a window without gaps.
    /// - Returns: `nil` where one of the windows has less than a quarter of its parts, or fewer than two of a window of several.
    package init?(of parameter: Parameter, before: [ChangePart], after: [ChangePart], wished: Int) {
        let (had, has) = (HoursOfDay(before), HoursOfDay(after))
        let shared = (0..<HoursOfDay.count).filter { had.counts[$0] > 0 && has.counts[$0] > 0 }
        let first = before.filter { has.counts[Int($0.hour)] > 0 }.map(\.mean)
        let second = after.filter { had.counts[Int($0.hour)] > 0 }.map(\.mean)
        let least = max(min(wished, 2), (wished + 3) / 4)
        guard first.count >= least, second.count >= least, let from = first.median, let to = second.median else {
            return nil
        }
        let decimals = parameter.facts.decimals
        self.before = DecimalRounding.rounded(from, decimals: decimals)
        self.after = DecimalRounding.rounded(to, decimals: decimals)
        // The changes of the hours of the day lie around the change; days have no fellows, and lie around their medians.
        let deviation =
            shared.count > 1
            ? shared.map { has.mean(at: $0) - had.mean(at: $0) }.deviation
            : max(first.deviation, second.deviation) * 2.0.squareRoot()
        noise = 2 * deviation / Double(min(first.count, second.count)).squareRoot()
    }

    /// Of one value by hand around each moment: nothing is known of chance.
    package init(of parameter: Parameter, before: Float, after: Float) {
        self.before = parameter.canonical(Steps(before, of: parameter))
        self.after = parameter.canonical(Steps(after, of: parameter))
        noise = 0
    }
}

/// The mean of an hour or a day.
package struct ChangePart: Equatable, Sendable {
    /// The hour of the day (UTC) of an hour, 0 to 23; 0 of a day.
    package let hour: Int16
    package let mean: Double

    package init(hour: Int16, mean: Double) {
        self.hour = min(max(hour, 0), 23)
        self.mean = mean
    }
}

/// Means of parts by the hour of the day.
private struct HoursOfDay {
    static let count = 24
    private var sums = [Double](repeating: 0, count: count)
    private(set) var counts = [Int](repeating: 0, count: count)

    init(_ parts: [ChangePart]) {
        for part in parts {
            sums[Int(part.hour)] += part.mean
            counts[Int(part.hour)] += 1
        }
    }

    func mean(at hour: Int) -> Double { sums[hour] / Double(counts[hour]) }
}

extension [Double] {
    /// The middle value, or the mean of the middle two; `nil` of none.
    var median: Double? {
        guard !isEmpty else { return nil }
        let ordered = sorted()
        let middle = count / 2
        return count % 2 == 1 ? ordered[middle] : (ordered[middle - 1] + ordered[middle]) / 2
    }

    /// The median distance from the median; 0 of none.
    var deviation: Double {
        guard let median else { return 0 }
        return map { ($0 - median).magnitude }.median ?? 0
    }
}
