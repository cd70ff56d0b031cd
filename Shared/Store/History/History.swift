package import Instants

/// How finely a history is told.
package enum HistoryResolution: String, CaseIterable, Sendable {
    /// Every message.
    case message
    /// Hours and days of UTC.
    case hour, day

    /// What one point stands for; of messages, what is usual between two of them.
    var step: Duration {
        switch self {
        case .message: .seconds(30)
        case .hour: RollUpSchedule.hour
        case .day: RollUpSchedule.day
        }
    }

    /// The finest that tells a stretch of time in about as many points as are wanted, and is still kept where it begins.
    static func finest(for period: Range<Timestamp>, points: Int, kept: KeptHistory) -> HistoryResolution {
        let span = period.upperBound - period.lowerBound
        return allCases.first { resolution in
            span / max(points, 1) <= resolution.step && kept.begins(resolution) <= period.lowerBound
        } ?? .day
    }
}

/// From when on there is how much, and how far it is rolled up: of the slot of one device.
struct KeptHistory: Sendable {
    /// The days of messages, and the months of hours, that are still there begin then.
    var messagesSince: Timestamp
    var hoursSince: Timestamp
    var rolledUpUntil: Timestamp
    /// Hours before that of which something came late, and which are not rolled up again yet; ascending.
    var due: [Timestamp]

    func begins(_ resolution: HistoryResolution) -> Timestamp {
        switch resolution {
        case .message: messagesSince
        // Until the first roll-up is due, the messages are all there is; hours are made of them.
        case .hour: min(hoursSince, messagesSince)
        case .day: .distantPast
        }
    }
}

/// What one parameter of one device was in a stretch of time.
package struct History: Equatable, Sendable {
    package struct Point: Equatable, Sendable {
        /// Of the message; of an hour or a day, when it begins.
        package var time: Timestamp
        /// In the parameter's canonical unit, like the others.
        package var minimum: Float
        package var maximum: Float
        var sum: Double
        /// The values that it is made of.
        package var count: Int64

        package var mean: Double { sum / Double(count) }

        /// Two parts of one hour or day.
        static func + (left: Point, right: Point) -> Point {
            Point(
                time: left.time, minimum: min(left.minimum, right.minimum), maximum: max(left.maximum, right.maximum),
                sum: left.sum + right.sum, count: left.count + right.count)
        }
    }

    package var resolution: HistoryResolution
    /// Oldest first.
    package var points: [Point]
}
