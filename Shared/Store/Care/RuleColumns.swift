import Instants
package import Postgres
package import WaterQuality

/// A reminder's rule as the typed columns of its row: the only place that converts between the two.
package struct RuleColumns: Sendable {
    private var every: String
    private var step: Int16
    private var weekdays: Int16?
    private var monthDay: Int16?
    private var monthWeekday: Int16?
    private var which: Int16?
    private var untilOn: String?
    private var times: Int16?
    private var at: Int32
    private var zone: String
    private var startsOn: String

    /// The columns that are written, in the order in which they are bound.
    package static let names = [
        "every", "step", "weekdays", "month_day", "month_weekday", "which", "until_on", "times", "at_time", "zone",
        "starts_on",
    ]

    /// The values of the columns, which begin with a parameter of the statement.
    package static func values(from first: Int) -> String {
        names.enumerated().map { place, name in
            switch name {
            case "until_on", "starts_on": "$\(first + place)::date"
            case "at_time": "time '00:00' + $\(first + place)::integer * interval '1 minute'"
            default: "$\(first + place)"
            }
        }.joined(separator: ", ")
    }

    /// The columns of the row `r`, as they are read.
    static let read = """
        r.every, r.step, r.weekdays, r.month_day, r.month_weekday, r.which, r.until_on - date '1970-01-01', r.times,
            extract(epoch FROM r.at_time)::integer / 60, r.zone, r.starts_on - date '1970-01-01'
        """

    package init(_ rule: ReminderRule) {
        switch rule.recurrence.pattern {
        case .daily(let interval): (every, step) = ("day", Int16(interval))
        case .weekly(let interval, let days):
            (every, step) = ("week", Int16(interval))
            weekdays = days.reduce(0) { $0 | 1 << ($1 - 1) }
        case .monthly(let interval, let day): (every, step, monthDay) = ("month", Int16(interval), Int16(day))
        case .monthlyWeekday(let interval, let weekday, let which):
            (every, step) = ("month", Int16(interval))
            (monthWeekday, self.which) = (Int16(weekday), Int16(which))
        case .yearly(let interval): (every, step) = ("year", Int16(interval))
        case .afterDone(let days): (every, step) = ("afterDone", Int16(days))
        }
        switch rule.recurrence.end {
        case .never: break
        case .until(let day): untilOn = day.text
        case .count(let count): times = Int16(count)
        }
        at = Int32(rule.minute)
        zone = rule.zone
        startsOn = rule.startsOn.text
    }

    static func rule(_ row: inout RowReader) throws -> ReminderRule {
        let (every, step) = try (row.read(String.self), Int(row.read(Int16.self)))
        let weekdays = try row.read(Int16?.self).map(Int.init) ?? 0
        let monthDay = try row.read(Int16?.self).map(Int.init)
        let (monthWeekday, which) = try (row.read(Int16?.self).map(Int.init), row.read(Int16?.self).map(Int.init))
        let untilOn = try row.read(Int32?.self).map { CivilDay(number: Int($0)) }
        let times = try row.read(Int16?.self).map(Int.init)
        let pattern: Recurrence.Pattern =
            switch every {
            case "day": .daily(interval: step)
            case "week": .weekly(interval: step, days: Set((1...7).filter { weekdays >> ($0 - 1) & 1 == 1 }))
            case "month":
                if let monthWeekday, let which {
                    .monthlyWeekday(interval: step, weekday: monthWeekday, which: which)
                } else {
                    .monthly(interval: step, day: monthDay ?? -1)
                }
            case "year": .yearly(interval: step)
            default: .afterDone(days: step)
            }
        let end: Recurrence.End = untilOn.map { .until($0) } ?? times.map { .count($0) } ?? .never
        return try ReminderRule(
            Recurrence(pattern, end: end), minute: Int(row.read(Int32.self)), zone: row.read(), startsOn: row.readDay())
    }
}

extension Parameters {
    /// Eleven values, in the order of `RuleColumns.names`.
    package mutating func append(_ rule: ReminderRule) {
        RuleColumns(rule).bind(&self)
    }
}

extension RuleColumns {
    fileprivate func bind(_ parameters: inout Parameters) {
        parameters.append(every)
        parameters.append(step)
        parameters.append(weekdays)
        parameters.append(monthDay)
        parameters.append(monthWeekday)
        parameters.append(which)
        parameters.append(untilOn)
        parameters.append(times)
        parameters.append(at)
        parameters.append(zone)
        parameters.append(startsOn)
    }
}
