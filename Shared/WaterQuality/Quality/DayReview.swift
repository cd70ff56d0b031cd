package import Instants

/// Puts one parameter's values of a device's day (UTC) to QARTOD's tests, together with the earlier and later values
/// that affect them. So the flags depend on the values alone, not on when they arrived or how often they are tested.
package struct DayReview: Sendable {
    /// The time before and after the day that affects the tests: the longest required run, and the longest pause within
    /// it.
    package static let reach = Duration.seconds(14 * 3_600)
    package static let day = Duration.seconds(24 * 3_600)
    private static let hour: Int64 = 3_600_000_000

    /// The period whose values affect a day.
    package static func window(of day: Timestamp) -> Range<Timestamp> { day - reach..<day + self.day + reach }

    private let day: Timestamp
    private let thresholds: QualityThresholds
    private var review: QualityReview
    /// The hour of the day of each value; above 23 for values before and after the day.
    private var hours: [UInt8] = []
    /// The flags of the values before the last new beginning.
    private var earlier: [Int: FlaggedValues] = [:]

    /// - Parameter day: The beginning of the day.
    package init(of day: Timestamp, _ thresholds: QualityThresholds) {
        self.day = day
        self.thresholds = thresholds
        review = QualityReview(thresholds)
    }

    /// Takes the next value of the window.
    package mutating func add(_ value: Float, at time: Timestamp) {
        review.add(value, at: time)
        let since = time.microseconds - day.microseconds
        hours.append(since < 0 ? .max : UInt8(clamping: since / Self.hour))
    }

    /// Records a change of owner, or the end of work on the water: the next value has no predecessors.
    package mutating func beginAnew() {
        earlier = found
        review = QualityReview(thresholds)
        hours = []
    }

    /// The flags by hour of the day; hours without flagged values are left out.
    package var found: [Int: FlaggedValues] {
        var found = earlier
        for (hour, flags) in zip(hours, review.flags) where hour < 24 {
            guard let flagged = FlaggedValues(flags) else { continue }
            found[Int(hour), default: .notEvaluated].add(flagged)
        }
        return found
    }
}
