import Instants
import TestSupport
import Testing
import WaterQuality

/// Probes that report that they are broken. Times are seconds after `start`.
@Suite struct ProbeFaultTests {
    private static let start = Timestamp(unixSeconds: Int64(1_777_636_800))
    private static let day = 86_400

    private static func second(_ seconds: Int) -> Timestamp { start + .seconds(seconds) }

    // MARK: Changes of a fault

    private func change(
        _ fault: (since: Int, last: Int)?, _ word: ProbeFault.Word, at second: Int, evaluated: Int? = nil,
        now: Int? = nil
    ) -> ProbeFault.Change {
        ProbeFault.change(
            of: fault.map { ProbeFault(since: Self.second($0.since), lastAt: Self.second($0.last)) }, by: word,
            at: Self.second(second), lastEvaluated: evaluated.map(Self.second),
            latest: EventTime.latest(before: Self.second(second), now: Self.second(now ?? second)))
    }

    private func broken(_ since: Int, _ last: Int) -> ProbeFault.Change {
        .broken(ProbeFault(since: Self.second(since), lastAt: Self.second(last)))
    }

    @Test func theFirstWordBeginsItAndTheNextGoOn() {
        #expect(change(nil, .broken, at: 30) == broken(30, 30))
        #expect(change((30, 30), .broken, at: 60) == broken(30, 60))
    }

    @Test func aNewerValueEndsIt() {
        #expect(change((30, 60), .value, at: 90) == .over)
        #expect(change(nil, .value, at: 90) == .none)
    }

    /// A late or repeated message changes nothing.
    @Test func whatIsNotNewerChangesNothing() {
        #expect(change((30, 60), .broken, at: 60) == .none && change((30, 60), .broken, at: 45) == .none)
        #expect(change((30, 60), .value, at: 60) == .none && change((30, 60), .value, at: 45) == .none)
        #expect(change(nil, .broken, at: 30, evaluated: 30) == .none, "a value of then or later is known")
        #expect(change(nil, .broken, at: 31, evaluated: 30) == broken(31, 31))
    }

    /// A device's clock was an hour ahead: its later times are void once the clock is right.
    @Test func marksOfAClockThatWasAheadAreVoid() {
        #expect(change((3_600, 3_630), .broken, at: 60) == broken(60, 60))
        #expect(change((3_600, 3_630), .value, at: 60) == .over)
        #expect(change(nil, .broken, at: 60, evaluated: 3_600) == broken(60, 60))
    }

    /// A single bad transfer alerts nobody, however often a device sends.
    @Test(arguments: [(1, 59, false), (1, 60, true), (30, 30, false), (30, 60, true), (900, 900, true)])
    func itIsProvenAfterAMinute(pace: Int, last: Int, isProven: Bool) {
        var fault: ProbeFault?
        for second in stride(from: 0, through: last, by: pace) {
            guard case .broken(let next) = change(fault.map { _ in (0, second - pace) }, .broken, at: second) else {
                Issue.record("at \(second)")
                return
            }
            fault = next
        }
        #expect(fault?.isProven == isProven)
    }

    /// The order in which messages arrive does not matter: only the newest one decides.
    @Test func theOrderOfMessagesDoesNotMatterToWhetherItIsBroken() {
        for seed in 0..<200 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let words = (0..<12).map { ($0 * 30, Bool.random(using: &generator) ? ProbeFault.Word.broken : .value) }
            func isBroken(_ words: [(Int, ProbeFault.Word)]) -> Bool {
                var (fault, evaluated): (ProbeFault?, Timestamp?) = (nil, nil)
                for (second, word) in words {
                    let time = Self.second(second)
                    switch ProbeFault.change(
                        of: fault, by: word, at: time, lastEvaluated: evaluated,
                        latest: EventTime.latest(before: time, now: Self.second(360)))
                    {
                    case .none: break
                    case .broken(let next): fault = next
                    case .over: fault = nil
                    }
                    if word == .value { evaluated = max(evaluated ?? time, time) }
                }
                return fault != nil
            }
            let expected = words.last?.1 == .broken
            #expect(isBroken(words) == expected)
            #expect(isBroken(words.shuffled(using: &generator)) == expected, "seed \(seed)")
            #expect(isBroken(words + words) == expected, "replayed, seed \(seed)")
        }
    }

    // MARK: Decisions for a person

    private func decide(
        _ fault: (since: Int, last: Int)?, at second: Int? = nil, given state: KindState, late: Int = 0
    ) -> Decision {
        let time = second ?? fault?.last ?? 0
        let moment = FoundAt(Self.second(time), now: Self.second(time + late))
        return state.decide(.fault, now: moment.now) {
            .fault(
                fault.map { ProbeFault(since: Self.second($0.since), lastAt: Self.second($0.last)) }, at: moment,
                open: $0, theirsFrom: $1)
        }
    }

    private func state(
        since: Int? = nil, isAlerted: Bool = true, chargedAt: Int? = nil, pending: Alert.Reference? = nil,
        hasRecipient: Bool = true, theirsFrom: Int? = nil
    ) -> KindState {
        KindState(
            episode: since.map { Episode(.fault(flatAt: nil), openedAt: Self.second($0), isAlerted: isAlerted) },
            throttle: chargedAt.map { Throttle(runsFrom: Self.second($0), pending: pending) },
            hasRecipient: hasRecipient, theirsFrom: theirsFrom.map(Self.second))
    }

    @Test func aProvenFaultIsTold() {
        let decision = decide((0, 60), given: state())
        #expect(decision.action == .open(Episode(.fault(flatAt: nil), openedAt: Self.start, isAlerted: true)))
        #expect(decision.notification == .alert(.opened))
        #expect(decide((0, 59), given: state()) == decide(nil, given: state()), "a glitch is nothing")
    }

    @Test func aValueEndsIt() {
        let decision = decide(nil, at: 90, given: state(since: 0, chargedAt: 60))
        let due = RecoveryNotice.due(closedAt: Self.second(90), now: Self.second(90), policy: AlertPolicy())
        #expect(decision.action == .close(at: Self.second(90), recoveryDueAt: due))
        #expect(decision.notification == .none)
    }

    /// A broken probe does not get worse: it alerts once, then daily for a week.
    @Test(arguments: [(1_800, false), (day - 1, false), (day, true), (7 * day, true), (8 * day, false)])
    func remindersComeDailyForAWeek(second: Int, isReminded: Bool) {
        let charged = second <= Self.day ? 0 : second - Self.day
        let decision = decide((0, second), given: state(since: 0, chargedAt: charged))
        #expect(decision.notification == (isReminded ? .alert(.reminder) : .none))
    }

    @Test(arguments: [(1_799, false), (1_800, true)]) func theThrottleHolds(second: Int, isFree: Bool) {
        let decision = decide((second - 60, second), given: state(chargedAt: 0))
        #expect(decision.notification == (isFree ? .alert(.opened) : .withheld(.throttled)))
        guard case .open(let episode) = decision.action else {
            Issue.record("\(decision)")
            return
        }
        #expect(episode.isAlerted == isFree)
    }

    /// A device that was away sends its stored readings: an old fault is kept, and alerts with the next fresh report.
    @Test func whatIsStaleIsNotTold() {
        let stale = decide((0, 60), given: state(), late: 901)
        #expect(stale.notification == .withheld(.stale))
        #expect(stale.action == .open(Episode(.fault(flatAt: nil), openedAt: Self.start)))
        #expect(decide((0, 60), given: state(), late: 900).notification == .alert(.opened))
        #expect(decide((0, 990), given: state(since: 0, isAlerted: false)).notification == .alert(.opened))
    }

    @Test func withoutAnEndpointItIsKeptUntold() {
        #expect(decide((0, 60), given: state(hasRecipient: false)).notification == .withheld(.noRecipient))
        #expect(decide((0, 90), given: state(since: 0, isAlerted: false)).notification == .alert(.opened))
    }

    /// A person who joins later is alerted of a fault, which then begins with their own time.
    @Test func aPersonKnowsOfTheirOwnTimeOnly() {
        let decision = decide((0, 3_600), given: state(theirsFrom: 1_800))
        #expect(decision.action == .open(Episode(.fault(flatAt: nil), openedAt: Self.second(1_800), isAlerted: true)))
    }
}
