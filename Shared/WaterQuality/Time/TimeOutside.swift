package import Instants

/// The limits that were in force in a stretch of time, in whole sensor steps.
package struct LimitVersion: Equatable, Sendable {
    package var period: Range<Timestamp>
    package var minimum: Int32?
    package var maximum: Int32?

    package init(period: Range<Timestamp>, minimum: Int32?, maximum: Int32?) {
        self.period = period
        self.minimum = minimum
        self.maximum = maximum
    }

    /// The limits in force by another clock.
    package func moved(by lag: Duration) -> LimitVersion {
        func moved(_ time: Timestamp) -> Timestamp {
            time == .distantFuture || time == .distantPast ? time : time + lag
        }
        let start = moved(period.lowerBound)
        return LimitVersion(
            period: start..<max(start, moved(period.upperBound)), minimum: minimum, maximum: maximum)
    }

    package func contains(_ steps: Steps) -> Bool {
        steps.count >= minimum ?? .min && steps.count <= maximum ?? .max
    }
}

/// How long a parameter was out of a person's limits: the time for which a value held (`HoldTime`) while limits were in force that it
/// was out of. Changed limits judge the held value from their time on; time without limits is judged by none.
package struct TimeOutside: Sendable {
    private let parameter: Parameter
    private let limits: [LimitVersion]
    /// In microseconds: durations are numbers of 128 bits, whose arithmetic is felt with thousands of values.
    package private(set) var microseconds: Int64 = 0

    /// - Parameter limits: In any order; they do not overlap.
    package init(of parameter: Parameter, by limits: [LimitVersion]) {
        self.parameter = parameter
        self.limits = limits.sorted { $0.period.lowerBound < $1.period.lowerBound }
    }

    /// Takes a value that held in a stretch of time.
    package mutating func add(_ value: Float, from start: Timestamp, to end: Timestamp) {
        guard start < end, !limits.isEmpty else { return }
        let steps = parameter.steps(of: value)
        for version in limits {
            guard version.period.lowerBound < end else { return }
            guard version.period.upperBound > start, !version.contains(steps) else { continue }
            microseconds +=
                min(version.period.upperBound, end).microseconds - max(version.period.lowerBound, start).microseconds
        }
    }

    /// The time outside in a period.
    /// - Parameter values: Ascending. Those before the period tell what was usual, and the last of them what held when it began; none is
    ///   later than the period.
    package static func of(
        _ parameter: Parameter, by limits: [LimitVersion], in period: Range<Timestamp>,
        _ values: some BidirectionalCollection<(time: Timestamp, value: Float)>
    ) -> Duration {
        var outside = TimeOutside(of: parameter, by: limits)
        var hold = HoldTime()
        var held: (time: Timestamp, value: Float)?
        for value in values {
            if let held, value.time > period.lowerBound {
                let end = held.time + .microseconds(hold.held(for: value.time.microseconds - held.time.microseconds))
                outside.add(held.value, from: max(held.time, period.lowerBound), to: end)
            }
            hold.note(value.time)
            held = value
        }
        if let held {
            let end = held.time + .microseconds(hold.longest)
            outside.add(held.value, from: max(held.time, period.lowerBound), to: min(end, period.upperBound))
        }
        return .microseconds(outside.microseconds)
    }
}
