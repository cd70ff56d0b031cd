import Foundation
import Instants
import TestSupport
import Testing

@testable import WaterQuality

/// Recurrence beside dateutil, on random rules.
@Suite struct RecurrenceOracleTests {
    /// Reads lines of a first day, a rule and its days, and says which differ.
    static let script = """
        import sys, datetime
        from dateutil.rrule import rrulestr
        count = 0
        for line in sys.stdin:
            start, rule, days = line.split()
            wanted = rrulestr(rule, dtstart=datetime.datetime.fromisoformat(start))
            # dateutil looks for no year after 9999
            found = [d.date().isoformat() for d, _ in zip(wanted, range(len(days.split(","))))]
            assert found == days.split(","), (start, rule, found, days)
            count += 1
        print(count, "agree")
        """

    static func lines(_ number: Int) -> [String] {
        var random = SeededGenerator(seed: 5545)
        var lines: [String] = []
        while lines.count < number {
            let recurrence = Recurrence(RecurrenceTests.random(&random), end: RecurrenceTests.end(&random))
            let start = CivilDay(number: Int.random(in: 10_000...30_000, using: &random))
            guard let days = Recurrence.Days(recurrence, from: start) else { continue }
            let found = days.upward(from: days.first).prefix(15).map(\.text)
            guard !found.isEmpty else { continue }
            lines.append("\(days.first.text) \(rule(recurrence)) \(found.joined(separator: ","))")
        }
        return lines
    }

    /// The rule as RFC 5545 writes it.
    private static func rule(_ recurrence: Recurrence) -> String {
        func names(_ days: some Sequence<Int>) -> String {
            days.map { ["MO", "TU", "WE", "TH", "FR", "SA", "SU"][$0 - 1] }.joined(separator: ",")
        }
        let pattern =
            switch recurrence.pattern {
            case .daily(let interval): "FREQ=DAILY;INTERVAL=\(interval)"
            case .weekly(let interval, let days):
                "FREQ=WEEKLY;INTERVAL=\(interval);WKST=MO;BYDAY=\(names(days.sorted()))"
            case .monthly(let interval, let day): "FREQ=MONTHLY;INTERVAL=\(interval);BYMONTHDAY=\(day)"
            case .monthlyWeekday(let interval, let weekday, let which):
                "FREQ=MONTHLY;INTERVAL=\(interval);BYDAY=\(which)\(names([weekday]))"
            case .yearly(let interval): "FREQ=YEARLY;INTERVAL=\(interval)"
            case .afterDone: ""
            }
        switch recurrence.end {
        case .never: return pattern
        case .until(let day): return "\(pattern);UNTIL=\(day.text.replacing("-", with: ""))T000000"
        case .count(let count): return "\(pattern);COUNT=\(count)"
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: Paths.python), "no Python"))
    func otherLibrariesFindTheSameDays() async throws {
        let output = try await ProcessUnderTest.run(
            Paths.python, ["-c", Self.script], input: Self.lines(500).joined(separator: "\n"))
        #expect(output == "500 agree", "\(output)")
    }
}
