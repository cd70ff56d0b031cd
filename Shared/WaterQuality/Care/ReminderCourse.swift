package import Instants

/// When a reminder is due, by the clock of its zone, which is the tank's: a person who travels does not take it along.
package struct ReminderRule: Hashable, Sendable {
    package var recurrence: Recurrence
    /// The time of day, in minutes since midnight.
    package var minute: Int
    /// The IANA name.
    package var zone: String
    package var startsOn: CivilDay

    package init(_ recurrence: Recurrence, minute: Int, zone: String, startsOn: CivilDay) {
        self.recurrence = recurrence
        self.minute = minute
        self.zone = zone
        self.startsOn = startsOn
    }
}

/// The occurrences of a reminder: those of its rule, and what was done about them.
///
/// Rules are civil, and only the database knows zones. So a course first says which civil times are in question (`candidates`); with their
/// instants it says how things are (`occurrences`) and what is to be told (`plan`). An occurrence that nobody acted on is open until the next
/// one comes or is done, and missed from then on: whoever comes late finds one thing to do, and the next lies ahead.
package struct ReminderCourse: Sendable {
    package let rule: ReminderRule
    /// Since when the rule holds: what would have been before counts as nobody's neglect.
    let since: Timestamp
    let isEnded: Bool
    /// Done or left out, by the day of the occurrence: a day has one at most, also where its time of day was another.
    let settled: [CivilDay: CareAct]
    let putOff: [CivilDay: Timestamp]
    /// How many were settled in all, also those that are not given.
    private let settledCount: Int
    private let days: Recurrence.Days?

    /// - Parameter settledCount: `nil`: all acts are given.
    package init(
        _ rule: ReminderRule, since: Timestamp, isEnded: Bool = false, acts: [CareAct], settledCount: Int? = nil
    ) {
        self.rule = rule
        self.since = since
        self.isEnded = isEnded
        let done = acts.filter { $0.what != .later }
        settled = Dictionary(done.map { (CivilDay($0.on), $0) }) { $1 }
        putOff = Dictionary(acts.compactMap { act in act.until.map { (CivilDay(act.on), $0) } }) { max($0, $1) }
        self.settledCount = settledCount ?? done.count
        days = Recurrence.Days(rule.recurrence, from: rule.startsOn)
    }

    /// How many occurrences before the present one are looked at, and how many after it.
    private static let (back, ahead) = (12, 3)
    /// More are not counted: of those that are looked at, four may be the current one and others ahead of it, where it is yesterday by the clock.
    package static let mostMissed = 8

    /// The occurrence that is counted from what was done last; `nil` for a rule by the calendar, and where none is left.
    var counted: CivilDay? {
        guard case .afterDone(let gap) = rule.recurrence.pattern else { return nil }
        let last = settled.values.max { ($0.at, $0.on) < ($1.at, $1.on) }
        // One that was done early is not due again on its own day.
        let day = last.map { max($0.day + gap, CivilDay($0.on) + 1) } ?? rule.startsOn
        switch rule.recurrence.end {
        case .until(let end) where day > end: return nil
        case .count(let count) where settledCount >= count: return nil
        default: return day
        }
    }

    /// Whether the rule has an occurrence on a day.
    func hasOccurrence(on day: CivilDay) -> Bool { days.map { $0.contains(day) } ?? (counted == day) }

    /// The days in question at a time: some before it, and some after it that are not settled.
    /// - Parameter range: Days beside these.
    func days(around now: Timestamp, and range: ClosedRange<CivilDay>?) -> [CivilDay] {
        guard !isEnded || range != nil else { return [] }
        guard let days else { return [counted].compactMap(\.self) }
        // No clock is more than 14 hours from that of UTC.
        let tomorrow = CivilDay(now) + 1
        var found = Set(days.downward(from: tomorrow).prefix(Self.back))
        // What was done early among them ends what was open before it.
        var open = 0
        for day in days.upward(from: tomorrow + 1) {
            found.insert(day)
            open += settled[day] == nil ? 1 : 0
            if open == Self.ahead { break }
        }
        if let range { found.formUnion(days.upward(from: range.lowerBound).prefix { $0 <= range.upperBound }) }
        return found.sorted()
    }

    /// The civil times whose instants have to be known.
    package func candidates(around now: Timestamp, and range: ClosedRange<CivilDay>? = nil) -> [CivilTime] {
        (days(around: now, and: range) + [repetition].compactMap(\.self)).map(time)
    }

    /// The day on which one that is counted from what was done is told once more: that of the next, had it been done.
    var repetition: CivilDay? {
        guard case .afterDone(let gap) = rule.recurrence.pattern else { return nil }
        return counted.map { $0 + gap }
    }

    func time(of day: CivilDay) -> CivilTime { day.at(minutes: rule.minute) }
}

extension ReminderRule {
    /// The next days of the rule; of one that is counted from what was done, as if each were done on its day.
    package func comingDays(from day: CivilDay, count: Int) -> [CivilDay] {
        if let days = Recurrence.Days(recurrence, from: startsOn) { return Array(days.upward(from: day).prefix(count)) }
        guard case .afterDone(let gap) = recurrence.pattern else { return [] }
        let first = max(day, startsOn)
        let end: (days: CivilDay?, count: Int) =
            switch recurrence.end {
            case .never: (nil, count)
            case .until(let last): (last, count)
            case .count(let most): (nil, min(count, most))
            }
        return (0..<end.count).map { first + $0 * gap }.filter { $0 <= end.days ?? $0 }
    }
}
