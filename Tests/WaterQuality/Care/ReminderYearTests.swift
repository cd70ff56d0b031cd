import Instants
import TestSupport
import Testing

@testable import WaterQuality

/// Years of keepers who do, forget, leave out, put off and undo, with somebody who looks when something is planned, or much later. What is open is
/// told once, and what is settled is not told.
@Suite struct ReminderYearTests {
    private static let patterns: [Recurrence.Pattern] = [
        .daily(interval: 1), .daily(interval: 3), .weekly(interval: 1, days: [1, 2, 6]), .monthly(interval: 1, day: 31),
        .monthlyWeekday(interval: 1, weekday: 6, which: -1), .afterDone(days: 1), .afterDone(days: 10),
    ]

    /// A keeper, and what has been told of a reminder.
    private struct Year {
        let pattern: Recurrence.Pattern
        var label: String { String(describing: pattern) }
        var acts: [CareAct] = []
        var now = Timestamp(unixSeconds: Int64(1_767_225_600))  // 2026-01-01
        var lookedAt = Timestamp(unixSeconds: Int64(1_767_225_600))
        /// How often each occurrence was told, and how often it may have been.
        var told: [CivilTime: Int] = [:]
        var allowed: [CivilTime: Int] = [:]

        var course: ReminderCourse {
            ReminderCourse(
                ReminderRule(Recurrence(pattern), minute: 18 * 60, zone: "UTC", startsOn: CivilDay("2026-01-01")!),
                since: Timestamp(unixSeconds: Int64(1_767_225_600)), acts: acts)
        }

        func instants(_ course: ReminderCourse) -> [CivilTime: Timestamp] {
            Dictionary(course.candidates(around: now).map { ($0, Timestamp($0)) }) { first, _ in first }
        }

        mutating func look() -> Timestamp? {
            let course = course
            let instants = instants(course)
            let plan = course.plan(instants, lookedAt: lookedAt, now: now, today: CivilDay(now))
            if let one = plan.told {
                told[one.on, default: 0] += 1
                let name = "\(label), \(CivilDay(one.on).text)"
                #expect(
                    one.isOpen && one.at <= now && course.settled[CivilDay(one.on)] == nil,
                    "\(name)")
                #expect(
                    told[one.on, default: 0] <= allowed[one.on, default: course.counted == nil ? 1 : 2],
                    "\(name) too often")
            }
            lookedAt = now
            let current = course.standing(instants, now: now, today: CivilDay(now)).current
            if let current, current.isOpen {
                #expect(told[current.on] != nil, "\(label), \(CivilDay(current.on).text): lost")
            }
            #expect(plan.nextAt.map { $0 > now } ?? true)
            return plan.nextAt
        }

        mutating func live(_ random: inout SeededGenerator) {
            let course = course
            guard let current = course.standing(instants(course), now: now, today: CivilDay(now)).current else {
                return
            }
            func act(_ what: CareAct.What, until: Timestamp? = nil) -> CareAct {
                CareAct(what, on: current.on, at: now, day: CivilDay(now), until: until)
            }
            let chosen: CareAct
            switch Int.random(in: 0..<10, using: &random) {
            case 0...3: chosen = act(.done)
            case 4: chosen = act(.skipped)
            case 5: chosen = act(.later, until: now + .seconds(Int.random(in: 3600...200_000, using: &random)))
            case 6:
                // Whoever undoes it sees that it is open: it is told nobody anew.
                if let last = acts.popLast() {
                    allowed[last.on, default: 2] += 1
                    told[last.on, default: 0] += 0
                }
                return
            default: return
            }
            var known = instants(course)
            known[chosen.on] = Timestamp(chosen.on)
            guard course.fault(of: chosen, known, now: now, today: CivilDay(now)) == nil else { return }
            if chosen.what == .later {
                acts.removeAll { $0.what == .later && $0.on == chosen.on }
                allowed[chosen.on, default: 2] += 1
            }
            acts.append(chosen)
        }
    }

    @Test(arguments: patterns.indices) func whatIsOpenIsToldOnce(_ place: Int) {
        var random = SeededGenerator(seed: UInt64(place))
        for _ in 0..<2 {
            var year = Year(pattern: Self.patterns[place])
            for _ in 0..<300 {
                let next = year.look()
                year.live(&random)
                let isPrompt = Int.random(in: 0..<4, using: &random) > 0
                let later = year.now + .seconds(Int.random(in: 600...(isPrompt ? 50_000 : 400_000), using: &random))
                year.now = isPrompt ? min(next ?? later, later) : later
            }
            #expect(!year.told.isEmpty)
        }
    }
}
