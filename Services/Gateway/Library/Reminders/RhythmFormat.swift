import Instants
import Routes
import WaterQuality

/// A rhythm as JSON: `{"every": "week", "interval": 1, "days": ["monday"]}`, or `{"afterDone": 10}`; each with `until` or `count` if it ends.
enum RhythmJSON {
    enum Every: String, CaseIterable { case day, week, month, year }

    static let interval = Format<Int>.integer(Recurrence.intervals).example(1)
    static let count = Format<Int>.integer(Recurrence.counts).example(12)
    static let days = Format<[Weekday]>.list(of: .choice(Weekday.self), count: 1...7).example(["monday", "thursday"])
    static let weekday = Format<Weekday>.choice(Weekday.self)
    static let monthDay = Format<Int>.integer(-1...31).example(15)
    static let which = Format<Int>.integer(-1...5).example(2)

    static let schema = Schema(
        [
            "type": "object",
            "properties": [
                "every": Format<Every>.choice(Every.self).schema.json, "interval": interval.schema.json,
                "days": days.schema.json, "day": monthDay.schema.json, "weekday": weekday.schema.json,
                "which": which.schema.json, "afterDone": interval.schema.json,
                "until": Format<CivilDay>.day.schema.json,
                "count": count.schema.json,
            ], "minProperties": 1, "additionalProperties": false,
        ], example: ["every": "week", "interval": 1, "days": ["saturday"]])

    /// The members that a rhythm may have, as they come.
    private struct Parts {
        var every: Every?
        var interval: Int?
        var days: [Weekday]?
        var day: Int?
        var weekday: Weekday?
        var which: Int?
        var afterDone: Int?
        var until: CivilDay?
        var count: Int?

        mutating func read(_ member: JSON.Member) throws(Fault) {
            let json = member.value
            switch member.name {
            case "every": every = try Format<Every>.choice(Every.self).readJSON(json)
            case "interval": interval = try RhythmJSON.interval.readJSON(json)
            case "days": days = try RhythmJSON.days.readJSON(json)
            case "day": day = try RhythmJSON.monthDay.readJSON(json)
            case "weekday": weekday = try RhythmJSON.weekday.readJSON(json)
            case "which": which = try RhythmJSON.which.readJSON(json)
            case "afterDone": afterDone = try RhythmJSON.interval.readJSON(json)
            case "until": until = try Format<CivilDay>.day.readJSON(json)
            case "count": count = try RhythmJSON.count.readJSON(json)
            default: throw .unknown
            }
        }

        var recurrence: Recurrence? {
            guard let pattern, until == nil || count == nil else { return nil }
            return Recurrence(pattern, end: until.map { .until($0) } ?? count.map { .count($0) } ?? .never)
        }

        private var pattern: Recurrence.Pattern? {
            let step = interval ?? 1
            switch (every, afterDone) {
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

        private var hasNone: Bool { days == nil && day == nil && weekday == nil && which == nil }
    }

    static func read(_ json: JSON) throws(Fault) -> Recurrence {
        guard case .object(let members) = json else { throw .notRhythm }
        var parts = Parts()
        for member in members {
            do throws(Fault) {
                try parts.read(member)
            } catch {
                throw error.inside(member.name)
            }
        }
        guard let recurrence = parts.recurrence else { throw .notRhythm }
        return recurrence
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
    static let rhythm = Format(
        schema: RhythmJSON.schema, readText: { _ throws(Fault) in throw .notRhythm },
        readJSON: { json throws(Fault) in try RhythmJSON.read(json) })
}

extension Output where Value == Recurrence {
    static let rhythm = Output(schema: RhythmJSON.schema) { $1.append(RhythmJSON.json($0)) }
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
