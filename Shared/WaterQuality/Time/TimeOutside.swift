package import Instants

/// The limits in force in a period, in whole sensor steps.
package struct LimitVersion: Equatable, Sendable {
    package var period: Range<Timestamp>
    package var minimum: Int32?
    package var maximum: Int32?

    package init(period: Range<Timestamp>, minimum: Int32?, maximum: Int32?) {
        self.period = period
        self.minimum = minimum
        self.maximum = maximum
    }

    /// The same limits, with their period expressed by another clock.
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

/// The time for which a parameter was out of a person's limits: values that violate the limits count for as long as
/// they hold (`HoldTime`). When limits change, the held value is judged by the new ones from then on; time without
/// limits does not count.
package struct TimeOutside: Sendable {
    private let parameter: Parameter
    private let limits: [LimitVersion]
    /// The time in microseconds, because arithmetic on 128-bit durations is slow with thousands of values.
    package private(set) var microseconds: Int64 = 0

    /// - Parameter limits: The limits in any order; they do not overlap.
    package init(of parameter: Parameter, by limits: [LimitVersion]) {
        self.parameter = parameter
        self.limits = limits.sorted { $0.period.lowerBound < $1.period.lowerBound }
    }

    /// Adds a value that held for a period.
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

    /// The time outside limits in a period.
    /// - Parameter values: The values in ascending order, none later than the period. Earlier ones give the usual
    ///   pause, and the last of these is the value that held when the period began.
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
