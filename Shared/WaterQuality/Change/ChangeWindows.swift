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
        guard from < to else { throw .order }
        let isOfHours = hours < Self.leastHoursOfDays
        part = isOfHours ? .hour : .day
        parts = isOfHours ? hours : hours / 24
        let unit = Duration.seconds(isOfHours ? 3_600 : 86_400)
        let (length, end, start) = (unit * parts, to.roundedDown(to: unit), from.roundedDown(to: unit))
        before = start - length..<start
        after = end - length..<end
        guard start <= after.lowerBound else { throw .overlap }
    }

    /// How old a value by hand may be at a moment: half of the time between the moments, a window at least.
    package var reach: Duration {
        max((after.upperBound - before.upperBound) / 2, after.upperBound - after.lowerBound)
    }
}
