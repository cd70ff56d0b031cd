import Instants
import TestSupport
import Testing

@testable import WaterQuality

/// Decisions on limits that will be reached. Times are minutes after `start`; the limits are 60 and 100, and the person
/// asks for two hours of notice.
@Suite struct AheadTests {
    private static let start = Timestamp(unixSeconds: Int64(1_777_636_800))
    private static let ahead = Duration.seconds(120 * 60)

    private static func minute(_ minute: Int) -> Timestamp { start + .seconds(minute * 60) }

    private static func range() throws -> SafeRange {
        try SafeRange(.dissolvedOxygen, minimum: Steps(60), maximum: Steps(100))
    }

    // MARK: Headings

    /// - Parameter perHour: The slope of a line that is at 80 at minute 100.
    private func heading(
        _ perHour: Double, agreement: Double = 1, value: Double = 80, newest: Int32 = 80, settled: Int32 = 80,
        span: Int = 110, ahead: Duration = ahead, range: SafeRange? = nil
    ) throws -> Outlook.Heading {
        Trend.Line(
            slope: perHour / 3_600, agreement: agreement, value: value, time: Self.minute(100),
            span: .seconds(span * 60), newest: Steps(newest), settled: Steps(settled)
        ).heading(in: try range ?? Self.range(), within: ahead)
    }

    private func toward(_ side: Side, _ limit: Int32, in minutes: Int) -> Outlook.Heading {
        .toward(Outlook(side: side, limit: Steps(limit), at: Self.minute(100 + minutes), value: Steps(80)))
    }

    @Test func aLimitThatIsReachedInTimeIsAhead() throws {
        #expect(try heading(-10) == toward(.low, 60, in: 120) && heading(10) == toward(.high, 100, in: 120))
        #expect(try heading(-20) == toward(.low, 60, in: 60) && heading(20) == toward(.high, 100, in: 60))
    }

    @Test func theDeadBandIsHalfTheTimeOnceMore() throws {
        #expect(try heading(-9.9) == .near && heading(-6.7) == .near && heading(-6.6) == .away)
        #expect(try heading(0) == .away)
        #expect(try heading(-20, agreement: 0.79) == .near && heading(-20, agreement: 0.6) == .near)
        #expect(try heading(-20, agreement: 0.59) == .away)
    }

    /// The forecast reaches three times the span of the readings: 3 × 46 min = 138 min.
    @Test func nobodyKnowsFurtherAheadThanThreeTimesWhatIsJudgedBy() throws {
        let longest = WatchRules.aheadBounds.upperBound
        #expect(try heading(-10, span: 46, ahead: longest) == toward(.low, 60, in: 120))
        #expect(try heading(-8.6, span: 46, ahead: longest) == .near && heading(-8.6, ahead: longest) != .near)
    }

    @Test func whatHasLeftTheLimitsIsNotAhead() throws {
        #expect(try heading(-20, settled: 59) == .moot && heading(-20, settled: 101) == .moot)
        #expect(try heading(-20, newest: 59) == .near, "one reading may be a glitch")
        #expect(try heading(-20, value: 59) == .near, "the line is there already")
    }

    @Test func withoutALimitThereIsNoneToReach() throws {
        let maximum = try SafeRange(.dissolvedOxygen, maximum: Steps(100))
        #expect(try heading(-20, range: maximum) == .away && heading(20, range: maximum) == toward(.high, 100, in: 60))
    }

    // MARK: Decisions

    private func decide(
        _ heading: Outlook.Heading, at minute: Int = 100, _ state: KindState = KindState(hasRecipient: true),
        isToldOutOfRange: Bool = false, age: Duration = .seconds(1), lag: Duration = .zero
    ) -> Decision {
        let moment = FoundAt(Self.minute(minute), now: Self.minute(minute) + age, lag: lag)
        return state.decide(.ahead, now: moment.now, policy: AlertPolicy(staleAfter: .seconds(7_200))) { _, _ in
            .ahead(heading, at: moment, isToldOutOfRange: isToldOutOfRange)
        }
    }

    private func alerted(at minute: Int = 100, pending: Alert.Reference? = nil) -> KindState {
        KindState(
            episode: Episode(.ahead, openedAt: Self.minute(minute), isAlerted: true),
            throttle: Throttle(runsFrom: Self.minute(minute), pending: pending), hasRecipient: true)
    }

    @Test func itIsToldOnce() {
        let way = toward(.low, 60, in: 60)
        let decision = decide(way)
        #expect(decision.action == .open(Episode(.ahead, openedAt: Self.minute(100), isAlerted: true)))
        #expect(decision.notification == .alert(.opened))
        for minute in [105, 130, 200, 2_000] {
            let later = Outlook(side: .low, limit: Steps(60), at: Self.minute(minute + 30), value: Steps(70))
            #expect(decide(.toward(later), at: minute, alerted()).isNothing, "at \(minute)")
        }
        #expect(decide(.near).isNothing && decide(.away).isNothing && decide(.moot).isNothing)
    }

    @Test func itsEndIsAnnouncedUnlessTheLimitTellsOfIt() {
        #expect(decide(.near, at: 110, alerted()).isNothing)
        #expect(
            decide(.away, at: 110, alerted()).action
                == .close(at: Self.minute(110), recoveryDueAt: Self.minute(110) + .seconds(301)))
        #expect(decide(.moot, at: 110, alerted()).action == .close(at: Self.minute(110), recoveryDueAt: nil))
    }

    @Test func reasonsNotToTellComeInTheirOrder() {
        var state = KindState(hasRecipient: false, snooze: Snooze(setAt: Self.start, until: Self.minute(9_999)))
        state.throttle = Throttle(runsFrom: Self.minute(80), pending: nil)
        func reason(age: Duration = .seconds(1), outOfRange: Bool = false, lag: Duration = .zero) -> Decision.Reason? {
            decide(toward(.low, 60, in: 60), state, isToldOutOfRange: outOfRange, age: age, lag: lag).notification
                .reason
        }
        #expect(reason(age: .seconds(7_201), outOfRange: true) == .stale)
        #expect(reason(outOfRange: true) == .outOfRange)
        #expect(reason(age: .seconds(3_600)) == .stale, "the time has come by when it is decided")
        #expect(reason(age: .seconds(3_599)) == .noRecipient)
        #expect(reason(age: .seconds(3_600), lag: .seconds(30)) == .noRecipient, "by the true time it has not")
        #expect(reason() == .noRecipient)
        state.hasRecipient = true
        #expect(reason() == .throttled)
        state.throttle = Throttle(runsFrom: Self.minute(70), pending: nil)
        #expect(reason() == .snoozed)
        state.snooze = nil
        #expect(reason() == .opened)
    }

    // MARK: Settings

    private func applied(_ ahead: Duration) throws(RangeChange.Fault) -> PersonalRange {
        var range = PersonalRange(parameter: .ph, unit: .ph, minimum: nil, maximum: nil)
        range.ahead = .seconds(900)
        return try RangeChange(settings: [.ahead: .value(ahead / .seconds(60))]).applied(to: range)
    }

    @Test func theTimeAheadIsFromAQuarterOfAnHourToSixHours() throws {
        #expect(
            try applied(.seconds(900)).ahead == .seconds(900) && applied(.seconds(21_600)).ahead == .seconds(21_600))
        #expect(try applied(.seconds(7_259)).ahead == .seconds(7_200), "whole minutes")
        #expect(try applied(.zero).ahead == nil && applied(.seconds(7_200)).rules.ahead == Self.ahead)
        for seconds in [1, 899, 21_601, -900] {
            #expect(throws: RangeChange.Fault.setting(.ahead)) { try applied(.seconds(seconds)) }
        }
    }

    // MARK: Over random water

    /// Slow waves with noise and glitches, in and out of the limits.
    private static func water(_ seed: UInt64) -> [Reading] {
        var random = SeededGenerator(seed: seed)
        var (level, drift) = (80.0, 0.0)
        return (0..<4_000).map { number in
            if number % 120 == 0 { drift = Double.random(in: -0.15...0.15, using: &random) }
            level = min(120, max(40, level + drift))
            let isGlitch = Int.random(in: 0..<60, using: &random) == 0
            let noise = Int32.random(in: -1...1, using: &random)
            return Reading(
                time: start + .seconds(number * 60), value: Steps(Int32(level) + noise + (isGlitch ? 60 : 0)))
        }
    }

    /// Forecast alerts change no decision on the value itself, and keep the throttle's interval.
    @Test(arguments: 0..<8 as Range<UInt64>) func decisionsOnTheValueStayAsTheyAre(seed: UInt64) throws {
        let rules = WatchReplay.Rules(try Self.range(), policy: AlertPolicy())
        let asking = WatchReplay.Rules(
            try Self.range(), rules: WatchRules(ahead: .seconds(3_600)), policy: AlertPolicy())
        var (plain, asked) = (WatchReplay(), WatchReplay())
        var (told, last) = (0, Timestamp.distantPast)
        for reading in Self.water(seed) {
            let effects = asked.take(reading, by: asking, now: reading.time)
            #expect(plain.take(reading, by: rules, now: reading.time) == Array(effects.prefix(1)))
            guard case .told(.ahead, _, .outlook(let outlook)) = effects.dropFirst().first else { continue }
            told += 1
            #expect(outlook.at > reading.time && outlook.at <= reading.time + .seconds(3_600))
            #expect(rules.range.contains(outlook.value) && rules.range.limit(on: outlook.side) == outlook.limit)
            #expect(asked.state.episode?.isAlerted != true, "the person was told that it is out of range")
            #expect(reading.time - last >= AlertPolicy().throttle, "the interval between alerts")
            last = reading.time
        }
        #expect(told > 0)
    }

    @Test func aBackTestTellsOfThem() throws {
        // From minute 100 on the value falls by a step every four minutes, and is 60 at minute 220.
        let falling = (0..<300).map {
            Reading(time: Self.minute($0), value: Steps(Int32(90 - max(0, min(40, ($0 - 100) / 4)))))
        }
        var test = BackTest(try Self.range(), rules: WatchRules(ahead: .seconds(3_600)), policy: AlertPolicy())
        test.add(falling)
        #expect(test.alarmCount == 1 && test.alarmCount(of: .ahead) == 1, "\(test.alarms)")
        let first = try #require(test.alarms.first)
        let outlook = try #require(first.course?.outlook)
        #expect(first.side == .low && outlook.limit == Steps(60) && first.value > Steps(60))
        #expect(abs((outlook.at - Self.minute(222)).components.seconds) <= 20 * 60, "\(outlook.at)")
        let last = try #require(test.alarms.last)
        #expect(last.course == nil && last.time == Self.minute(224))
        #expect(last.time - first.time >= .seconds(30 * 60), "\(first.time)")
        var plain = BackTest(try Self.range(), policy: AlertPolicy())
        plain.add(falling)
        #expect(plain.alarmCount == 1 && plain.alarmCount(of: .ahead) == 0)
    }
}
