/// A time of day, a season, or both, with limits of its own.
package struct LimitPeriod: Hashable, Sendable {
    /// A time of each day: it passes midnight where it ends before it begins, and belongs then to the day on which it begins.
    package struct Hours: Hashable, Sendable {
        /// Minutes after midnight; the end does not belong to it.
        package let begins, ends: Int

        /// - Returns: `nil` for what is no minute of a day, and for no time at all.
        package init?(begins: Int, ends: Int) {
            guard (0..<1440).contains(begins), (0..<1440).contains(ends), begins != ends else { return nil }
            self.begins = begins
            self.ends = ends
        }
    }

    /// The time that limits are of that do not always hold. The raw values are stored.
    package enum Time: String, CaseIterable, Sendable {
        /// A time of day, perhaps in a season alone.
        case hours
        case season
    }

    package var time: Time { hours == nil ? .season : .hours }

    /// Days of each year, the first and the last among them: it passes the new year where the last comes before the first.
    package struct Season: Hashable, Sendable {
        package let first, last: Day

        package init(first: Day, last: Day) {
            self.first = first
            self.last = last
        }

        func contains(_ day: Day) -> Bool {
            first <= last ? (first...last).contains(day) : day >= first || day <= last
        }
    }

    /// A day of any year.
    package struct Day: Hashable, Comparable, Sendable {
        package let month, day: Int

        /// - Returns: `nil` for what no year has.
        package init?(month: Int, day: Int) {
            guard (1...12).contains(month), day >= 1, day <= Self.lengths[month - 1] else { return nil }
            self.month = month
            self.day = day
        }

        /// From 101 to 1231, as it is stored: month and day.
        package init?(number: Int) { self.init(month: number / 100, day: number % 100) }

        package var number: Int { month * 100 + day }

        package static func < (one: Day, other: Day) -> Bool { one.number < other.number }

        private static let lengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

        /// The days of a leap year, or of another, in their order.
        static func all(ofLeapYear isLeap: Bool) -> [Day] {
            (1...12).flatMap { month in (1...lengths[month - 1]).compactMap { Day(month: month, day: $0) } }
                .filter { isLeap || $0.number != 229 }
        }
    }

    /// `nil`: all day.
    package var hours: Hours?
    /// `nil`: all year.
    package var season: Season?
    package var minimum: Steps?
    package var maximum: Steps?
    package var criticalMinimum: Steps?
    package var criticalMaximum: Steps?

    /// - Returns: `nil` for one that holds at all times, which is no period.
    package init?(
        hours: Hours?, season: Season?, minimum: Steps? = nil, maximum: Steps? = nil, criticalMinimum: Steps? = nil,
        criticalMaximum: Steps? = nil
    ) {
        guard hours != nil || season != nil else { return nil }
        self.hours = hours
        self.season = season
        self.minimum = minimum
        self.maximum = maximum
        self.criticalMinimum = criticalMinimum
        self.criticalMaximum = criticalMaximum
    }

    /// Whether there is a moment, by a clock that is never put, at which both hold.
    package func overlaps(_ other: LimitPeriod) -> Bool {
        [true, false].contains { isLeap in
            let days = Day.all(ofLeapYear: isLeap)
            return days.indices.contains { index in
                guard holds(from: days[index]) else { return false }
                // Whatever begins on the day before, on the day, or on the next day may reach into it.
                return (-1...1).contains { shift in
                    let day = days[(index + shift + days.count) % days.count]
                    return other.holds(from: day) && minutes.overlaps(other.minutes.moved(by: shift * 1440))
                }
            }
        }
    }

    private func holds(from day: Day) -> Bool { season?.contains(day) ?? true }

    /// The minutes since the beginning of the day on which it begins.
    private var minutes: Range<Int> {
        guard let hours else { return 0..<1440 }
        return hours.begins..<(hours.ends > hours.begins ? hours.ends : hours.ends + 1440)
    }
}

extension Range<Int> {
    fileprivate func moved(by shift: Int) -> Range<Int> { lowerBound + shift..<upperBound + shift }
}
