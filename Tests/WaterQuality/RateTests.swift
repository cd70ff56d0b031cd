import Instants
import TestSupport
import Testing

@testable import WaterQuality

/// Decisions on values that change fast. Times are minutes after `start`; the limit is 30 steps per hour.
@Suite struct RateTests {
    private static let start = Timestamp(unixSeconds: Int64(1_777_636_800))
    private static let limit = ChangeLimit(perHour: Steps(30))

    private static func minute(_ minute: Int) -> Timestamp { start + .seconds(minute * 60) }

    /// - Parameter by: The change within the last 40 minutes.
    private func decide(
        _ by: Int32?, at minute: Int = 100, _ state: KindState = KindState(hasRecipient: true),
        limit: ChangeLimit? = limit, isToldOutOfRange: Bool = false, age: Duration = .seconds(1), lag: Duration = .zero
    ) -> Decision {
        let change = by.map {
            ValueChange(by: Steps($0), to: Steps(270), since: Self.minute(minute - 41), until: Self.minute(minute - 1))
        }
        let moment = FoundAt(Self.minute(minute), now: Self.minute(minute) + age, lag: lag)
        return state.decide(.rate, now: moment.now) { _, _ in
            .rate(change, within: limit, at: moment, isToldOutOfRange: isToldOutOfRange, policy: AlertPolicy())
        }
    }

    /// An episode that began at minute 59 and was alerted at minute 100.
    private func alerted(alertedAt: Int = 100, pending: Alert.Reference? = nil) -> KindState {
        KindState(
            episode: Episode(.rate, openedAt: Self.minute(59), isAlerted: true),
            throttle: Throttle(runsFrom: Self.minute(alertedAt), pending: pending), hasRecipient: true)
    }

    @Test func moreThanTheLimitOpensAndAlerts() {
        let opened = Episode(.rate, openedAt: Self.minute(59), isAlerted: true)
        for by: Int32 in [31, -31] {
            #expect(decide(by).action == .open(opened) && decide(by).notification == .alert(.opened))
        }
        for by: Int32 in [30, -30, 0] { #expect(decide(by).isNothing) }
        #expect(decide(nil).isNothing && decide(99, limit: nil).isNothing)
    }

    @Test func itIsOverByTheDeadBand() {
        #expect(decide(31, at: 110, alerted()).notification == .none, "it is told once")
        #expect(decide(30, at: 110, alerted()).isNothing, "settling")
        #expect(decide(nil, at: 110, alerted()).isNothing, "after a pause nothing is known")
        for by: Int32 in [29, 0, -29] {
            let decision = decide(by, at: 110, alerted())
            #expect(
                decision.action == .close(at: Self.minute(110), recoveryDueAt: Self.minute(110) + .seconds(301)))
        }
        guard case .close = decide(99, at: 110, alerted(), limit: nil).action else {
            Issue.record("without a limit it is over")
            return
        }
    }

    /// The dead band is at most half of the limit.
    @Test func theSmallestLimitsEndToo() {
        for perHour: Int32 in 1...4 {
            let limit = ChangeLimit(perHour: Steps(perHour))
            let change = ValueChange(by: Steps(perHour / 2), to: Steps(0), since: Self.start, until: Self.start)
            #expect(limit.pace(of: change, deadBand: 10) == .slow)
            var more = change
            more.by = Steps(perHour + 1)
            #expect(limit.pace(of: more, deadBand: 10) == .fast)
        }
    }

    /// A reminder waits until the change of the first alert has left the window.
    @Test func aReminderTellsOfMore() {
        #expect(decide(40, at: 164, alerted()).notification == .none)
        #expect(decide(40, at: 165, alerted()).notification == .alert(.reminder))
        #expect(decide(40, at: 165, alerted(pending: .new(7))).notification == .alert(.reminder))
    }

    @Test func reasonsNotToTellComeInTheirOrder() {
        var state = KindState(hasRecipient: false, snooze: Snooze(setAt: Self.start, until: Self.minute(9_999)))
        state.throttle = Throttle(runsFrom: Self.minute(80), pending: nil)
        func reason(age: Duration = .seconds(1), outOfRange: Bool = false) -> Decision.Reason? {
            decide(31, state, isToldOutOfRange: outOfRange, age: age).notification.reason
        }
        #expect(reason(age: .seconds(901), outOfRange: true) == .stale)
        #expect(reason(outOfRange: true) == .outOfRange)
        #expect(reason() == .noRecipient)
        state.hasRecipient = true
        #expect(reason() == .throttled)
        state.throttle = Throttle(runsFrom: Self.minute(70), pending: nil)
        #expect(reason() == .snoozed)
        state.snooze = nil
        #expect(reason() == .opened)
        #expect(decide(31, state, age: .seconds(9_000), lag: .seconds(9_000)).notification == .alert(.opened))
    }

    // MARK: Settings

    private func applied(
        _ change: Double?, unit: Unit? = nil, _ parameter: Parameter = .temperature
    ) throws(RangeChange.Fault) -> PersonalRange {
        let range = PersonalRange(parameter: parameter, unit: parameter.canonicalUnit, minimum: nil, maximum: nil)
        return try RangeChange(settings: [.change: change.map { .value($0) } ?? RangeChange.Limit.none], unit: unit)
            .applied(to: range)
    }

    @Test func aDifferenceHasNoOffset() throws {
        #expect(try applied(3).changePerHour == Steps(30))
        #expect(try applied(9, unit: .fahrenheit).changePerHour == Steps(50))
        #expect(try applied(9, unit: .fahrenheit).shownChange(Steps(50)) == 9)
        #expect(try applied(3, unit: .kelvin).changePerHour == Steps(30))
        #expect(try applied(nil).changePerHour == nil)
        #expect(try applied(3).rules.changeLimit == ChangeLimit(perHour: Steps(30)))
    }

    /// A thousandth of specific gravity is a different salinity at each point of the scale.
    @Test func alongACurveChangesAreCanonical() throws {
        let range = try applied(2, unit: .specificGravity, .salinity)
        #expect(range.changePerHour == Steps(20) && range.changeScale.unit == Parameter.salinity.canonicalUnit)
        #expect(range.shownChange(Steps(20)) == 2)
    }

    @Test func whatNoSensorTellsApartIsRefused() throws {
        #expect(try applied(0.05).changePerHour == Steps(1))
        #expect(try applied(80).changePerHour == Steps(800))
        for change in [0, 0.04, -1, 80.1, 1e30, .nan, .infinity] {
            #expect(throws: RangeChange.Fault.setting(.change), "\(change)") { try applied(change) }
        }
    }

    // MARK: Over random water

    private static func water(_ seed: UInt64) -> [Reading] {
        var random = SeededGenerator(seed: seed)
        var value = Int32(70)
        return (0..<3_000).map { number in
            value = min(120, max(40, value + Int32.random(in: -3...3, using: &random)))
            let isGlitch = Int.random(in: 0..<50, using: &random) == 0
            return Reading(time: start + .seconds(number * 45), value: Steps(isGlitch ? value + 60 : value))
        }
    }

    /// Alerts of fast changes change no decision on the value itself.
    @Test(arguments: 0..<8 as Range<UInt64>) func decisionsOnTheValueStayAsTheyAre(seed: UInt64) throws {
        let range = try SafeRange(.ph, minimum: Steps(55), maximum: Steps(100))
        let rules = WatchReplay.Rules(range, policy: AlertPolicy())
        let asking = WatchReplay.Rules(
            range, rules: WatchRules(changeLimit: ChangeLimit(perHour: Steps(12))), policy: AlertPolicy())
        var (plain, paced) = (WatchReplay(), WatchReplay())
        var (told, last) = (0, Timestamp.distantPast)
        for reading in Self.water(seed) {
            let effects = paced.take(reading, by: asking, now: reading.time)
            #expect(plain.take(reading, by: rules, now: reading.time) == Array(effects.prefix(1)))
            guard case .told(.rate, _, .change(let change, _)) = effects.dropFirst().first else { continue }
            told += 1
            #expect(abs(change.perHour.count) > 12)
            #expect(paced.state.episode?.isAlerted != true, "the person was told that it is out of range")
            // An all-clear, after so much calm, gives the charge back.
            #expect(reading.time - last >= AlertPolicy().recoveryDelay, "the interval between alerts")
            last = reading.time
        }
        #expect(told > 3)
    }

    @Test func aBackTestTellsOfThem() throws {
        let range = try SafeRange(.temperature, minimum: Steps(100), maximum: Steps(400))
        let warming = (0..<300).map {
            Reading(time: Self.minute($0), value: Steps(Int32(200 + max(0, min(60, $0 - 100)))))
        }
        var test = BackTest(range, rules: WatchRules(changeLimit: Self.limit), policy: AlertPolicy())
        test.add(warming)
        #expect(test.alarmCount(of: .rate) == 1 && test.alarmCount == 0 && test.reminderCount == 0)
        #expect(test.alarms.first?.course?.change?.by == Steps(31) && test.alarms.first?.side == .high)
        #expect(test.alarms.first?.value == Steps(231) && test.alarms.first?.time == Self.minute(132))
        var plain = BackTest(range, policy: AlertPolicy())
        plain.add(warming)
        #expect(plain.alarmCount(of: .rate) == 0)
    }
}
