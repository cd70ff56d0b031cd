package import Instants
package import WaterQuality

/// The values of one parameter of one device in a period, in at most the wanted number of points, and what they come
/// to.
///
/// A point keeps the least and the greatest of its values, so that no spike vanishes. A stretch without values has no
/// points: a line to a point that comes after a gap would claim what nobody measured.
package struct Series: Equatable, Sendable {
    /// The values of a stretch of time.
    package struct Point: Equatable, Sendable {
        /// The beginning of the stretch, or the time of the message where a point is one message.
        package var time: Timestamp
        /// The number of values.
        package var count: Int64
        /// Its values, in the parameter's canonical unit like the others.
        var total: Weighed
        package var least: Extreme
        package var greatest: Extreme
        /// The worst that QARTOD's tests found of its values.
        package var quality = QualityFlag.notEvaluated
        /// How many are flagged, and what was found of the worst.
        var flagged = FlaggedValues.notEvaluated
        /// Whether nothing was measured between the point before and this one: no line crosses it.
        package var isAfterGap = false

        package var finding: QualityTest? { flagged.finding }
        package var flaggedCount: Int64 { Int64(flagged.count) }
        package var mean: Double { total.mean ?? 0 }
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
        var total = Weighed()
        package var least: Extreme?
        package var greatest: Extreme?
        /// How long the value was out of the person's range, by the limits in force at each time (`TimeOutside`).
        package var outOfRange: Duration = .zero
        /// The hours and days that were partly out of range, of which it was not kept for how long.
        package var undecided: Duration = .zero

        package var mean: Double? { total.mean }
    }

    /// What the points were made of: each time of an extreme is as exact as this.
    package var resolution: HistoryResolution
    /// The time that one point covers; zero where each message is a point.
    package var step: Duration
    /// The longest time after the last point, or message, that is still no gap; what follows later comes after one.
    package var longestGap: Duration
    /// The points, oldest first.
    package var points: [Point]
    package var statistics: Statistics
}

extension Series {
    /// The series with its times moved.
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

/// Values weighed by the time for which they held: a device that sends more often in trouble tells no other mean, and a gap weighs
/// nothing. Of a roll-up, whose values count alike, the whole counts by its time.
struct Weighed: Equatable, Sendable {
    private var sum = 0.0
    private var weight = 0.0
    /// For values that held for no time at all, such as the one of this instant.
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
    /// For how many microseconds it holds.
    var held: Int64 = 0
    var isAfterGap = false

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
