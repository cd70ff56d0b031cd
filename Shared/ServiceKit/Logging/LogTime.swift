/// `2026-05-01T12:00:00.123Z` for microseconds since the Unix epoch; years 0 to 9999.
///
/// The date comes from the day's number in the proleptic Gregorian calendar, counted in eras of 400 years that
/// begin on 1 March, so that the leap day is a year's last.
package func iso8601(microseconds: Int64) -> String {
    let milliseconds = floorDivided(microseconds, by: 1_000)
    let (day, millisecondOfDay) = floorDivision(milliseconds, by: 86_400_000)
    let date = civilDate(day: day)
    let second = millisecondOfDay / 1_000
    return padded(date.year, 4) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2)
        + "T" + padded(second / 3_600, 2) + ":" + padded(second / 60 % 60, 2) + ":" + padded(second % 60, 2)
        + "." + padded(millisecondOfDay % 1_000, 3) + "Z"
}

private func civilDate(day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let daysFromYearZeroMarch: Int64 = 719_468
    let (era, dayOfEra) = floorDivision(day + daysFromYearZeroMarch, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
}

private func floorDivision(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let quotient = floorDivided(value, by: divisor)
    return (quotient, value - quotient * divisor)
}

private func floorDivided(_ value: Int64, by divisor: Int64) -> Int64 {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
}

private func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
