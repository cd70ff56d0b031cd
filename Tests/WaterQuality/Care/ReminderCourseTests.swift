import Instants
import Testing

@testable import WaterQuality

/// What of a reminder is open, missed and told, in a zone in which clocks show UTC.
@Suite struct ReminderCourseTests {
    private static func time(_ text: String) -> Timestamp { Timestamp(CivilTime(minuteText: text)!) }
    private static func act(_ what: CareAct.What, _ on: String, at: String, until: String? = nil) -> CareAct {
        let moment = time(at)
        return CareAct(what, on: CivilTime(minuteText: on)!, at: moment, day: CivilDay(moment), until: until.map(time))
    }

    private static func course(
        _ pattern: Recurrence.Pattern, end: Recurrence.End = .never, since: String = "2027-03-01T00:00",
        _ acts: [CareAct] = [],
        isEnded: Bool = false
    ) -> ReminderCourse {
        ReminderCourse(
            ReminderRule(
                Recurrence(pattern, end: end), minute: 18 * 60, zone: "UTC", startsOn: CivilDay("2027-03-01")!),
            since: time(since), isEnded: isEnded, acts: acts)
    }

    private static func instants(
        _ course: ReminderCourse, _ now: Timestamp, _ acts: [CareAct] = []
    ) -> [CivilTime: Timestamp] {
        Dictionary(
            (course.candidates(around: now) + acts.map(\.on)).map { ($0, Timestamp($0)) },
            uniquingKeysWith: { first, _ in first })
    }

    private static func standing(_ course: ReminderCourse, _ now: String) -> String {
        let moment = time(now)
        let standing = course.standing(instants(course, moment), now: moment, today: CivilDay(moment))
        guard let current = standing.current else { return "none" }
        return
            "\(CivilDay(current.on).text) \(current.state.rawValue) missed \(standing.missed) late \(standing.daysLate)"
    }

    private static func plan(_ course: ReminderCourse, lookedAt: String, now: String) -> ReminderPlan {
        let moment = time(now)
        return course.plan(instants(course, moment), lookedAt: time(lookedAt), now: moment, today: CivilDay(moment))
    }

    @Test func anOccurrenceIsAheadDueLateAndThenMissed() {
        let weekly = Self.course(.weekly(interval: 1, days: [1]))
        #expect(Self.standing(weekly, "2027-03-01T17:59") == "2027-03-01 ahead missed 0 late 0")
        #expect(Self.standing(weekly, "2027-03-01T18:00") == "2027-03-01 due missed 0 late 0")
        #expect(Self.standing(weekly, "2027-03-02T00:00") == "2027-03-01 late missed 0 late 1")
        #expect(Self.standing(weekly, "2027-03-08T17:59") == "2027-03-01 late missed 0 late 7")
        #expect(Self.standing(weekly, "2027-03-08T18:00") == "2027-03-08 due missed 1 late 0")
    }

    /// The loudest complaint about task lists: what is done late brings the next one in the past.
    @Test func afterWhatWasDoneLateTheNextLiesAhead() {
        let daily = Self.course(.daily(interval: 1), [Self.act(.done, "2027-03-05T18:00", at: "2027-03-06T09:00")])
        #expect(Self.standing(daily, "2027-03-06T09:00") == "2027-03-06 ahead missed 0 late 0")
        let skipped = Self.course(.daily(interval: 1), [Self.act(.skipped, "2027-03-05T18:00", at: "2027-03-06T09:00")])
        #expect(Self.standing(skipped, "2027-03-06T09:00") == "2027-03-06 ahead missed 0 late 0")
        let neglected = Self.course(.daily(interval: 1), [Self.act(.done, "2027-03-02T18:00", at: "2027-03-02T18:05")])
        #expect(
            Self.standing(neglected, "2027-03-06T20:00") == "2027-03-06 due missed 3 late 0",
            "one line: missed three times")
    }

    @Test func whatWasDoneEarlyCountsForTheComingOne() {
        let early = Self.act(.done, "2027-03-08T18:00", at: "2027-03-06T07:45")
        let weekly = Self.course(.weekly(interval: 1, days: [1]))
        let now = Self.time("2027-03-06T07:45")
        #expect(weekly.fault(of: early, Self.instants(weekly, now, [early]), now: now, today: CivilDay(now)) == nil)
        let tooEarly = Self.act(.done, "2027-03-08T18:00", at: "2027-03-04T17:00")
        let before = Self.time("2027-03-04T17:00")
        #expect(
            weekly.fault(of: tooEarly, Self.instants(weekly, before, [tooEarly]), now: before, today: CivilDay(before))
                == .tooEarly)
        let done = Self.course(.weekly(interval: 1, days: [1]), [early])
        #expect(
            Self.standing(done, "2027-03-06T08:00") == "2027-03-15 ahead missed 0 late 0",
            "and the open one is missed by it")
    }

    @Test func whatIsCountedFromWhatWasDoneWaitsForIt() {
        let first = Self.course(.afterDone(days: 10))
        #expect(Self.standing(first, "2027-03-20T12:00") == "2027-03-01 late missed 0 late 19")
        let late = Self.course(.afterDone(days: 10), [Self.act(.done, "2027-03-01T18:00", at: "2027-03-04T09:00")])
        #expect(Self.standing(late, "2027-03-04T09:00") == "2027-03-14 ahead missed 0 late 0")
        let early = Self.course(.afterDone(days: 1), [Self.act(.done, "2027-03-05T18:00", at: "2027-03-04T20:00")])
        #expect(
            Self.standing(early, "2027-03-04T20:00") == "2027-03-06 ahead missed 0 late 0", "not again on its own day")
        let over = Self.course(
            .afterDone(days: 10), end: .count(1), [Self.act(.done, "2027-03-01T18:00", at: "2027-03-01T19:00")])
        #expect(Self.standing(over, "2027-03-02T00:00") == "none")
    }

    @Test func anotherRuleLeavesNothingMissed() {
        let changed = Self.course(.daily(interval: 1), since: "2027-03-06T19:00")
        #expect(Self.standing(changed, "2027-03-06T20:00") == "2027-03-07 ahead missed 0 late 0")
        #expect(Self.standing(Self.course(.daily(interval: 1), isEnded: true), "2027-03-06T20:00") == "none")
    }

    // MARK: Telling

    @Test func eachIsToldOnceWhenItComes() {
        let daily = Self.course(.daily(interval: 1))
        let plan = Self.plan(daily, lookedAt: "2027-03-02T18:00", now: "2027-03-03T18:00")
        #expect(plan.told?.on.minuteText == "2027-03-03T18:00" && plan.missed == 2)
        #expect(plan.nextAt == Self.time("2027-03-04T18:00"))
        let again = Self.plan(daily, lookedAt: "2027-03-03T18:00", now: "2027-03-03T18:01")
        #expect(again.told == nil && again.nextAt == Self.time("2027-03-04T18:00"))
    }

    /// After an outage the newest is told, and how many were missed; a single old one is told as well.
    @Test func nothingIsLostOverAnOutage() {
        let daily = Self.plan(Self.course(.daily(interval: 1)), lookedAt: "2027-03-01T12:00", now: "2027-03-05T20:00")
        #expect(daily.told?.on.minuteText == "2027-03-05T18:00" && daily.missed == 4)
        let monthly = Self.course(.monthly(interval: 1, day: 2))
        let told = Self.plan(monthly, lookedAt: "2027-03-02T12:00", now: "2027-03-25T12:00").told
        #expect(told?.on.minuteText == "2027-03-02T18:00" && told?.state == .late)
    }

    @Test func whatIsPutOffIsToldWhenThatEnds() {
        let later = Self.act(.later, "2027-03-01T18:00", at: "2027-03-01T18:05", until: "2027-03-02T09:00")
        let weekly = Self.course(.weekly(interval: 1, days: [1]), [later])
        #expect(Self.standing(weekly, "2027-03-01T19:00") == "2027-03-01 ahead missed 0 late 0")
        #expect(
            Self.plan(weekly, lookedAt: "2027-03-01T18:00", now: "2027-03-01T19:00").nextAt
                == Self.time("2027-03-02T09:00"))
        let plan = Self.plan(weekly, lookedAt: "2027-03-01T18:00", now: "2027-03-02T09:00")
        #expect(plan.told?.on.minuteText == "2027-03-01T18:00" && plan.nextAt == Self.time("2027-03-08T18:00"))
    }

    @Test func whatIsCountedFromWhatWasDoneIsToldOnceMore() {
        let course = Self.course(.afterDone(days: 10))
        let first = Self.plan(course, lookedAt: "2027-03-01T12:00", now: "2027-03-01T18:00")
        #expect(first.told != nil && first.nextAt == Self.time("2027-03-11T18:00"))
        let second = Self.plan(course, lookedAt: "2027-03-01T18:00", now: "2027-03-11T18:00")
        #expect(second.told != nil && second.nextAt == nil, "and no third time")
    }

    @Test func whatIsDoneOrEndedIsToldNobody() {
        let done = Self.course(.daily(interval: 1), [Self.act(.done, "2027-03-03T18:00", at: "2027-03-03T17:00")])
        #expect(Self.plan(done, lookedAt: "2027-03-02T18:00", now: "2027-03-03T18:00").told == nil)
        let ended = Self.course(.daily(interval: 1), isEnded: true)
        #expect(
            Self.plan(ended, lookedAt: "2027-03-02T18:00", now: "2027-03-03T18:00")
                == ReminderPlan(told: nil, missed: 0, nextAt: nil))
    }

    @Test func aPhoneThatWasOfflineIsHeard() {
        let course = Self.course(.daily(interval: 1), since: "2027-03-06T12:00")
        let now = Self.time("2027-03-06T12:30")
        // By the rule of before, which had another time of day.
        let offline = Self.act(.done, "2027-03-05T09:00", at: "2027-03-05T09:10")
        #expect(course.fault(of: offline, Self.instants(course, now, [offline]), now: now, today: CivilDay(now)) == nil)
        let never = Self.act(.done, "2027-09-05T09:00", at: "2027-03-06T12:00")
        #expect(
            course.fault(of: never, Self.instants(course, now, [never]), now: now, today: CivilDay(now)) == .tooEarly)
        let weekly = Self.course(.weekly(interval: 1, days: [1]))
        let wrong = Self.act(.done, "2027-03-09T18:00", at: "2027-03-09T18:00")
        let then = Self.time("2027-03-09T18:30")
        #expect(
            weekly.fault(of: wrong, Self.instants(weekly, then, [wrong]), now: then, today: CivilDay(then))
                == .notAnOccurrence)
    }
    @Test func actsReachNoFurtherThanAYearOrSo() {
        let now = Self.time("2027-03-06T12:00")
        func fault(_ act: CareAct, _ course: ReminderCourse) -> ReminderCourse.ActFault? {
            course.fault(of: act, Self.instants(course, now, [act]), now: now, today: CivilDay(now))
        }
        let daily = Self.course(.daily(interval: 1))
        #expect(fault(Self.act(.done, "2026-02-01T09:00", at: "2027-03-06T12:00"), daily) == nil)
        #expect(fault(Self.act(.done, "2026-01-01T09:00", at: "2027-03-06T12:00"), daily) == .notAnOccurrence)
        #expect(fault(Self.act(.skipped, "2028-04-01T18:00", at: "2027-03-06T12:00"), daily) == nil)
        #expect(fault(Self.act(.skipped, "2028-05-01T18:00", at: "2027-03-06T12:00"), daily) == .notOpen)
        let rare = Self.course(.yearly(interval: 2))
        #expect(fault(Self.act(.skipped, "2029-03-01T18:00", at: "2027-03-06T12:00"), rare) == nil, "the next one")
    }
}
