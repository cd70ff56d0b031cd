package import Instants

/// Puts the values of one parameter of one device in a day (UTC) to QARTOD's tests, with those before and after as far as they bear on
/// the day. So what is found depends on the values alone, and not on when they came or how often they are looked at.
package struct DayReview: Sendable {
    /// How far the tests see on either side: the longest that a run has to last, and the longest pause in it.
    package static let reach = Duration.seconds(14 * 3_600)
    package static let day = Duration.seconds(24 * 3_600)
    private static let hour: Int64 = 3_600_000_000

    /// The time whose values bear on a day.
    package static func window(of day: Timestamp) -> Range<Timestamp> { day - reach..<day + self.day + reach }

    private let day: Timestamp
    private let thresholds: QualityThresholds
    private var review: QualityReview
    /// The hour of the day of each value; beyond 23 of those before and after.
    private var hours: [UInt8] = []
    /// What was found of earlier owners' values.
    private var earlier: [Int: FlaggedValues] = [:]

    /// - Parameter day: Its beginning.
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

    /// Notes that the device has changed hands: the next value has nothing before it.
    package mutating func changeOwner() {
        earlier = found
        review = QualityReview(thresholds)
        hours = []
    }

    /// What was found, by the hours of the day in which something was.
    package var found: [Int: FlaggedValues] {
        var found = earlier
        for (hour, flags) in zip(hours, review.flags) where hour < 24 {
            guard let flagged = FlaggedValues(flags) else { continue }
            found[Int(hour), default: .notEvaluated].add(flagged)
        }
        return found
    }
}
