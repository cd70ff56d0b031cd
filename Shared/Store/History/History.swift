package import Instants

/// The resolution of a history.
package enum HistoryResolution: String, CaseIterable, Sendable {
    /// A point for every message.
    case message
    /// A point for every hour or day, in UTC.
    case hour, day

    /// The time that one point covers; for messages, the usual time between two.
    var step: Duration {
        switch self {
        case .message: .seconds(30)
        case .hour: RollUpSchedule.hour
        case .day: RollUpSchedule.day
        }
    }

    /// The finest resolution that shows a period in about the wanted number of points and is still stored at the
    /// period's beginning.
    static func finest(for period: Range<Timestamp>, points: Int, kept: KeptHistory) -> HistoryResolution {
        let span = period.upperBound - period.lowerBound
        return allCases.first { resolution in
            span / max(points, 1) <= resolution.step && kept.begins(resolution) <= period.lowerBound
        } ?? .day
    }
}

/// The stored history of a slot: the beginning of each resolution, and the end of its roll-ups.
package struct KeptHistory: Sendable {
    /// The beginning of the oldest day of messages, and of the oldest month of hours, still stored.
    package var messagesSince: Timestamp
    var hoursSince: Timestamp
    var rolledUpUntil: Timestamp
    /// The first day whose roll-ups were put to QARTOD's tests.
    var judgedSince: Timestamp
    /// The first day whose time outside is stored with its roll-ups.
    var outsideSince: Timestamp
    /// Hours before `rolledUpUntil` whose late samples are not rolled up yet, ascending.
    var due: [Timestamp]

    func begins(_ resolution: HistoryResolution) -> Timestamp {
        switch resolution {
        case .message: messagesSince
        // Before the first roll-up only messages exist, and hours are computed from them.
        case .hour: min(hoursSince, messagesSince)
        case .day: .distantPast
        }
    }
}

/// The values of one parameter of one device in a period.
package struct History: Equatable, Sendable {
    package struct Point: Equatable, Sendable {
        /// The time of the message, or the beginning of the hour or day.
        package var time: Timestamp
        /// The minimum in the parameter's canonical unit, like all values here.
        package var minimum: Float
        package var maximum: Float
        var sum: Double
        /// The number of values in the point.
        package var count: Int64

        package var mean: Double { sum / Double(count) }

        /// Combines two parts of one hour or day.
        static func + (left: Point, right: Point) -> Point {
            Point(
                time: left.time, minimum: min(left.minimum, right.minimum), maximum: max(left.maximum, right.maximum),
                sum: left.sum + right.sum, count: left.count + right.count)
        }
    }

    package var resolution: HistoryResolution
    /// The points, oldest first.
    package var points: [Point]
}
