/// A date and a time of day as a calendar and a clock show them, without a time zone.
///
/// The module holds no time-zone data: a caller who knows a person's zone passes its offset at the instant in question.
/// The calendar is Gregorian, also before 1582 (ISO 8601).
package struct CivilTime: Hashable, Sendable {
    package let year: Int
    package let month: Int
    package let day: Int
    package let hour: Int
    package let minute: Int
    package let second: Int
    package let microsecond: Int

    /// - Returns: `nil` for a date that the calendar does not have, or a time of day past 23:59:59.999999.
    package init?(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, microsecond: Int = 0
    ) {
        guard (0...9999).contains(year), (1...12).contains(month),
            day >= 1, day <= daysInMonth(month, of: year),
            (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second),
            (0...999_999).contains(microsecond)
        else { return nil }
        self.init(
            checkedYear: year, month: month, day: day, hour: hour, minute: minute, second: second,
            microsecond: microsecond)
    }

    fileprivate init(
        checkedYear year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, microsecond: Int
    ) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.microsecond = microsecond
    }

    package func isSameDay(as other: CivilTime) -> Bool {
        year == other.year && month == other.month && day == other.day
    }
}

extension Timestamp {
    /// The instant at which clocks that are `secondsFromGMT` ahead of UTC show this civil time.
    package init(_ civil: CivilTime, secondsFromGMT: Int = 0) {
        let days = daysSinceEpoch(year: civil.year, month: civil.month, day: civil.day)
        let seconds = Int64(days * 86_400 + civil.hour * 3600 + civil.minute * 60 + civil.second)
        self = Timestamp(unixSeconds: seconds) + .microseconds(civil.microsecond) - .seconds(secondsFromGMT)
    }

    /// The civil time at this instant, the given number of seconds ahead of UTC. Every instant has one: far away years
    /// simply have more digits.
    package func civilTime(secondsFromGMT: Int = 0) -> CivilTime {
        let local = (self + .seconds(secondsFromGMT)).microseconds
        let (seconds, microsecond) = local.flooredDivision(by: 1_000_000)
        let (days, secondOfDay) = seconds.flooredDivision(by: 86_400)
        let (year, month, day) = date(daysSinceEpoch: Int(days))
        return CivilTime(
            checkedYear: year, month: month, day: day, hour: Int(secondOfDay) / 3600,
            minute: Int(secondOfDay) / 60 % 60, second: Int(secondOfDay) % 60, microsecond: Int(microsecond))
    }
}

func daysInMonth(_ month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
}

// Both directions count years from March, so that the leap day is the last day of its year; the months from March
// on then begin on day (153 * month + 2) / 5. An era is the calendar's cycle of 400 years, 146,097 days.

private let daysPerEra = 146_097
/// Days from 0000-03-01 to 1970-01-01.
private let epochFromMarchZero = 719_468

func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let (era, yearOfEra) = shifted.flooredDivision(by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * daysPerEra + dayOfEra - epochFromMarchZero
}

func date(daysSinceEpoch days: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = (days + epochFromMarchZero).flooredDivision(by: daysPerEra)
    // Subtracts the leap days before the day, so that every year counts 365 days.
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
        era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
}

extension SignedInteger {
    func flooredDivision(by divisor: Self) -> (quotient: Self, remainder: Self) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
