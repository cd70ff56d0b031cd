package import Instants

/// The readings of a parameter of the last two hours, thinned, as far as they tell where its value goes.
///
/// Of each five minutes the first reading counts, so that memory is bounded. Values are running medians of three of these
/// (Tukey's smoother "3", as in `RecentReadings`), which one glitch does not move. The way is the median of the slopes between
/// all pairs of them (Theil and Sen), which a third of wild ones do not bend. The app shows the same by the same bounds
/// (`outlook.js`), from the points of its graph, likewise thinned. The state follows from the readings of the last `reach` alone, so
/// that it can be read again from what is stored.
package struct Trend: Hashable, Sendable {
    /// What is judged by: so long at most, at least so long, and so many values.
    static let memory = Duration.seconds(120 * 60)
    static let least = Duration.seconds(45 * 60)
    static let fewest = 6
    /// After a pause of a fifth of the memory, in which six values would have no place, nothing is known. A way that is known
    /// therefore stays known until there is a pause.
    static let pause = memory / 5
    private static let interval: Int64 = 5 * 60_000_000
    /// The readings that matter are not older than this: the memory, a pause on each side for the readings that make medians,
    /// and the interval, of which the first reading has to be there.
    package static let reach = memory + pause * 2 + .microseconds(interval)

    /// Oldest first, without a pause among them; 27 at most.
    private var readings: [Reading] = []

    package init() {}

    package var count: Int { readings.count }

    /// - Parameter latest: The latest time that an earlier reading can rightly carry (`EventTime.latest`). A later one is void.
    /// - Returns: Whether the reading counts: it is the first of its five minutes, and newer than the others.
    package mutating func add(_ reading: Reading, latest: Timestamp = .distantFuture) -> Bool {
        readings.add(
            reading, latest: latest, oneOfEach: Self.interval, isPause: { $0 >= Self.pause },
            isEnough: { $0 >= Self.memory })
    }

    /// Whether all that it remembers was measured from a time on.
    package func isWhole(since start: Timestamp) -> Bool { readings.first.map { $0.time >= start } ?? true }

    /// The way that the value goes; `nil` where there is too little to tell.
    /// - Parameter start: Readings before it do not count: somebody else's water.
    package func line(since start: Timestamp = .distantPast) -> Line? {
        guard let newest = readings.last, readings.count >= Self.fewest + 2 else { return nil }
        let points = (1..<readings.count - 1).filter { readings[$0 - 1].time >= start }.map {
            (time: readings[$0].time, value: Double(readings.median(at: $0).count))
        }
        guard let first = points.first, let last = points.last, points.count >= Self.fewest,
            last.time - first.time >= Self.least
        else { return nil }
        var slopes: [Double] = []
        slopes.reserveCapacity(points.count * (points.count - 1) / 2)
        for (index, one) in points.enumerated() {
            for other in points[..<index] {
                slopes.append((one.value - other.value) / (one.time - other.time).inSeconds)
            }
        }
        let slope = Self.median(&slopes)
        var values = points.map { $0.value + slope * (newest.time - $0.time).inSeconds }
        return Line(
            slope: slope, agreement: Double(slopes.count { $0 * slope > 0 }) / Double(slopes.count),
            value: Self.median(&values), time: newest.time, span: last.time - first.time,
            newest: newest.value, settled: readings.median(at: readings.count - 2))
    }

    /// A straight way through the values, up to the newest reading.
    package struct Line: Hashable, Sendable {
        /// In steps a second.
        let slope: Double
        /// The share of all pairs of values that go the same way.
        let agreement: Double
        /// Where the line is at the time of the newest reading, in steps.
        let value: Double
        let time: Timestamp
        /// How long the values are that it goes through.
        let span: Duration
        /// The newest reading, and the newest median, which lies one reading behind.
        let newest: Steps
        let settled: Steps
    }

    private static func median(_ values: inout [Double]) -> Double {
        values.sort()
        let middle = values.count / 2
        return values.count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
    }
}
