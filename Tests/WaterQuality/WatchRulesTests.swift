import Instants
import Testing
import WaterQuality

/// Rules that people set beside their limits: pH 7.5 to 8.5, critical below 7.0 and above 9.0. Decisions are made one
/// minute after the reading unless a test says otherwise.
@Suite struct WatchRulesTests {
    static let start = Timestamp(unixSeconds: Int64(1_777_636_800))
    static let next = Alert.Reference.new(0)
    static let earlier = Alert.Reference.stored(Alert.ID(rawValue: 7))

    func rules(delayMinutes: Int = 0, isCritical: Bool = false) throws -> WatchRules {
        let range = try SafeRange(.ph, minimum: 7.5, maximum: 8.5)
        return WatchRules(
            delay: .seconds(delayMinutes * 60),
            critical: isCritical ? try CriticalBand(beyond: range, minimum: Steps(70), maximum: Steps(90)) : .none)
    }

    /// A watch with its snoozes.
    @dynamicMemberLookup struct Watch: Equatable {
        var state: WatchState
        var snoozes = Snoozes.none

        init(_ state: WatchState, _ snoozes: Snoozes = .none) {
            self.state = state
            self.snoozes = snoozes
        }

        init(hasRecipient: Bool, snoozes: Snoozes = .none) {
            self.init(WatchState(hasRecipient: hasRecipient), snoozes)
        }

        subscript<Value>(dynamicMember path: WritableKeyPath<WatchState, Value>) -> Value {
            get { state[keyPath: path] }
            set { state[keyPath: path] = newValue }
        }
    }

    /// A decision with the watch after it.
    @dynamicMemberLookup struct Decided {
        let decision: Decision
        let next: Watch

        subscript<Value>(dynamicMember path: KeyPath<Decision, Value>) -> Value { decision[keyPath: path] }
    }

    func decide(
        _ value: Int32, at minutes: Int = 60, age: Duration = .seconds(60), _ watch: Watch, _ rules: WatchRules,
        policy: AlertPolicy = AlertPolicy()
    ) throws -> Decided {
        let time = Self.start + .seconds(minutes * 60)
        let decision = evaluate(
            try SafeRange(.ph, minimum: 7.5, maximum: 8.5), watch.state, Reading(time: time, value: Steps(value)),
            rules: rules, snoozes: watch.snoozes, now: time + age, newAlert: Self.next, policy: policy)
        var snoozes = watch.snoozes
        snoozes.follow(decision.action, of: watch.state.episode)
        return Decided(decision: decision, next: Watch(decision.next, snoozes))
    }

    /// An open episode since minute 30, last evaluated at minute 59.
    func open(
        _ side: Side = .high, isAlerted: Bool = true, isCritical: Bool = false, throttle: Throttle? = nil,
        hasRecipient: Bool = true, snoozes: Snoozes = .none
    ) -> Watch {
        let episode = Episode(
            side: side, openedAt: Self.start + .seconds(30 * 60), worst: Steps(86), isAlerted: isAlerted,
            isCritical: isCritical)
        return Watch(
            WatchState(
                lastEvaluated: Self.start + .seconds(59 * 60), episode: episode, throttle: throttle,
                hasRecipient: hasRecipient), snoozes)
    }

    func charge(at minutes: Int, pending: Alert.Reference? = nil, isCritical: Bool = false) -> Throttle {
        Throttle(runsFrom: Self.start + .seconds(minutes * 60), pending: pending, isCritical: isCritical)
    }

    func snooze(from minutes: Int = 0, until end: Int, isAcknowledgement: Bool = false) -> Snooze {
        Snooze(
            setAt: Self.start + .seconds(minutes * 60), until: Self.start + .seconds(end * 60),
            isAcknowledgement: isAcknowledgement)
    }

    // MARK: Snooze and acknowledge

    @Test func aSnoozeWithholdsUntilItsTimeByOurClock() throws {
        let state = open(throttle: charge(at: 29), snoozes: Snoozes(high: snooze(until: 62)))
        let withheld = try decide(86, state, .none)
        #expect(withheld.notification == .withheld(.snoozed) && withheld.notification.outcome == .snoozed)
        #expect(withheld.reason == .ongoing && withheld.next.snoozes == state.snoozes)
        #expect(withheld.next.throttle == state.throttle, "nobody was told, so nothing is charged")
        // When the snooze ends, the next reading reminds at once.
        #expect(try decide(86, at: 61, withheld.next, .none).notification == .alert(.reminder))
        #expect(
            try decide(86, at: 61, age: .seconds(59), withheld.next, .none).notification == .withheld(.snoozed))
    }

    @Test func aSnoozeHoldsForOneSideWhateverTheWaterDoes() throws {
        let high = Snoozes(high: snooze(until: 600))
        var state = Watch(hasRecipient: true, snoozes: high)
        for (minute, value, expected) in [
            (60, 86, .withheld(.snoozed)), (61, 80, .none), (62, 90, .withheld(.snoozed)), (63, 74, .alert(.flipped)),
            // no alert of this side was sent, and its throttle is its own
            (64, 90, .withheld(.snoozed)), (94, 90, .withheld(.snoozed)),
        ] as [(Int, Int32, Decision.Notification)] {
            let decision = try decide(value, at: minute, state, .none)
            #expect(decision.notification == expected, "minute \(minute)")
            state = decision.next
            state.throttles.arrive()
        }
        #expect(state.snoozes == high)
    }

    /// The snooze is the last reason: any other reason that withholds an alert comes first.
    @Test func aSnoozeIsTheLastReasonOfAll() throws {
        let snoozed = Snoozes(high: snooze(until: 600))
        let throttled = open(throttle: charge(at: 45), snoozes: snoozed)
        #expect(try decide(86, throttled, .none).notification == .withheld(.throttled))
        let pending = open(throttle: charge(at: 45, pending: Self.earlier), snoozes: snoozed)
        #expect(try decide(86, pending, .none).notification == .replacesText(Self.earlier))
        #expect(
            try decide(86, open(hasRecipient: false, snoozes: snoozed), .none).notification
                == .withheld(.noRecipient))
        #expect(
            try decide(86, age: .seconds(3_600), open(snoozes: snoozed), .none).notification == .withheld(.stale))
    }

    @Test(arguments: [84, 74] as [Int32]) func anAcknowledgementEndsWithItsEpisode(value: Int32) throws {
        let known = Snoozes(high: snooze(until: 1_440, isAcknowledgement: true))
        let state = open(throttle: charge(at: 29), snoozes: known)
        let withheld = try decide(86, state, .none)
        #expect(withheld.notification == .withheld(.acknowledged) && withheld.notification.outcome == .acknowledged)
        let over = try decide(value, at: 61, withheld.next, .none)
        #expect(over.action.name == (value == 84 ? "close" : "flip"))
        #expect(over.next.snoozes == .none)
        var again = over.next
        again.throttle = nil
        #expect(try decide(86, at: 62, again, .none).notification.reason != .acknowledged)
    }

    /// Somebody is on it: nobody is reminded, unless it gets worse by a quarter of the range, which is 7.5 to 8.5.
    @Test func anAnswerWithholdsRemindersUntilItIsMuchWorse() throws {
        let cases: [(Side, [Int32: Bool])] = [
            (.high, [87: true, 89: true, 90: false, 91: false]), (.low, [74: true, 71: true, 70: false]),
        ]
        for (side, values) in cases {
            let answer = Snooze(
                setAt: Self.start, until: Self.start + .seconds(1_440 * 60), isAcknowledgement: true, isAnswer: true,
                worst: Steps(side == .high ? 87 : 73))
            var snoozes = Snoozes.none
            snoozes[side] = answer
            for (value, isHeld) in values {
                let decided = try decide(value, open(side, throttle: charge(at: 29), snoozes: snoozes), .none)
                #expect(
                    decided.notification == (isHeld ? .withheld(.answered) : .alert(.reminder)), "\(side) \(value)")
                #expect(!isHeld || decided.notification.outcome == .answered)
            }
        }
    }

    @Test func withinTheDeadBandAnAcknowledgementHolds() throws {
        let known = Snoozes(high: snooze(until: 1_440, isAcknowledgement: true))
        let settling = try decide(85, open(throttle: charge(at: 29), snoozes: known), .none)
        #expect(settling.reason == .settling && settling.next.snoozes == known)
    }

    /// The server's clock was set back since then: a snooze from the future must not last that much longer.
    @Test func aSnoozeThatWasSetInTheFutureDoesNotHold() throws {
        let now = Self.start + .seconds(61 * 60)
        let ahead = Snooze(setAt: now + .seconds(301), until: now + .seconds(3_600))
        #expect(try decide(86, open(snoozes: Snoozes(high: ahead)), .none).notification == .alert(.opened))
        let nearly = Snooze(setAt: now + .seconds(300), until: now + .seconds(3_600))
        #expect(try decide(86, open(snoozes: Snoozes(high: nearly)), .none).notification == .withheld(.snoozed))
    }

    @Test func aSilenceIsSnoozedToo() {
        let now = Self.start + .seconds(3_600)
        for (snooze, expected) in [
            (nil, .alert(.opened)), (snooze(until: 61), .withheld(.snoozed)), (snooze(until: 60), .alert(.opened)),
            (snooze(until: 61, isAcknowledgement: true), .withheld(.acknowledged)),
        ] as [(Snooze?, Decision.Notification)] {
            let decision = KindState(hasRecipient: true, snooze: snooze).decide(.silence, now: now) { open, _ in
                Hearing.silent.finding(heardAt: Self.start, open: open, now: now)
            }
            #expect(decision.notification == expected)
            guard case .open = decision.action else {
                Issue.record("a snoozed silence is one all the same")
                continue
            }
        }
    }

    // MARK: Delay

    /// The silence began by the time of a database whose clock was ahead. Without a delay nothing waits for that time to come.
    @Test func aSilenceThatBeganAheadOfTheClockIsToldAtOnce() {
        let (ahead, now) = (Self.start + .seconds(7_200), Self.start)
        func decide(_ state: KindState, now: Timestamp) -> Decision {
            state.decide(.silence, now: now) { open, _ in
                Hearing.silent.finding(heardAt: ahead - .seconds(400), open: open, now: now)
            }
        }
        let opened = decide(KindState(hasRecipient: false), now: ahead)
        #expect(opened.notification == .withheld(.noRecipient))
        let back = decide(KindState(episode: opened.next.episode, hasRecipient: true), now: now)
        #expect(back.notification == .alert(.opened))
    }

    @Test func aDelayWithholdsTheFirstAlertUntilItsTimeByTheDevicesClock() throws {
        let rules = try rules(delayMinutes: 10)
        let opened = try decide(86, Watch(hasRecipient: true), rules)
        #expect(opened.action.name == "open" && opened.notification == .withheld(.delayed))
        #expect(opened.notification.outcome == .delayed && opened.next.episode?.isAlerted == false)
        #expect(try decide(86, at: 69, opened.next, rules).notification == .withheld(.delayed))
        // Event time counts, however late the decision.
        #expect(
            try decide(86, at: 69, age: .seconds(600), opened.next, rules).notification == .withheld(.delayed))
        let alarm = try decide(86, at: 70, opened.next, rules)
        #expect(alarm.notification == .alert(.opened))
        // After the delay, it is an alarm like any other.
        #expect(try decide(86, at: 100, alarm.next, rules).notification == .alert(.reminder))
    }

    @Test func whatEndsWithinTheDelayIsToldToNobody() throws {
        let rules = try rules(delayMinutes: 10)
        let opened = try decide(86, Watch(hasRecipient: true), rules)
        let closed = try decide(84, at: 65, opened.next, rules)
        #expect(closed.action.name == "close" && closed.next.throttle == nil)
        // The delay starts anew with the next episode, and with the other side.
        #expect(try decide(86, at: 66, closed.next, rules).notification == .withheld(.delayed))
        let flipped = try decide(74, at: 69, opened.next, rules)
        #expect(flipped.action.name == "flip" && flipped.notification == .withheld(.delayed))
        #expect(try decide(74, at: 78, flipped.next, rules).notification == .withheld(.delayed))
        #expect(try decide(74, at: 79, flipped.next, rules).notification == .alert(.opened))
    }

    /// During the delay no alert is due, so a missing endpoint is not reported.
    @Test func theDelayIsAskedBeforeTheRecipientAndAfterTheAge() throws {
        let rules = try rules(delayMinutes: 10)
        let unheard = try decide(86, Watch(hasRecipient: false), rules)
        #expect(unheard.notification == .withheld(.delayed) && unheard.next.episode?.noRecipient == false)
        #expect(
            try decide(86, age: .seconds(901), Watch(hasRecipient: true), rules).notification
                == .withheld(.stale))
        #expect(try decide(86, at: 70, unheard.next, rules).notification == .withheld(.noRecipient))
    }

    @Test func aDelayIsADayAtMost() {
        #expect(WatchRules(delay: .seconds(100_000)).delay == .seconds(86_400))
        #expect(WatchRules(delay: .seconds(-1)).delay == .zero)
        #expect(WatchRules(delay: .zero) == .none)
    }

    // MARK: Critical limits

    @Test(arguments: [(91, true), (90, false), (70, false), (69, true)] as [(Int32, Bool)])
    func aValueBeyondACriticalLimitIsCritical(value: Int32, isCritical: Bool) throws {
        let decision = try decide(value, Watch(hasRecipient: true), rules(isCritical: true))
        #expect(decision.isCritical == isCritical)
        #expect(decision.notification == .alert(isCritical ? .critical : .opened))
        #expect(decision.next.episode?.isCritical == isCritical && decision.next.throttle?.isCritical == isCritical)
    }

    @Test func aCriticalValueAlarmsPastDelayThrottleAndSnooze() throws {
        let rules = try rules(delayMinutes: 60, isCritical: true)
        for isAcknowledgement in [true, false] {
            let held = Snoozes(high: snooze(until: 600, isAcknowledgement: isAcknowledgement))
            for throttle in [nil, charge(at: 59), charge(at: 59, pending: Self.earlier)] {
                for isAlerted in [true, false] {
                    let state = open(isAlerted: isAlerted, throttle: throttle, snoozes: held)
                    let decision = try decide(91, state, rules)
                    #expect(decision.notification == .alert(.critical))
                    #expect(decision.next.throttle == charge(at: 60, pending: Self.next, isCritical: true))
                    // Only once: afterwards the throttle applies, and then the snooze.
                    var told = decision.next
                    #expect(try decide(92, at: 61, told, rules).notification == .replacesText(Self.next))
                    told.throttles.arrive()
                    #expect(try decide(92, at: 89, told, rules).notification == .withheld(.throttled))
                    #expect(
                        try decide(92, at: 90, told, rules).notification
                            == .withheld(isAcknowledgement ? .acknowledged : .snoozed))
                }
            }
        }
        #expect(try decide(91, at: 60, open(), rules).notification == .alert(.critical))
    }

    /// After a critical alert, reminders follow, however long the delay.
    @Test func afterACriticalAlarmTheDelayIsOver() throws {
        let rules = try rules(delayMinutes: 120, isCritical: true)
        let told = try decide(91, Watch(hasRecipient: true), rules).next
        #expect(try decide(86, at: 90, told, rules).notification == .alert(.reminder))
    }

    @Test func ageAndWantOfAnEndpointWithholdACriticalAlarmOnlyUntilTheyAreGone() throws {
        let rules = try rules(isCritical: true)
        let stale = try decide(91, age: .seconds(901), open(throttle: charge(at: 45)), rules)
        #expect(stale.notification == .withheld(.stale) && stale.next.episode?.isCritical == false)
        var unheard = try decide(91, at: 77, open(throttle: charge(at: 45), hasRecipient: false), rules).next
        #expect(unheard.episode?.isCritical == false)
        unheard.hasRecipient = true
        #expect(try decide(91, at: 78, unheard, rules).notification == .alert(.critical))
    }

    /// A probe that alternates between normal and critical values alerts once in five minutes, not each time.
    @Test func aFlutterOfCriticalValuesIsHeldForFiveMinutes() throws {
        let rules = try rules(isCritical: true)
        var state = Watch(hasRecipient: true)
        var alarms: [Int] = []
        for minute in 0..<20 {
            let decision = try decide(minute.isMultiple(of: 2) ? 91 : 80, at: minute, state, rules)
            if case .alert = decision.notification { alarms.append(minute) }
            state = decision.next
            state.throttles.arrive()
        }
        #expect(alarms == [0, 6, 12, 18])
    }

    /// All deliveries of the critical alarm failed and its charge was refunded, so nobody has received it.
    @Test func aCriticalAlarmThatNobodyGotBreaksThroughAgain() throws {
        let held = Snoozes(high: snooze(until: 600))
        let decision = try decide(91, open(isCritical: true, snoozes: held), rules(isCritical: true))
        #expect(decision.notification == .alert(.critical))
    }

    @Test func criticalLimitsLieBeyondTheOthers() throws {
        let range = try SafeRange(.ph, minimum: 7.5, maximum: 8.5)
        #expect(throws: CriticalBand.Fault.minimumNotBelow(.ph)) {
            try CriticalBand(beyond: range, minimum: Steps(75), maximum: nil)
        }
        #expect(throws: CriticalBand.Fault.maximumNotAbove(.ph)) {
            try CriticalBand(beyond: range, minimum: nil, maximum: Steps(85))
        }
        let open = try SafeRange(.ph, maximum: Steps(85))
        #expect(throws: CriticalBand.Fault.minimumNotBelow(.ph)) {
            try CriticalBand(beyond: open, minimum: Steps(60), maximum: nil)
        }
        let band = try CriticalBand(beyond: range, minimum: Steps(74), maximum: Steps(86))
        #expect(band.limit(on: .low) == Steps(74) && band.limit(on: .high) == Steps(86))
        #expect(try CriticalBand(beyond: range, minimum: nil, maximum: nil) == .none)
        #expect(CriticalBand.none.limit(on: .low) == nil && !CriticalBand.none.isExceeded(by: Steps(.max)))
    }

    @Test func aChangeOfRulesIsCheckedLikeLimits() throws {
        var range = PersonalRange(parameter: .temperature, unit: .fahrenheit, minimum: Steps(120), maximum: Steps(240))
        range = try RangeChange(criticalMaximum: .value(86), settings: [.delay: .value(600)]).applied(to: range)
        #expect(range.criticalMaximum == Steps(300) && range.delay == .seconds(600))
        #expect(throws: RangeChange.Fault.critical(.maximumNotAbove(.temperature))) {
            try RangeChange(maximum: .value(86)).applied(to: range)
        }
        #expect(throws: RangeChange.Fault.critical(.maximumNotAbove(.temperature))) {
            try RangeChange(maximum: RangeChange.Limit.none).applied(to: range)
        }
        #expect(throws: RangeChange.Fault.critical(.minimumBeyondSensor(.temperature))) {
            try RangeChange(criticalMinimum: .value(-41)).applied(to: range)
        }
        for seconds in [86_401, -1, .nan, .infinity] {
            #expect(throws: RangeChange.Fault.setting(.delay)) {
                try RangeChange(settings: [.delay: .value(seconds)]).applied(to: range)
            }
        }
        let off = try RangeChange(criticalMaximum: RangeChange.Limit.none, settings: [.delay: .value(0)]).applied(
            to: range)
        #expect(off.criticalMaximum == nil && off.delay == .zero)
        #expect(RangeChange().isEmpty && !RangeChange(settings: [.delay: .value(0)]).isEmpty)
    }
}
