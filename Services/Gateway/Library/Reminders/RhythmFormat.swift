import Instants
import Routes
import WaterQuality

/// A rhythm as JSON: `{"every": "week", "interval": 1, "days": ["monday"]}`, or `{"afterDone": 10}`; each with `until` or `count` if it ends.
enum RhythmJSON {
    enum Every: String, CaseIterable { case day, week, month, year }

    private static let every = ObjectMember("every", Format<Every>.choice(Every.self))
    private static let interval = ObjectMember("interval", Format<Int>.integer(Recurrence.intervals).example(1))
    private static let days = ObjectMember(
        "days", Format<[Weekday]>.list(of: .choice(Weekday.self), count: 1...7).example(["monday", "thursday"]))
    private static let day = ObjectMember("day", Format<Int>.integer(-1...31).example(15))
    private static let weekday = ObjectMember("weekday", Format<Weekday>.choice(Weekday.self))
    private static let which = ObjectMember("which", Format<Int>.integer(-1...5).example(2))
    private static let afterDone = ObjectMember("afterDone", Format<Int>.integer(Recurrence.intervals).example(1))
    private static let until = ObjectMember("until", Format<CivilDay>.day)
    private static let count = ObjectMember("count", Format<Int>.integer(Recurrence.counts).example(12))

    fileprivate static let format = Format<Recurrence>.object(
        [every, interval, days, day, weekday, which, afterDone, until, count],
        keywords: [.init("minProperties", 1)], example: ["every": "week", "interval": 1, "days": ["saturday"]],
        or: .notRhythm
    ) { members throws(Fault) in
        let (until, count) = try (members[until], members[count])
        guard let pattern = try pattern(of: members), until == nil || count == nil else { return nil }
        return Recurrence(pattern, end: until.map { .until($0) } ?? count.map { .count($0) } ?? .never)
    }

    private static func pattern(of members: ObjectMembers) throws(Fault) -> Recurrence.Pattern? {
        let (days, day) = try (members[days], members[day])
        let (weekday, which) = try (members[weekday], members[which])
        let (interval, gap) = try (members[interval], members[afterDone])
        let step = interval ?? 1
        let hasNone = days == nil && day == nil && weekday == nil && which == nil
        switch (try members[every], gap) {
        case (nil, let gap?): return hasNone && interval == nil ? .afterDone(days: gap) : nil
        case (.day, nil): return hasNone ? .daily(interval: step) : nil
        case (.year, nil): return hasNone ? .yearly(interval: step) : nil
        case (.week, nil):
            guard let days, day == nil, weekday == nil, which == nil else { return nil }
            return .weekly(interval: step, days: Set(days.map(\.number)))
        case (.month, nil):
            guard days == nil else { return nil }
            if let day, day != 0, weekday == nil, which == nil { return .monthly(interval: step, day: day) }
            guard let weekday, let which, which != 0, day == nil else { return nil }
            return .monthlyWeekday(interval: step, weekday: weekday.number, which: which)
        default: return nil
        }
    }

    static func json(_ recurrence: Recurrence) -> JSON {
        func every(_ word: Every, _ interval: Int) -> [JSON.Member] {
            [.init("every", .string(word.rawValue)), .init("interval", .integer(Int64(interval)))]
        }
        func name(_ day: Int) -> JSON { Weekday(number: day).map { .string($0.rawValue) } ?? .null }
        var members: [JSON.Member] =
            switch recurrence.pattern {
            case .daily(let interval): every(.day, interval)
            case .weekly(let interval, let days):
                every(.week, interval) + [.init("days", .array(days.sorted().map(name)))]
            case .monthly(let interval, let day): every(.month, interval) + [.init("day", .integer(Int64(day)))]
            case .monthlyWeekday(let interval, let weekday, let which):
                every(.month, interval) + [.init("weekday", name(weekday)), .init("which", .integer(Int64(which)))]
            case .yearly(let interval): every(.year, interval)
            case .afterDone(let days): [.init("afterDone", .integer(Int64(days)))]
            }
        switch recurrence.end {
        case .never: break
        case .until(let day): members.append(.init("until", .string(day.text)))
        case .count(let count): members.append(.init("count", .integer(Int64(count))))
        }
        return .object(members)
    }
}

extension Format where Value == Recurrence {
    static let rhythm = RhythmJSON.format
}

extension Output where Value == Recurrence {
    static let rhythm = Output(schema: RhythmJSON.format.schema) { $1.append(RhythmJSON.json($0)) }
}

extension Format where Value == CivilDay {
    /// A day between 1990 and 2199.
    static let day = Format.reading(
        "day", example: "2027-03-05", count: 10...10, pattern: "^(19|2[01])[0-9]{2}-[0-9]{2}-[0-9]{2}$"
    ) {
        text throws(Fault) in
        guard let day = CivilDay(text), (1990...2199).contains(day.date.year) else { throw .notDay }
        return day
    }
}

extension Format where Value == CivilTime {
    /// A moment by a clock on the wall, to the minute.
    static let civilMinute = Format.reading(
        "civil time", example: "2027-03-05T18:00", count: 16...16,
        pattern: "^(19|2[01])[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}$"
    ) { text throws(Fault) in
        guard let time = CivilTime(minuteText: text), (1990...2199).contains(time.year) else { throw .notDay }
        return time
    }
}

extension Fault {
    fileprivate static let notRhythm = Fault("not-a-rhythm")
    fileprivate static let notDay = Fault("not-a-day")
}
