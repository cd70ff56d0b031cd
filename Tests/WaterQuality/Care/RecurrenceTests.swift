import Instants
import TestSupport
import Testing

@testable import WaterQuality

/// Recurrence, with the values on which dateutil and libical agree.
@Suite struct RecurrenceTests {
    private static func days(
        _ pattern: Recurrence.Pattern, from start: String, _ end: Recurrence.End
    ) throws -> [String] {
        let day = try #require(CivilDay(start))
        let days = try #require(Recurrence.Days(Recurrence(pattern, end: end), from: day))
        return days.upward(from: days.first).prefix(12).map(\.text)
    }

    private static let known: [(Recurrence.Pattern, String, [String])] = [
        // Months without a 31st are left out, not shortened.
        (
            .monthly(interval: 1, day: 31), "2027-01-31",
            ["2027-01-31", "2027-03-31", "2027-05-31", "2027-07-31", "2027-08-31"]
        ),
        (.monthly(interval: 1, day: -1), "2027-01-31", ["2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30"]),
        // Weeks begin on Monday.
        (.weekly(interval: 2, days: [2, 7]), "1997-08-05", ["1997-08-05", "1997-08-10", "1997-08-19", "1997-08-24"]),
        (.monthlyWeekday(interval: 1, weekday: 6, which: 2), "2027-01-09", ["2027-01-09", "2027-02-13", "2027-03-13"]),
        (
            .monthlyWeekday(interval: 1, weekday: 5, which: -1), "2027-01-29",
            ["2027-01-29", "2027-02-26", "2027-03-26"]
        ),
        (.yearly(interval: 1), "2024-02-29", ["2024-02-29", "2028-02-29", "2032-02-29"]),
        (.daily(interval: 10), "2027-03-05", ["2027-03-05", "2027-03-15", "2027-03-25", "2027-04-04"]),
        // A first day that does not fit is the next that does.
        (.weekly(interval: 1, days: [1]), "2027-01-01", ["2027-01-04", "2027-01-11", "2027-01-18"]),
    ]

    @Test(arguments: known.indices)
    func theDaysAreThoseOfOtherLibraries(_ place: Int) throws {
        let (pattern, start, expected) = Self.known[place]
        #expect(try Self.days(pattern, from: start, .count(expected.count)) == expected)
    }

    @Test func anEndIsTheLastDayOrACount() throws {
        let last = try #require(CivilDay("2027-03-15"))
        #expect(try Self.days(.daily(interval: 10), from: "2027-03-05", .until(last)) == ["2027-03-05", "2027-03-15"])
        #expect(try Self.days(.daily(interval: 1), from: "2027-03-05", .count(1)) == ["2027-03-05"])
        let never = Recurrence(.daily(interval: 1), end: .until(last))
        let after = try #require(Recurrence.Days(never, from: last + 1))
        #expect(after.next(from: last) == nil && after.downward(from: last + 30).first { _ in true } == nil)
    }

    @Test func whatNeverRecursEnds() throws {
        let day = try #require(CivilDay("2023-01-01"))
        #expect(Recurrence.Days(Recurrence(.afterDone(days: 3)), from: day) == nil)
        // A thirtieth of February is looked for, and not for ever.
        let rare = try #require(Recurrence.Days(Recurrence(.monthly(interval: 12, day: 30)), from: day + 31))
        #expect(rare.first.text == "2023-03-30" && rare.next(from: rare.first + 1)?.text == "2024-03-30")
    }

    static func end(_ random: inout SeededGenerator) -> Recurrence.End {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: .never
        case 1: .until(CivilDay(number: Int.random(in: 30_000...32_000, using: &random)))
        default: .count(Int.random(in: 1...20, using: &random))
        }
    }

    static func random(_ random: inout SeededGenerator) -> Recurrence.Pattern {
        let step = Int.random(in: 1...14, using: &random)
        let weekday = Int.random(in: 1...7, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return .daily(interval: step)
        case 1:
            return .weekly(interval: step, days: Set((1...7).filter { _ in Bool.random(using: &random) } + [weekday]))
        case 2: return .monthly(interval: step, day: [-1, 1, 15, 28, 29, 30, 31].randomElement(using: &random)!)
        case 3:
            return .monthlyWeekday(
                interval: step, weekday: weekday, which: [-1, 1, 2, 3, 4].randomElement(using: &random)!)
        default: return .yearly(interval: step)
        }
    }

    /// Upwards and downwards are the same days, each after the one before it by the shortest gap at least, wherever one begins.
    @Test func bothDirectionsAgree() throws {
        var random = SeededGenerator(seed: 35)
        for _ in 0..<400 {
            let recurrence = Recurrence(Self.random(&random))
            let start = CivilDay(number: Int.random(in: 10_000...30_000, using: &random))
            guard let days = Recurrence.Days(recurrence, from: start) else { continue }
            let up = Array(days.upward(from: start).prefix(20))
            #expect(days.first >= start && up.first == days.first, "\(recurrence)")
            #expect(
                zip(up, up.dropFirst()).allSatisfy { $1 - $0 >= recurrence.shortestGap },
                "\(recurrence) \(up.map(\.text))")
            let end = try #require(up.last)
            #expect(
                Array(days.downward(from: end).prefix(up.count)) == up.reversed(), "\(recurrence) from \(start.text)")
            let middle = up[up.count / 2]
            #expect(days.next(from: middle) == middle && days.contains(middle))
            #expect(Array(days.upward(from: middle).prefix(5)) == Array(up[(up.count / 2)...].prefix(5)))
        }
    }
}
