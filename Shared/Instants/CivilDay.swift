/// A day as a calendar shows it, without a time zone: a number of days since 1970-01-01, so that days are counted without arithmetic on dates.
package struct CivilDay: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01.
    package let number: Int

    package init(number: Int) { self.number = number }

    /// - Returns: `nil` for a date that the calendar does not have.
    package init?(year: Int, month: Int, day: Int) {
        guard let time = CivilTime(year: year, month: month, day: day) else { return nil }
        self.init(time)
    }

    package init(_ time: CivilTime) {
        number = daysSinceEpoch(year: time.year, month: time.month, day: time.day)
    }

    /// The day in UTC.
    package init(_ instant: Timestamp) { self.init(instant.civilTime()) }

    package static func < (one: CivilDay, other: CivilDay) -> Bool { one.number < other.number }
    package static func + (day: CivilDay, days: Int) -> CivilDay { CivilDay(number: day.number + days) }
    package static func - (one: CivilDay, other: CivilDay) -> Int { one.number - other.number }

    package var date: (year: Int, month: Int, day: Int) { Instants.date(daysSinceEpoch: number) }

    /// The day of the week, from 1, Monday (ISO 8601).
    package var weekday: Int { (number + 3).flooredDivision(by: 7).remainder + 1 }

    /// Months since the year 0, so that months are counted over the ends of years.
    package var monthNumber: Int { date.year * 12 + date.month - 1 }

    /// The day of a month of the calendar.
    /// - Parameter day: From 1, or -1 for the last.
    /// - Returns: `nil` where the month has no such day.
    package init?(_ day: Int, ofMonth monthNumber: Int) {
        let (year, month) = monthNumber.flooredDivision(by: 12)
        let last = daysInMonth(month + 1, of: year)
        guard let found = CivilDay(year: year, month: month + 1, day: day == -1 ? last : day) else { return nil }
        self = found
    }

    /// The moment at which the clock shows so many minutes after midnight.
    package func at(minutes: Int) -> CivilTime {
        let (year, month, day) = date
        guard
            let time = CivilTime(
                year: year, month: month, day: day, hour: minutes / 60, minute: minutes % 60)
        else { preconditionFailure("A day has 1440 minutes, and years have four digits.") }
        return time
    }

    /// The day as `2027-03-05`.
    package var text: String {
        let (year, month, day) = date
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// - Returns: `nil` for what is no day, as `2027-03-05`.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count == 10, parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }
}

extension CivilTime: Comparable {
    package static func < (one: CivilTime, other: CivilTime) -> Bool { Timestamp(one) < Timestamp(other) }

    /// The moment to the minute, as `2027-03-05T18:00`.
    package var minuteText: String { "\(CivilDay(self).text)T\(padded(hour, 2)):\(padded(minute, 2))" }

    /// - Returns: `nil` for what is no moment to the minute, as `2027-03-05T18:00`.
    package init?(minuteText text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 16, bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"),
            let day = CivilDay(String(text.prefix(10))),
            [11, 12, 14, 15].allSatisfy({ (0x30...0x39).contains(bytes[$0]) })
        else { return nil }
        let digits = bytes.map { Int($0) - 0x30 }
        let (hour, minute) = (digits[11] * 10 + digits[12], digits[14] * 10 + digits[15])
        guard hour < 24, minute < 60 else { return nil }
        self = day.at(minutes: hour * 60 + minute)
    }

    package var minuteOfDay: Int { hour * 60 + minute }
}

private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
