import Instants
import Testing
import WaterQuality

/// Work on the water: what it leaves of findings, and when values count again. Work lasts from minute 60 to minute 90; the range is pH 7.5
/// to 8.5, critical beyond 7.0 and 9.0.
@Suite struct WorkTests {
    private static let kim = Account.ID(rawValue: 1)
    private static let lee = Account.ID(rawValue: 2)

    private static func minute(_ minute: Int) -> Timestamp { EvaluateTests.start + .seconds(minute * 60) }

    private static func work(by person: Account.ID? = kim, keepsHard: Bool = true, from: Int = 60, to: Int = 90) -> Work
    {
        Work(minute(from)..<minute(to), begunBy: person, keepsHard: keepsHard)
    }

    @Test(arguments: [(59, Working.no), (60, .tellsCritical), (89, .tellsCritical), (90, .no)])
    func theEventTimeDecides(minute: Int, expected: Working) {
        #expect([Self.work()].working(at: Self.minute(minute), for: Self.kim) == expected)
    }

    @Test func withoutWorkNothingIsDifferent() {
        #expect([Work]().working(at: Self.minute(60), for: Self.kim) == .no)
        #expect([Work]().settled(at: Self.minute(60)) == nil)
    }

    /// Whoever wants to hear nothing at once decides that for themselves, and for a quarter of an hour.
    @Test func nobodySilencesTheCriticalLimitsOfOthers() {
        let work = [Self.work(keepsHard: false)]
        #expect(work.working(at: Self.minute(60), for: Self.kim) == .tellsNothing)
        #expect(work.working(at: Self.minute(74), for: Self.kim) == .tellsNothing)
        #expect(work.working(at: Self.minute(75), for: Self.kim) == .tellsCritical)
        #expect(work.working(at: Self.minute(60), for: Self.lee) == .tellsCritical)
        #expect([Self.work(by: nil, keepsHard: false)].working(at: Self.minute(60), for: nil) == .tellsCritical)
        let both = work + [Self.work(by: Self.lee)]
        #expect(both.working(at: Self.minute(60), for: Self.kim) == .tellsCritical, "work of somebody else tells them")
    }

    @Test func valuesFollowFromEachOtherAfterTheWaterHasSettled() {
        let work = [Self.work(), Self.work(from: 200, to: 230)]
        #expect(work.settled(at: Self.minute(59)) == nil)
        #expect(work.settled(at: Self.minute(60)) == Self.minute(105))
        #expect(work.settled(at: Self.minute(199)) == Self.minute(105))
        #expect(work.settled(at: Self.minute(200)) == Self.minute(245))
        #expect(work.moved(by: .seconds(60))[0].period == Self.minute(61)..<Self.minute(91))
    }

    // MARK: Decisions

    private func decide(
        _ value: Int32, at minute: Int, _ state: WatchState, work: [Work], for person: Account.ID = kim
    ) throws -> Decision {
        let range = try SafeRange(.ph, minimum: 7.5, maximum: 8.5)
        let rules = WatchRules(critical: try CriticalBand(beyond: range, minimum: Steps(70), maximum: Steps(90)))
        let time = Self.minute(minute)
        return evaluate(
            range, state, Reading(time: time, value: Steps(value)), rules: rules,
            work: work.working(at: time, after: state.lastEvaluated, for: person), now: time + .seconds(1),
            newAlert: EvaluateTests.next,
            policy: AlertPolicy())
    }

    private let calm = WatchState(hasRecipient: true)

    @Test func noEpisodeOpensAndTheFirstReadingAfterTheEndDecides() throws {
        let during = try decide(88, at: 61, calm, work: [Self.work()])
        #expect(during.action == .nothing && during.reason == .working && during.notification == .none)
        #expect(during.next.lastEvaluated == Self.minute(61), "it counts as evaluated")
        let still = try decide(88, at: 90, during.next, work: [Self.work()])
        #expect(still.reason == .opened && still.notification == .alert(.opened))
        #expect(still.next.episode?.openedAt == Self.minute(90))
        #expect(try decide(80, at: 90, during.next, work: [Self.work()]).reason == .normal)
    }

    @Test(
        arguments: [
            (89, 61, Working.tellsCritical), (90, 89, .ended), (120, 61, .ended), (90, nil, .no), (91, 90, .no),
            (59, 58, .no),
        ] as [(Int, Int?, Working)])
    func theFirstReadingAfterTheWorkIsKnown(minute: Int, last: Int?, expected: Working) {
        let last = last.map(Self.minute)
        #expect([Self.work()].working(at: Self.minute(minute), after: last, for: Self.kim) == expected)
        let next = [Self.work(), Self.work(from: 90, to: 120)]
        #expect(
            next.working(at: Self.minute(90), after: Self.minute(89), for: Self.kim) == .tellsCritical,
            "one after the other")
    }

    @Test func whatIsStillOutsideAfterTheWorkIsToldSo() throws {
        let work = [Self.work()]
        let during = try decide(88, at: 89, calm, work: work)
        let still = try decide(88, at: 90, during.next, work: work)
        #expect(still.isAfterWork && still.notification == .alert(.opened))
        #expect(still.next.episode?.excursion?.stillAt == Self.minute(90), "the episode remembers it")
        // The next word is a reminder as any other.
        var told = still.next
        told.throttles.arrive()
        let reminder = try decide(88, at: 121, told, work: work)
        #expect(reminder.notification == .alert(.reminder) && !reminder.isAfterWork)
        #expect(reminder.next.episode?.excursion?.stillAt == Self.minute(90))
        // What nobody could be told yet is told so when somebody can be.
        var deaf = during.next
        deaf.hasRecipient = false
        var unheard = try decide(88, at: 90, deaf, work: work).next
        unheard.hasRecipient = true
        let heard = try decide(88, at: 95, unheard, work: work)
        #expect(heard.isAfterWork && heard.notification == .alert(.opened))
        // The other side, and what was fine before the end, are no more of the same.
        #expect(try !decide(72, at: 90, during.next, work: work).isAfterWork)
        let fine = try decide(80, at: 89, decide(88, at: 88, calm, work: work).next, work: work)
        #expect(try !decide(88, at: 90, fine.next, work: work).isAfterWork)
        #expect(try !decide(88, at: 91, decide(80, at: 90, during.next, work: work).next, work: work).isAfterWork)
    }

    @Test func whatWasOpenBeforeTheWorkGoesOn() throws {
        let work = [Self.work()]
        var open = try decide(88, at: 50, calm, work: work).next
        open.throttles.arrive()
        let inside = try decide(80, at: 89, open, work: work)
        let still = try decide(88, at: 90, inside.next, work: work)
        #expect(still.isAfterWork && still.notification == .alert(.reminder))
        #expect(still.next.episode?.openedAt == Self.minute(50))
    }

    @Test func whatIsOpenWaits() throws {
        var open = try decide(88, at: 50, calm, work: []).next
        open.throttles.arrive()
        let worse = try decide(89, at: 85, open, work: [Self.work()])
        #expect(worse.reason == .working && worse.notification == .none, "no reminder, though one is due")
        #expect(worse.next.episode == open.episode)
        let inside = try decide(80, at: 86, worse.next, work: [Self.work()])
        #expect(inside.reason == .working && inside.next.episode != nil, "nor is it over")
        let low = try decide(74, at: 87, inside.next, work: [Self.work()])
        #expect(low.reason == .working && low.next.episode?.side == .high, "nor does it change sides")
        let after = try decide(80, at: 90, low.next, work: [Self.work()])
        #expect(after.action.name == "close")
        #expect(try decide(88, at: 90, low.next, work: [Self.work()]).notification == .alert(.reminder))
    }

    @Test func whatIsCriticalIsToldAtOnce() throws {
        let critical = try decide(91, at: 61, calm, work: [Self.work()])
        #expect(critical.notification == .alert(.critical))
        let muted = [Self.work(keepsHard: false)]
        #expect(try decide(91, at: 61, calm, work: muted).reason == .working)
        #expect(try decide(91, at: 75, calm, work: muted).notification == .alert(.critical))
        #expect(try decide(91, at: 61, calm, work: muted, for: Self.lee).notification == .alert(.critical))
    }

    @Test func whatNobodyAsksForAnyMoreEndsInWorkToo() {
        #expect(Finding.moot(at: Self.minute(61)).during(.tellsNothing, open: nil) == .moot(at: Self.minute(61)))
        #expect(Finding.over(at: Self.minute(61)).during(.no, open: nil) == .over(at: Self.minute(61)))
        #expect(Finding.over(at: Self.minute(61)).during(.tellsNothing, open: nil) == .lingers(.working))
    }

    /// What work let through it also lets end, by the dead band as ever; the next value is of the work again.
    @Test func whatWasToldAsCriticalEndsInWork() throws {
        let work = [Self.work()]
        let told = try decide(91, at: 61, calm, work: work)
        #expect(told.notification == .alert(.critical))
        let lesser = try decide(88, at: 62, told.next, work: work)
        #expect(lesser.reason == .working && lesser.next.episode?.excursion?.isCritical == true)
        let settling = try decide(85, at: 63, lesser.next, work: work)
        #expect(settling.reason == .settling && settling.next.episode != nil)
        let over = try decide(80, at: 64, settling.next, work: work)
        #expect(over.reason == .recovered && over.action.name == "close" && over.next.episode == nil)
        #expect(try decide(88, at: 65, over.next, work: work).reason == .working)
        let muted = try decide(80, at: 64, lesser.next, work: [Self.work(keepsHard: false)])
        #expect(muted.reason == .recovered, "an end disturbs nobody")
    }

    @Test func aReplayEndsWhatWasCriticalInWork() throws {
        let range = try SafeRange(.ph, minimum: 7.5, maximum: 8.5)
        let rules = WatchReplay.Rules(
            range, rules: WatchRules(critical: try CriticalBand(beyond: range, minimum: Steps(70), maximum: Steps(90))),
            policy: AlertPolicy())
        var replay = WatchReplay()
        let reasons = [(61, 91), (62, 80), (63, 88)].map { minute, value in
            let time = Self.minute(minute)
            return replay.take(
                Reading(time: time, value: Steps(Int32(value))), by: rules, work: [Self.work()], for: Self.kim,
                now: time + .seconds(1)
            ).compactMap { effect -> Decision.Reason? in
                if case .decided(let decision) = effect { decision.reason } else { nil }
            }
        }
        #expect(reasons == [[.opened], [.recovered], [.working]])
    }

    // MARK: Replays

    /// A fast rise in work, and the fall afterwards, alarm nobody: courses begin anew.
    @Test func aCourseBeginsAnewAfterTheWork() throws {
        let range = try SafeRange(.temperature, minimum: 10, maximum: 40)
        let rules = WatchReplay.Rules(
            range, rules: WatchRules(changeLimit: ChangeLimit(perHour: Steps(20))), policy: AlertPolicy())
        func told(_ work: [Work]) -> Int {
            var replay = WatchReplay()
            return (0..<180).reduce(0) { count, minute in
                // 20 degrees, 30 while the probe lies in warm water, and 20 again
                let value: Int32 = (60..<90).contains(minute) ? 300 : 200
                let time = Self.minute(minute)
                let effects = replay.take(
                    Reading(time: time, value: Steps(value)), by: rules, work: work, for: Self.kim, now: time)
                return count
                    + effects.count { if case .told(.rate, _, _) = $0 { true } else { false } }
            }
        }
        #expect(told([]) > 0)
        #expect(told([Self.work()]) == 0)
    }

    /// What is measured in work shows no calm, so that an alarm from before it counts on.
    @Test(arguments: [(60, Decision.Notification.alert(.opened)), (65, .withheld(.throttled))])
    func aReplayGivesNothingBackInWork(until end: Int, expected: Decision.Notification) throws {
        let range = try SafeRange(.ph, minimum: 7.5, maximum: 8.5)
        var replay = WatchReplay()
        let told = [(50, 88), (52, 80), (60, 80), (65, 88)].map { minute, value in
            let time = Self.minute(minute)
            return replay.decide(
                Reading(time: time, value: Steps(Int32(value))), by: WatchReplay.Rules(range, policy: AlertPolicy()),
                work: [Self.work(from: 55, to: end)].working(at: time, for: Self.kim), now: time + .seconds(1)
            ).notification
        }
        #expect(told == [.alert(.opened), .none, .none, expected])
    }

    @Test func aBackTestLeavesWorkOut() throws {
        let range = try SafeRange(.ph, minimum: 7.5, maximum: 8.5)
        func alarms(_ work: [Work]) -> Int {
            var test = BackTest(range, policy: AlertPolicy(), work: work)
            test.add((0..<120).map { Reading(time: Self.minute($0), value: Steps((65..<85).contains($0) ? 95 : 80)) })
            return test.alarmCount
        }
        #expect(alarms([]) == 1)
        #expect(alarms([Self.work()]) == 0)
    }

    /// A probe that lay in a bucket has not stood still in the water.
    @Test func aFlatLineCountsFromTheEndOfTheWork() throws {
        let thresholds = Parameter.ph.qualityThresholds
        let moving = (0..<(7 * 24)).map { hour in
            let value = Float(700 + hour % 11)
            return FlatLine.Hour(start: Self.minute(hour * 60), least: value / 100, greatest: (value + 1) / 100)
        }
        let still = (0..<40).map { FlatLine.Hour(start: Self.minute((7 * 24 + $0) * 60), least: 7.21, greatest: 7.21) }
        let last = try #require(still.last?.start)
        #expect(FlatLine.find(moving + still, by: thresholds)?.since == still[0].start)
        let half = last - .seconds(20 * 3_600)
        #expect(FlatLine.find(moving + still, since: half, by: thresholds)?.since == half)
        #expect(FlatLine.find(moving + still, since: last - .seconds(3_600), by: thresholds) == nil)
        #expect(FlatLine.find(moving + still, since: last + .seconds(3_600), by: thresholds) == nil, "it goes on")
    }
}
