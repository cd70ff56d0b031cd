import Instants
import TestSupport
import Testing
import WaterQuality

/// The calls for an alarm that nobody answers.
struct EscalationTests {
    private let start = Timestamp(microseconds: 1_764_381_120_000_000)
    private let calm = Duration.seconds(300)

    private func minute(_ minutes: Int) -> Timestamp { start + .seconds(60 * minutes) }

    private func look(
        _ state: Escalation, at now: Timestamp, isOpen: Bool = true, answeredUntil: Timestamp? = nil,
        workedUntil: Timestamp? = nil, steps: [Int] = [10, 20]
    ) -> Escalation.Look {
        state.look(
            isOpen: isOpen, answeredUntil: answeredUntil, workedUntil: workedUntil, steps: steps, calm: calm, now: now)
    }

    @Test func eachStepIsCalledInItsTurn() {
        var state = Escalation(beganAt: start)
        var called: [Int: [Int]] = [:]
        for minutes in 0...25 {
            let look = look(state, at: minute(minutes))
            if !look.due.isEmpty { called[minutes] = look.due }
            #expect(look.callsOff == nil && !look.isEnded)
            state = look.next
        }
        #expect(called == [10: [10], 20: [20]])
    }

    @Test func itIsLookedAtAgainForTheNextStepOrAfterAMinute() {
        let state = Escalation(beganAt: start)
        #expect(look(state, at: start).againAt == minute(4), "nobody waits for its end yet")
        #expect(look(state, at: minute(9) + .seconds(30)).againAt == minute(10))
        #expect(look(state, at: minute(10)).againAt == minute(11), "somebody who was called does")
    }

    @Test func anAnswerHoldsAndThenItBeginsAnew() {
        let called = look(Escalation(beganAt: start), at: minute(10)).next
        let answered = look(called, at: minute(12), answeredUntil: minute(72))
        #expect(answered.callsOff == .answered && answered.due.isEmpty)
        #expect(look(answered.next, at: minute(40), answeredUntil: minute(72)).due.isEmpty)
        let anew = look(answered.next, at: minute(72))
        #expect(anew.next == Escalation(beganAt: minute(72)))
        #expect(look(anew.next, at: minute(82)).due == [10])
    }

    /// Whoever was called goes on being called, and hears of an answer or the end as ever.
    @Test func workHoldsAndAReadingFromAfterItDecidesFirst() {
        let called = look(Escalation(beganAt: start), at: minute(10)).next
        let worked = look(called, at: minute(20), workedUntil: minute(42))
        #expect(worked.due.isEmpty && worked.callsOff == nil && worked.next.heldUntil == minute(47))
        #expect(look(worked.next, at: minute(46), workedUntil: minute(42)).due.isEmpty)
        let anew = look(worked.next, at: minute(47), workedUntil: minute(42))
        #expect(anew.next == Escalation(beganAt: minute(47)) && anew.due.isEmpty)
        #expect(look(anew.next, at: minute(57), workedUntil: minute(42)).due == [10])
        let answered = look(worked.next, at: minute(21), answeredUntil: minute(72), workedUntil: minute(42))
        #expect(answered.callsOff == .answered && answered.next.heldUntil == minute(72))
        let over = look(worked.next, at: minute(21), isOpen: false, workedUntil: minute(42))
        #expect(look(over.next, at: minute(26), isOpen: false, workedUntil: minute(42)).callsOff == .over)
    }

    @Test func whatIsOverForAWhileEndsAndWhatReturnsGoesOn() {
        let called = look(Escalation(beganAt: start), at: minute(10)).next
        let over = look(called, at: minute(11), isOpen: false)
        #expect(!over.isEnded && over.callsOff == nil && over.due.isEmpty)
        let back = look(over.next, at: minute(13))
        #expect(back.next.overSince == nil && !back.isEnded)
        #expect(look(back.next, at: minute(20)).due == [20], "values that leave their range and return are one trouble")
        let ended = look(over.next, at: minute(16), isOpen: false)
        #expect(ended.isEnded && ended.callsOff == .over)
    }

    @Test func nobodyIsCalledWhileItIsOver() {
        let over = look(Escalation(beganAt: start), at: minute(10), isOpen: false)
        #expect(over.due.isEmpty && over.next.calledThrough == 0)
        #expect(look(over.next, at: minute(12)).due == [10], "it is back, and the step is late")
    }

    @Test func theChainIsGoneThroughThreeTimes() {
        var state = Escalation(beganAt: start)
        var calls: [Int] = []
        for minutes in 0...600 {
            let look = look(state, at: minute(minutes))
            calls += look.due.map { _ in minutes }
            state = look.next
        }
        #expect(calls == [10, 20, 90, 100, 170, 180])
    }

    /// After an outage nobody is called for what nobody knows any more; the round begins anew.
    @Test func whatIsFarTooLateBeginsAnew() {
        let late = look(Escalation(beganAt: start), at: minute(31))
        #expect(late.due.isEmpty && late.next == Escalation(beganAt: minute(31)))
        #expect(look(late.next, at: minute(41)).due == [10])
        #expect(look(Escalation(beganAt: start), at: minute(30)).due == [10, 20])
    }

    @Test func aBeginningInTheFutureHoldsNothingBack() {
        let state = Escalation(beganAt: start + .seconds(86_400))
        let moved = look(state, at: start).next
        #expect(moved.beganAt == start)
    }

    /// The present chain counts: a step that was added is called, and one that was called is not called again because another was taken out.
    @Test func theChainMayChangeOnTheWay() {
        let called = look(Escalation(beganAt: start), at: minute(10)).next
        #expect(look(called, at: minute(15), steps: [10, 15, 20]).due == [15])
        #expect(look(called, at: minute(15), steps: [20]).due.isEmpty)
        #expect(look(called, at: minute(15), steps: [5, 20]).due.isEmpty)
    }

    /// Whatever happens, in any order and looked at late or early: nobody is called while somebody is on it or works, or it is over, no step twice in
    /// a round, and none later than it is due once it is looked at.
    @Test(arguments: 0..<200 as Range<UInt64>) func nothingIsLostAndNothingIsToldTwice(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let steps = (0..<Int.random(in: 1...5, using: &random)).map { _ in Int.random(in: 1...60, using: &random) }
            .sorted()
        var state = Escalation(beganAt: start)
        var now = start
        var answeredUntil: Timestamp?
        var workedUntil: Timestamp?
        var inRound: [Int] = []
        for _ in 0..<300 {
            now = now + .seconds(Int64.random(in: 1...900, using: &random))
            let isOpen = Int.random(in: 0..<10, using: &random) > 0
            if Int.random(in: 0..<20, using: &random) == 0 { answeredUntil = now + .seconds(3_600) }
            if Int.random(in: 0..<20, using: &random) == 0 { workedUntil = now + .seconds(1_800) }
            let look = look(
                state, at: now, isOpen: isOpen, answeredUntil: answeredUntil, workedUntil: workedUntil, steps: steps)
            let holds = [answeredUntil, workedUntil.map { $0 + Escalation.afterWork }].compactMap(\.self)
            let isHeld = holds.contains { $0 > now }
            if look.next.beganAt != state.beganAt { inRound = [] }
            if !isOpen || isHeld {
                #expect(look.due.isEmpty)
            } else {
                let elapsed = Int((now - look.next.beganAt).components.seconds / 60)
                let expected = steps.filter { $0 <= elapsed && !inRound.contains($0) && $0 > (inRound.last ?? 0) }
                #expect(look.due == expected, "what is due is called now, once")
                inRound += look.due
            }
            #expect(look.againAt > now && look.againAt <= now + Escalation.longestCalmPause)
            #expect(look.next.round <= Escalation.mostRounds)
            if look.isEnded { break }
            state = look.next
        }
    }
}
