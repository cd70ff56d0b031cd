import Instants
import Testing
import WaterQuality

/// Decisions on a device last heard at `heard`. Times are minutes after that.
@Suite struct SilenceTests {
    private static let heard = Timestamp(unixSeconds: Int64(1_777_636_800))
    private static let earlier = Alert.Reference.stored(Alert.ID(rawValue: 7))
    private static let day = 1_440

    private static func minute(_ minutes: Int) -> Timestamp { heard + .seconds(minutes * 60) }

    private func decide(
        _ hearing: Hearing = .silent, at minutes: Int = 5, heardAt: Int? = 0, given state: KindState
    ) -> Decision {
        state.decide(.silence, now: Self.minute(minutes)) {
            hearing.finding(heardAt: heardAt.map(Self.minute), open: $0, theirsFrom: $1, now: Self.minute(minutes))
        }
    }

    /// - Parameter since: The minute of the open silence, if any.
    private func state(
        since: Int? = nil, isAlerted: Bool = true, chargedAt: Int? = nil, pending: Alert.Reference? = nil,
        hasRecipient: Bool = true, theirsFrom: Int? = nil
    ) -> KindState {
        KindState(
            episode: since.map { Episode(.silence, openedAt: Self.minute($0), isAlerted: isAlerted) },
            throttle: chargedAt.map { Throttle(runsFrom: Self.minute($0), pending: pending) },
            hasRecipient: hasRecipient, theirsFrom: theirsFrom.map(Self.minute))
    }

    @Test func aSilentDeviceIsTold() {
        let decision = decide(given: state())
        #expect(decision.action == .open(Episode(.silence, openedAt: Self.heard, isAlerted: true)))
        #expect(decision.notification == .alert(.opened))
    }

    @Test(arguments: [Hearing.heard, .unknown]) func whatIsNotSilentOpensNothing(hearing: Hearing) {
        for state in [state(), state(since: 0, chargedAt: 5)] {
            let decision = decide(hearing, at: 60, given: state)
            #expect(decision.action == .nothing && decision.notification == .none)
        }
    }

    @Test func oneReadingEndsIt() {
        let decision = decide(.heard, at: 60, heardAt: 59, given: state(since: 0, chargedAt: 5))
        let due = RecoveryNotice.due(closedAt: Self.minute(59), now: Self.minute(60), policy: AlertPolicy())
        #expect(decision.action == .close(at: Self.minute(59), recoveryDueAt: due))
        #expect(decision.notification == .none)
    }

    /// The device was heard between two checks and fell silent again: the first silence ends, the next check opens
    /// another.
    @Test func aSilenceAfterAnotherIsAnother() {
        let decision = decide(.silent, at: 60, heardAt: 30, given: state(since: 0, chargedAt: 5))
        guard case .close(Self.minute(30), _) = decision.action else {
            Issue.record("\(decision)")
            return
        }
    }

    @Test func withoutAnEndpointItIsKeptUntold() {
        let decision = decide(given: state(hasRecipient: false))
        var silence = Episode(.silence, openedAt: Self.heard)
        silence.noRecipient = true
        #expect(decision.action == .open(silence) && decision.notification == .withheld(.noRecipient))
        let later = KindState(episode: silence, hasRecipient: true)
        #expect(decide(at: 30, given: later).notification == .alert(.opened), "as soon as there is one")
    }

    /// At most one notification per interval, whatever the device does.
    @Test(arguments: [(29, false), (30, true)]) func theThrottleHolds(minutes: Int, isFree: Bool) {
        let decision = decide(at: minutes, heardAt: minutes - 5, given: state(chargedAt: 0))
        guard case .open(let silence) = decision.action else {
            Issue.record("\(decision)")
            return
        }
        #expect(silence.isAlerted == isFree)
        #expect(decision.notification == (isFree ? .alert(.opened) : .withheld(.throttled)))
        let later = decide(
            at: 30, heardAt: minutes - 5, given: state(since: minutes - 5, isAlerted: false, chargedAt: 0))
        #expect(later.notification == .alert(.opened), "what was withheld is told when the throttle is free")
    }

    @Test func anAlarmOnItsWayHoldsTheNextBack() {
        let before = state(since: 0, isAlerted: false, chargedAt: 0, pending: Self.earlier)
        #expect(decide(at: 60, given: before).notification == .withheld(.throttled))
    }

    /// Nobody received the alarm, so its charge was refunded and a new alarm follows, not a reminder.
    @Test func aRefundedAlarmIsMadeAgain() {
        #expect(decide(at: 60, given: state(since: 0, chargedAt: nil)).notification == .alert(.opened))
    }

    @Test(arguments: [(day - 1, false), (day, true), (7 * day, true), (7 * day + day / 2, false), (30 * day, false)])
    func remindersComeDailyForAWeek(minutes: Int, isReminded: Bool) {
        let charged = minutes <= Self.day ? 0 : minutes - Self.day
        let decision = decide(at: minutes, given: state(since: 0, chargedAt: charged))
        #expect(decision.notification == (isReminded ? .alert(.reminder) : .none))
        #expect(decision.action == .nothing, "the silence itself is the same")
    }

    /// A charge from a clock that was ahead withholds nothing.
    @Test func aChargeInTheFutureHoldsNothingBack() {
        let decision = decide(at: 5, given: state(chargedAt: 10 * Self.day))
        #expect(decision.notification == .alert(.opened))
    }

    /// Receipts from a clock that was ahead open no silence in the future, and end none.
    @Test func aReceiptAheadOfTheClockIsNoTime() {
        #expect(
            decide(at: 5, heardAt: 120, given: state()).action
                == .open(Episode(.silence, openedAt: Self.minute(5), isAlerted: true)))
        let later = decide(at: 6, heardAt: 120, given: state(since: 5, chargedAt: 5))
        #expect(later.action == .nothing && later.notification == .none, "as silent as before")
    }

    /// A silence opened by a clock that was ahead ends with the next receipt, although that is earlier.
    @Test func aSilenceInTheFutureEnds() {
        let future = state(since: 120, chargedAt: 5)
        let due = RecoveryNotice.due(closedAt: Self.minute(9), now: Self.minute(10), policy: AlertPolicy())
        #expect(
            decide(.heard, at: 10, heardAt: 9, given: future).action
                == .close(at: Self.minute(9), recoveryDueAt: due))
        #expect(decide(.silent, at: 10, heardAt: 4, given: future).action == .nothing)
        #expect(decide(.unknown, at: 10, heardAt: 9, given: future).action == .nothing)
    }

    /// A new owner is not alerted of a silence if the last reading belongs to the former owner.
    @Test func aDeviceThatThisPersonNeverHeardIsNotSilentForThem() {
        let decision = decide(at: 60, given: state(theirsFrom: 30))
        #expect(decision.action == .nothing && decision.notification == .none)
        #expect(decide(at: 60, given: state(theirsFrom: 0)).notification == .alert(.opened))
    }
}
