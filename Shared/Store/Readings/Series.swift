package import Instants
package import WaterQuality

/// The values of one parameter of one device in a period, in at most the wanted number of points, and what they come
/// to.
///
/// A point keeps the least and the greatest of its values, so that no spike vanishes. A stretch without values has no
/// points: a line through two points that are further apart than `longestGap` would claim what nobody measured.
package struct Series: Equatable, Sendable {
    /// The values of a stretch of time.
    package struct Point: Equatable, Sendable {
        /// The beginning of the stretch, or the time of the message where a point is one message.
        package var time: Timestamp
        /// The number of values.
        package var count: Int64
        /// The sum of the values, in the parameter's canonical unit like the other values.
        var sum: Double
        package var least: Extreme
        package var greatest: Extreme
        /// The worst that QARTOD's tests found of its values.
        package var quality = QualityFlag.notEvaluated
        /// How many are flagged, and what was found of the worst.
        var flagged = FlaggedValues.notEvaluated

        package var finding: QualityTest? { flagged.finding }
        package var flaggedCount: Int64 { Int64(flagged.count) }
        package var mean: Double { sum / Double(count) }
    }

    /// The least or the greatest value of a stretch of time, and when it was measured first. From roll-ups that is the
    /// beginning of its hour or day.
    package struct Extreme: Equatable, Sendable {
        package var value: Float
        package var time: Timestamp
    }

    /// The figures of the whole period.
    package struct Statistics: Equatable, Sendable {
        package var count: Int64 = 0
        var sum = 0.0
        package var least: Extreme?
        package var greatest: Extreme?
        /// How long the value was out of the person's range, by the limits in force at each time. A reading holds until
        /// the next one, for `longestGap` at most.
        package var outOfRange: Duration = .zero
        /// The hours and days that were partly out of range, where only roll-ups are left to tell.
        package var undecided: Duration = .zero

        package var mean: Double? { count > 0 ? sum / Double(count) : nil }
    }

    /// What the points were made of: each time of an extreme is as exact as this.
    package var resolution: HistoryResolution
    /// The time that one point covers; zero where each message is a point.
    package var step: Duration
    /// The longest time between two points, or messages, that is still no gap.
    package var longestGap: Duration
    /// The points, oldest first.
    package var points: [Point]
    package var statistics: Statistics
}

/// A value or a roll-up of values, as a series is made of.
struct SeriesRow: Equatable, Sendable {
    /// The time of the message, or the beginning of the hour or day.
    var time: Timestamp
    /// The time that a roll-up covers; zero for a message.
    var span: Duration
    var least: Float
    var greatest: Float
    var sum: Double
    var count: Int64
    /// The worst that QARTOD's tests found, and what is flagged.
    var quality = QualityFlag.notEvaluated
    var flagged: FlaggedValues?

    init(time: Timestamp, span: Duration, least: Float, greatest: Float, sum: Double, count: Int64) {
        self.time = time
        self.span = span
        self.least = least
        self.greatest = greatest
        self.sum = sum
        self.count = count
    }

    init(time: Timestamp, value: Float) {
        self.init(time: time, span: .zero, least: value, greatest: value, sum: Double(value), count: 1)
    }
}
