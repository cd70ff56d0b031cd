import Instants
import Testing
import WaterQuality

/// The range is pH 7.5 to 8.5. Decisions are made one minute after the reading unless a test says otherwise.
@Suite struct EvaluateTests {
    static let start = Timestamp(unixSeconds: Int64(1_777_636_800))
    static let next = Alert.Reference.new(0)
    static let earlier = Alert.Reference.stored(Alert.ID(rawValue: 7))

    func decide(
        _ value: Int32, at minutes: Int = 60, age: Duration = .seconds(60), lag: Duration = .zero,
        _ state: WatchState, policy: AlertPolicy = AlertPolicy()
    ) throws -> Decision {
        let range = try SafeRange(.ph, minimum: 7.5, maximum: 8.5)
        let time = Self.start + .seconds(minutes * 60)
        return evaluate(
            range, state, Reading(time: time, value: Steps(value)),
            // The server's clock never goes back, however old the reading.
            now: max(time + age, Self.start + .seconds(59 * 60)), lag: lag, newAlert: Self.next, policy: policy)
    }

    /// A watch last evaluated at minute 59, with an episode since minute 30.
    func state(
        _ side: Side? = nil, worst: Int32 = 90, isAlerted: Bool = true, noRecipient: Bool = false,
        chargedAt: Int? = nil, pending: Alert.Reference? = nil, hasRecipient: Bool = true
    ) -> WatchState {
        WatchState(
            lastEvaluated: Self.start + .seconds(59 * 60),
            episode: side.map {
                Episode(
                    side: $0, openedAt: Self.start + .seconds(30 * 60), worst: Steps(worst), isAlerted: isAlerted,
                    noRecipient: noRecipient)
            },
            throttle: chargedAt.map { Throttle(runsFrom: Self.start + .seconds($0 * 60), pending: pending) },
            hasRecipient: hasRecipient)
    }

    // The table of episodes, row by row.

    @Test(arguments: [59, 58, 0], [80, 99, 0]) func supersededChangesNothing(minute: Int, value: Int32) throws {
        for before in [state(), state(.high), state(.low, chargedAt: 0)] {
            let decision = try decide(value, at: minute, before)
            #expect(decision.action.name == "nothing" && decision.reason == .superseded)
            #expect(decision.notification == .none && decision.next == before)
        }
    }

    @Test(arguments: [75, 80, 85]) func inRangeIsNormal(value: Int32) throws {
        let decision = try decide(value, state())
        #expect(decision.action.name == "nothing" && decision.reason == .normal && decision.notification == .none)
        #expect(decision.next.lastEvaluated == Self.start + .seconds(3600) && decision.next.episode == nil)
    }

    @Test(arguments: [(86, .high), (74, .low)] as [(Int32, Side)]) func outOfRangeOpens(value: Int32, side: Side) throws
    {
        let decision = try decide(value, state())
        let time = Self.start + .seconds(3600)
        #expect(decision.action.name == "open" && decision.reason == .opened)
        #expect(decision.notification == .alert(.opened) && !decision.checkProbe)
        #expect(decision.next.episode == Episode(side: side, openedAt: time, worst: Steps(value), isAlerted: true))
        #expect(decision.next.throttle == Throttle(runsFrom: time, pending: Self.next))
    }

    @Test func theFirstReadingOfAllMayOpen() throws {
        #expect(try decide(86, WatchState(hasRecipient: true)).action.name == "open")
        #expect(try decide(80, WatchState(hasRecipient: true)).reason == .normal)
    }

    @Test(
        arguments: [
            (86, .high, 90), (95, .high, 95), (70, .low, 70), (74, .low, 72),
        ] as [(Int32, Side, Int32)])
    func sameSideStaysAndKeepsTheWorst(value: Int32, side: Side, worst: Int32) throws {
        let decision = try decide(value, state(side, worst: side == .high ? 90 : 72, chargedAt: 40))
        #expect(decision.action.name == "stay" && decision.reason == .ongoing)
        #expect(decision.notification == .withheld(.throttled))
        #expect(decision.next.episode?.excursion?.worst == Steps(worst))
        #expect(decision.next.episode?.openedAt == Self.start + .seconds(1800))
        #expect(decision.next.throttle?.runsFrom == Self.start + .seconds(2400))
    }

    @Test func aFreeThrottleReminds() throws {
        let decision = try decide(86, state(.high, chargedAt: 30))
        #expect(decision.action.name == "stay" && decision.notification == .alert(.reminder))
        #expect(decision.next.throttle == Throttle(runsFrom: Self.start + .seconds(3600), pending: Self.next))
        #expect(try decide(86, state(.high, chargedAt: 31)).notification == .withheld(.throttled))
    }

    @Test(arguments: [(74, .high, .low), (86, .low, .high)] as [(Int32, Side, Side)])
    func theOtherSideFlipsAndHasAThrottleOfItsOwn(value: Int32, old: Side, new: Side) throws {
        var before = state(old, chargedAt: 59)
        let free = try decide(value, before)
        #expect(free.action.name == "flip" && free.reason == .flipped && free.notification == .alert(.flipped))
        #expect(
            free.next.episode
                == Episode(
                    side: new, openedAt: Self.start + .seconds(3600), worst: Steps(value), isAlerted: true))
        #expect(free.next.throttles[old] == before.throttles[old] && free.next.throttles[new]?.pending == Self.next)
        // A value that alternates between both sides alerts at most once per side and interval.
        before.throttles[new] = Throttle(runsFrom: Self.start + .seconds(45 * 60), pending: nil)
        let throttled = try decide(value, before)
        #expect(throttled.action.name == "flip" && throttled.notification == .withheld(.throttled))
        #expect(throttled.next.episode?.isAlerted == false)
    }

    @Test(arguments: [(85, .high), (75, .low)] as [(Int32, Side)]) func insideTheDeadBandSettles(
        value: Int32, side: Side
    ) throws {
        for charged in [nil, 0] {
            let before = state(side, chargedAt: charged)
            let decision = try decide(value, before)
            #expect(decision.action.name == "stay" && decision.reason == .settling && decision.notification == .none)
            #expect(decision.next.episode == before.episode && decision.next.throttle == before.throttle)
        }
    }

    @Test(arguments: [(84, .high), (75, .high), (76, .low), (85, .low)] as [(Int32, Side)])
    func byTheDeadBandRecovers(value: Int32, side: Side) throws {
        let decision = try decide(value, state(side, chargedAt: 45))
        #expect(decision.action.name == "close" && decision.reason == .recovered && decision.notification == .none)
        #expect(decision.next.episode == nil)
        #expect(decision.next.throttle?.runsFrom == Self.start + .seconds(2700))
    }

    @Test func theDeadBandIsAPolicy() throws {
        #expect(try decide(83, state(.high), policy: AlertPolicy(deadBand: 3)).reason == .settling)
        #expect(try decide(82, state(.high), policy: AlertPolicy(deadBand: 3)).reason == .recovered)
        #expect(try decide(85, state(.high), policy: AlertPolicy(deadBand: 0)).reason == .recovered)
    }

    // Notifications, in the order of the checks.

    @Test func oldReadingsFoldInSilently() throws {
        let quarter = Duration.seconds(900)
        #expect(try decide(86, age: quarter, state()).notification == .alert(.opened))
        let stale = try decide(86, age: quarter + .microseconds(1), state())
        #expect(stale.action.name == "open" && stale.notification == .withheld(.stale))
        #expect(stale.next.throttle == nil && stale.next.episode?.isAlerted == false)
        // The next fresh reading of the open episode notifies, with the episode's first alert.
        #expect(try decide(86, at: 80, stale.next).notification == .alert(.opened))
        // Stale is the first of all reasons, and also prevents a replacement of the text.
        let worst = state(.high, chargedAt: 59, pending: Self.earlier, hasRecipient: false)
        #expect(try decide(86, age: .seconds(3600), worst).notification == .withheld(.stale))
        #expect(try decide(80, age: .seconds(3600), worst).action.name == "close")
    }

    @Test func nobodyToTell() throws {
        var before = state(hasRecipient: false)
        let decision = try decide(86, before)
        #expect(decision.action.name == "open" && decision.notification == .withheld(.noRecipient))
        #expect(decision.next.episode?.noRecipient == true && decision.next.throttle == nil)
        before = decision.next
        before.hasRecipient = true
        let told = try decide(86, at: 61, before)
        #expect(told.action.name == "stay" && told.notification == .alert(.opened))
        #expect(told.next.episode?.noRecipient == false)
        // The recipient is checked before the throttle.
        let throttled = state(.high, chargedAt: 59, hasRecipient: false)
        #expect(try decide(86, throttled).notification == .withheld(.noRecipient))
    }

    @Test func reopeningWithinTheIntervalIsThrottled() throws {
        let decision = try decide(86, state(chargedAt: 45))
        #expect(decision.action.name == "open" && decision.notification == .withheld(.throttled))
        #expect(decision.next.episode?.isAlerted == false)
        #expect(try decide(86, at: 75, decision.next).notification == .alert(.opened))
    }

    @Test func aPendingAlertGetsTheNewText() throws {
        for side in [Side.high, nil] {
            let before = state(side, chargedAt: 45, pending: Self.earlier)
            let decision = try decide(86, before)
            #expect(decision.notification == .replacesText(Self.earlier))
            // A pending alert of a closed episode now belongs to this episode.
            #expect(decision.next.episode?.isAlerted == true && decision.next.isTold)
            #expect(decision.notification.reason == .throttled)
            #expect(decision.next.throttle == before.throttle)
        }
        #expect(try decide(85, state(.high, chargedAt: 45, pending: Self.earlier)).notification == .none)
    }

    @Test func slowDeliveryDoesNotHoldTheThrottleBeyondItsInterval() throws {
        let decision = try decide(86, state(.high, isAlerted: true, chargedAt: 0, pending: Self.earlier))
        #expect(decision.notification == .alert(.reminder))
        #expect(decision.next.throttle?.pending == Self.next)
    }

    @Test func aRefundedAlarmIsNoReminder() throws {
        #expect(try decide(86, state(.high, isAlerted: true, chargedAt: nil)).notification == .alert(.opened))
    }

    @Test(
        arguments: [
            (9, true), (74, false), (86, false), (140, false), (141, true),
        ] as [(Int32, Bool)])
    func beyondTheSensorIsAWaterAlarmToo(value: Int32, checkProbe: Bool) throws {
        let decision = try decide(value, state())
        #expect(decision.notification == .alert(.opened) && decision.checkProbe == checkProbe)
    }

    @Test func theIntervalIsAPolicy() throws {
        let policy = AlertPolicy(throttle: .seconds(60))
        #expect(try decide(86, state(.high, chargedAt: 59), policy: policy).notification == .alert(.reminder))
        #expect(try decide(86, state(.high, chargedAt: 60), policy: policy).notification == .withheld(.throttled))
    }

    @Test func storedWordsStay() {
        #expect(
            Decision.Reason.allCases.map(\.rawValue) == [
                "superseded", "normal", "opened", "ongoing", "reminder", "flipped", "critical", "unstable", "settling",
                "recovered", "stale", "held", "noRecipient", "throttled", "delayed", "acknowledged", "answered",
                "snoozed",
                "toldUnstable", "quietHours", "tooMany", "offShift", "working", "outOfRange",
            ])
        #expect(
            Decision.Notification.Outcome.allCases.map(\.rawValue) == [
                "none", "alerted", "stale", "held", "noRecipient", "throttled", "delayed", "acknowledged", "answered",
                "snoozed",
                "toldUnstable", "outOfRange", "quietHours", "tooMany", "offShift",
            ])
        #expect([Side.low, .high].map(\.rawValue) == ["low", "high"])
        #expect(
            Alert.Kind.allCases.map(\.rawValue) == [
                "range", "silence", "fault", "rate", "ahead", "byHand", "test", "way", "signIn", "summary", "proof",
                "care",
            ])
        #expect(
            Alert.Purpose.allCases.map(\.rawValue) == [
                "alarm", "reminder", "recovery", "ended", "past", "escalation", "calledOff", "test",
                "note",
            ])
        #expect(
            Alert.State.allCases.map(\.rawValue) == ["decided", "sending", "delivered", "undelivered", "cancelled"])
        #expect(
            Delivery.State.allCases.map(\.rawValue) == ["pending", "accepted", "failed", "stale", "cancelled"])
        #expect(
            Delivery.Outcome.allCases.map(\.rawValue) == ["accepted", "retry", "ambiguous", "gone", "refused"])
        #expect(
            Endpoint.Channel.allCases.map(\.rawValue) == [
                "webhook", "webPush", "apns", "fcm", "email", "ntfy", "telegram", "matrix", "slack", "gotify",
                "pushover", "sms", "call",
            ])
    }

    // Wrong clocks, of the device or the server.

    @Test func aSlowClocksReadingIsAsOldAsItIsLate() throws {
        let hours = Duration.seconds(9 * 3_600)
        #expect(try decide(86, age: hours + .seconds(60), state()).notification == .withheld(.stale))
        #expect(try decide(86, age: hours + .seconds(60), lag: hours, state()).notification == .alert(.opened))
        #expect(try decide(86, age: hours + .seconds(901), lag: hours, state()).notification == .withheld(.stale))
    }

    /// The server's clock was three hours, or three months, ahead. Once it is right, alerts work again.
    @Test(arguments: [180, 90 * 1_440]) func whatAClockThatWasAheadLeftCountsForNothing(minutes: Int) throws {
        let ahead = Self.start + .seconds((60 + minutes) * 60)
        let before = WatchState(
            lastEvaluated: ahead,
            episode: Episode(side: .high, openedAt: ahead, worst: Steps(90), isAlerted: true),
            throttle: Throttle(runsFrom: ahead, pending: Self.earlier), hasRecipient: true)
        let decision = try decide(86, before)
        #expect(decision.action.name == "stay" && decision.notification == .alert(.opened))
        let time = Self.start + .seconds(3_600)
        #expect(decision.next.lastEvaluated == time && decision.next.episode?.openedAt == time)
        #expect(decision.next.throttle == Throttle(runsFrom: time, pending: Self.next))
        #expect(try decide(80, before).action.name == "close")
    }

    /// A device's clock may be at most six minutes ahead of the server's, including differences between servers.
    @Test func whatADevicesClockMayBeAheadCounts() throws {
        let ahead = Self.start + .seconds(66 * 60)
        let before = WatchState(lastEvaluated: ahead, throttle: nil, hasRecipient: true)
        #expect(try decide(86, age: .zero, before).reason == .superseded)
        var throttled = state(.high)
        throttled.throttle = Throttle(runsFrom: ahead, pending: nil)
        #expect(try decide(86, age: .zero, throttled).notification == .withheld(.throttled))
    }

    /// A device's clock went back by an hour. Its readings alert again as soon as its lag is proven.
    @Test func marksOfAClockThatWentBackCountForNothing() throws {
        let before = state(.high, chargedAt: 58)
        let hour = Duration.seconds(3_600)
        #expect(try decide(86, at: 0, age: hour, before).reason == .superseded)
        #expect(try decide(86, at: 0, age: hour, lag: hour, before).notification == .alert(.opened))
    }

    /// The database's clock is an hour behind. Stored times of devices must not count as times of a clock that was
    /// ahead.
    @Test func aSlowDatabaseKeepsTheThrottle() throws {
        let range = try SafeRange(.ph, minimum: 7.5, maximum: 8.5)
        let decision = evaluate(
            range, state(.high, chargedAt: 59), Reading(time: Self.start + .seconds(3_600), value: Steps(86)),
            now: Self.start, newAlert: Self.next, policy: AlertPolicy())
        #expect(decision.notification == .withheld(.throttled))
    }
}

extension Decision.Action {
    var name: String {
        switch self {
        case .nothing: "nothing"
        case .open: "open"
        case .stay: "stay"
        case .flip: "flip"
        case .close: "close"
        }
    }
}
