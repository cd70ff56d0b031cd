import Instants

/// A pattern lays days, weeks, months or years of its interval end to end from its first day: each such period has some days, in their order.
extension Recurrence.Pattern {
    /// The same pattern in every day, week, month or year.
    var everyPeriod: Recurrence.Pattern {
        switch self {
        case .daily: .daily(interval: 1)
        case .weekly(_, let days): .weekly(interval: 1, days: days)
        case .monthly(_, let day): .monthly(interval: 1, day: day)
        case .monthlyWeekday(_, let weekday, let which): .monthlyWeekday(interval: 1, weekday: weekday, which: which)
        case .yearly: .yearly(interval: 1)
        case .afterDone: self
        }
    }

    /// The number of the period in which a day lies, from 0, that of the first day.
    func period(of day: CivilDay, since first: CivilDay) -> Int {
        switch self {
        case .daily(let interval): (day - first) / interval
        case .weekly(let interval, _): (day - first.monday) / (7 * interval)
        case .monthly(let interval, _), .monthlyWeekday(let interval, _, _):
            (day.monthNumber - first.monthNumber) / interval
        case .yearly(let interval): (day.date.year - first.date.year) / interval
        case .afterDone: 0
        }
    }

    func days(ofPeriod period: Int, since first: CivilDay) -> [CivilDay] {
        switch self {
        case .daily(let interval): return [first + period * interval]
        case .weekly(let interval, let days):
            let monday = first.monday + 7 * interval * period
            return days.sorted().map { monday + ($0 - 1) }
        case .monthly(let interval, let day):
            return [CivilDay(day, ofMonth: first.monthNumber + interval * period)].compactMap(\.self)
        case .monthlyWeekday(let interval, let weekday, let which):
            return [CivilDay(which, weekday, ofMonth: first.monthNumber + interval * period)].compactMap(\.self)
        case .yearly(let interval):
            let (year, month, day) = first.date
            return [CivilDay(year: year + interval * period, month: month, day: day)].compactMap(\.self)
        case .afterDone: return []
        }
    }
}

extension CivilDay {
    /// The Monday of its week.
    fileprivate var monday: CivilDay { self + (1 - weekday) }

    /// The first to fifth weekday of a month, or the last (-1); `nil` where the month has none.
    fileprivate init?(_ which: Int, _ weekday: Int, ofMonth monthNumber: Int) {
        guard let first = CivilDay(1, ofMonth: monthNumber), let last = CivilDay(-1, ofMonth: monthNumber) else {
            return nil
        }
        let found =
            which == -1
            ? last + -((last.weekday - weekday + 7) % 7)
            : first + ((weekday - first.weekday + 7) % 7 + 7 * (which - 1))
        guard found <= last else { return nil }
        self = found
    }
}
