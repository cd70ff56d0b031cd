package import Instants

/// Two stretches of the same length, each up to a moment, and the roll-ups that they are made of.
package struct ChangeWindows: Equatable, Sendable {
    package enum Part: String, CaseIterable, Sendable {
        case hour, day
    }

    package enum Fault: Error {
        /// The first moment is not before the second.
        case order
        /// The second window begins before the first ends.
        case overlap
    }

    package let before: Range<Timestamp>
    package let after: Range<Timestamp>
    package let part: Part
    /// The parts of a window without gaps.
    package let parts: Int

    /// The longest window, in hours: 31 days.
    package static let mostHours = 744
    /// Windows from here on are made of days.
    static let leastHoursOfDays = 48

    /// - Parameters:
    ///   - hours: The length of a window, at least 1. Windows of hours end with the last whole hour before their moment, those of days with the last whole day
    ///     (UTC).
    package init(from: Timestamp, to: Timestamp, hours: Int) throws(Fault) {
        part = hours < Self.leastHoursOfDays ? .hour : .day
        parts = part == .hour ? hours : hours / 24
        let unit: Duration = part == .hour ? .seconds(3_600) : .seconds(86_400)
        func window(to end: Timestamp) -> Range<Timestamp> {
            let last = end.roundedDown(to: unit)
            return last - unit * parts..<last
        }
        guard from < to else { throw .order }
        before = window(to: from)
        after = window(to: to)
        guard before.upperBound <= after.lowerBound else { throw .overlap }
    }

    /// How old a value by hand may be at a moment: half of the time between the moments, a window at least.
    package var reach: Duration {
        max((after.upperBound - before.upperBound) / 2, after.upperBound - after.lowerBound)
    }
}
