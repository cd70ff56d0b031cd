import Routes
import WaterQuality

/// The periods of a parameter's limits as the API takes them.
enum PeriodInput {
    static let periods = Input.optionalField(
        "periods", Format<[RangeChange.Period]>.list(of: .limitPeriod, count: 0...LimitPeriods.most),
        """
        Limits at other times, in place of those that are: of a time of day, a season, or both, by the clock of the account's time zone. No two \
        hold at one time. In a period its own limits hold alone, and what it leaves out is not limited; at all other times the plain ones do.
        """)
}

extension Format where Value == RangeChange.Period {
    /// A time of day, a season, or both, with limits.
    static let limitPeriod = object(
        [from, until, firstDay, lastDay, minimum, maximum, criticalMinimum, criticalMaximum],
        keywords: [.init("minProperties", 2)],
        example: ["from": "04:00", "until": "07:00", "minimum": 4.5], or: .notPeriod
    ) { members throws(Fault) in
        let (begins, ends) = (try members[from] ?? nil, try members[until] ?? nil)
        let (first, last) = (try members[firstDay] ?? nil, try members[lastDay] ?? nil)
        guard (begins == nil) == (ends == nil) else { throw Fault.notPeriod.inside("until") }
        guard (first == nil) == (last == nil) else { throw Fault.notPeriod.inside("lastDay") }
        let hours = begins.flatMap { begins in ends.flatMap { LimitPeriod.Hours(begins: begins, ends: $0) } }
        if begins != nil, hours == nil { throw Fault.periodHasNoLength.inside("until") }
        let season = first.flatMap { first in last.map { LimitPeriod.Season(first: first, last: $0) } }
        return RangeChange.Period(
            hours: hours, season: season, minimum: .init(try members[minimum] ?? nil),
            maximum: .init(try members[maximum] ?? nil), criticalMinimum: .init(try members[criticalMinimum] ?? nil),
            criticalMaximum: .init(try members[criticalMaximum] ?? nil))
    }

    private static let from = ObjectMember("from", Format<Int>.timeOfDay.example("04:00").nullable)
    private static let until = ObjectMember("until", Format<Int>.timeOfDay.example("07:00").nullable)
    private static let firstDay = ObjectMember("firstDay", Format<LimitPeriod.Day>.dayOfYear.example("11-01").nullable)
    private static let lastDay = ObjectMember("lastDay", Format<LimitPeriod.Day>.dayOfYear.example("03-15").nullable)
    private static let limit = Format<Double>.decimal(-1_000_000...1_000_000).example(4.5).nullable
    private static let minimum = ObjectMember("minimum", limit)
    private static let maximum = ObjectMember("maximum", limit)
    private static let criticalMinimum = ObjectMember("criticalMinimum", limit)
    private static let criticalMaximum = ObjectMember("criticalMaximum", limit)
}

extension Format where Value == LimitPeriod.Day {
    /// A day of any year: month and day.
    static var dayOfYear: Format {
        .reading(
            "day", example: "11-01", count: 5...5, pattern: "^(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$"
        ) { text throws(Fault) in
            let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard text.utf8.count == 5, parts.count == 2, let month = parts[0], let day = parts[1],
                let found = LimitPeriod.Day(month: month, day: day)
            else { throw .notDayOfYear }
            return found
        }
    }
}

extension LimitPeriod.Day {
    /// As it is written: 03-15.
    var text: String { "\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)" }
}

extension RangeChange.Limit {
    init(_ number: Double?) { self = number.map { .value($0) } ?? .none }
}

extension Fault {
    fileprivate static let notPeriod = Fault("not-a-period")
    fileprivate static let periodHasNoLength = Fault("no-length")
    fileprivate static let notDayOfYear = Fault("not-a-day-of-year")
    static let periodAtAllTimes = Fault("period-at-all-times")

    /// - Parameters:
    ///   - first, second: Periods that hold at one time, counted from 0.
    static func periodsOverlap(_ first: Int, _ second: Int) -> Fault {
        Fault(
            "periods-overlap",
            parameters: [
                .init("first", .integer(Int64(first) + 1)), .init("second", .integer(Int64(second) + 1)),
            ]
        ).inside("\(second)")
    }
}
