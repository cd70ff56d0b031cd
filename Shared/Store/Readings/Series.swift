package import Instants
package import WaterQuality

/// One parameter's values of a device in a period, in at most the wanted number of points, with their statistics.
///
/// A point keeps its least and greatest value, so that no spike vanishes. A stretch without values has no points: a
/// line across a gap would claim values that nobody measured.
package struct Series: Equatable, Sendable {
    /// The values of a stretch of time.
    package struct Point: Equatable, Sendable {
        /// The beginning of the stretch, or the message's time if the point is one message.
        package var time: Timestamp
        /// The number of values that make the figures; zero for those of work.
        package var count: Int64
        /// The values' total in the parameter's canonical unit, like all values here.
        var total: Weighed
        package var least: Extreme
        package var greatest: Extreme
        /// The worst of QARTOD's flags for the values.
        package var quality = QualityFlag.notEvaluated
        /// The number of flagged values, and the finding of the worst.
        var flagged = FlaggedValues.notEvaluated
        /// Whether nothing was measured between the previous point and this one: no line crosses that gap.
        package var isAfterGap = false
        /// The number of values of work on the water, which are in none of the figures; of a point that has no others, they make them.
        package var worked: Int64 = 0
        /// Whether it has no others.
        package var isWorked: Bool { worked > 0 && count == 0 }

        package var finding: QualityTest? { flagged.finding }
        package var flaggedCount: Int64 { Int64(flagged.count) }
        package var mean: Double { total.mean ?? 0 }
    }

    /// The least or greatest value of a stretch, and when it was first measured; for roll-ups, the beginning of the
    /// hour or day.
    package struct Extreme: Equatable, Sendable {
        package var value: Float
        package var time: Timestamp
    }

    /// The statistics of the whole period.
    package struct Statistics: Equatable, Sendable {
        package var count: Int64 = 0
        var total = Weighed()
        package var least: Extreme?
        package var greatest: Extreme?
        /// The time for which the value was out of the person's range, by the limits in force at each time
        /// (`TimeOutside`).
        package var outOfRange: Duration = .zero
        /// The hours and days that were partly out of range, without a stored time outside.
        package var undecided: Duration = .zero
        /// The messages of work on the water, which are in none of the figures.
        package var worked: Int64 = 0

        package var mean: Double? { total.mean }
    }

    /// The source of the points, which bounds the precision of the extremes' times.
    package var resolution: HistoryResolution
    /// The time that one point covers; zero if each message is a point.
    package var step: Duration
    /// The longest time after the last point or message that is no gap; a later value comes after a gap.
    package var longestGap: Duration
    /// The points, oldest first.
    package var points: [Point]
    package var statistics: Statistics
}

extension Series {
    /// The series with all times shifted.
    func moved(by lag: Duration) -> Series {
        guard lag != .zero else { return self }
        var moved = self
        for index in points.indices {
            moved.points[index].time = points[index].time + lag
            moved.points[index].least.time = points[index].least.time + lag
            moved.points[index].greatest.time = points[index].greatest.time + lag
        }
        moved.statistics.least?.time = statistics.least.map { $0.time + lag } ?? .distantPast
        moved.statistics.greatest?.time = statistics.greatest.map { $0.time + lag } ?? .distantPast
        return moved
    }
}

/// A mean weighted by the time for which values hold: a device that sends more often in trouble does not shift the
/// mean, and a gap weighs nothing. A roll-up, whose values count alike, has its whole duration as its weight.
struct Weighed: Equatable, Sendable {
    private var sum = 0.0
    private var weight = 0.0
    /// The sum of values that held for no time at all, such as the one of this instant.
    private var plain = 0.0
    private var count: Int64 = 0

    init() {}

    init(_ row: SeriesRow) {
        (plain, count) = (row.sum, row.count)
        weight = Double(row.held)
        sum = row.sum / Double(row.count) * weight
    }

    mutating func add(_ other: Weighed) {
        sum += other.sum
        weight += other.weight
        plain += other.plain
        count += other.count
    }

    var mean: Double? { count == 0 ? nil : weight > 0 ? sum / weight : plain / Double(count) }
}

/// One value, or a roll-up of values, from which a series is made.
struct SeriesRow: Equatable, Sendable {
    /// The time of the message, or the beginning of the hour or day.
    var time: Timestamp
    /// The time that a roll-up covers; zero for a message.
    var span: Duration
    var least: Float
    var greatest: Float
    var sum: Double
    var count: Int64
    /// The worst of QARTOD's flags, and what is flagged.
    var quality = QualityFlag.notEvaluated
    var flagged: FlaggedValues?
    /// The microseconds for which it holds.
    var held: Int64 = 0
    var isAfterGap = false
    /// Whether it is a message of work on the water.
    var isWorked = false
    /// Messages of work in a roll-up.
    var worked: Int64 = 0

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
