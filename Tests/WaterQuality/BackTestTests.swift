import Instants
import TestSupport
import Testing
import WaterQuality

/// The alerts that limits would have caused.
@Suite struct BackTestTests {
    private static let start = Timestamp(unixSeconds: Int64(1_777_636_800))

    /// A value every half minute.
    private static func readings(_ values: [Int32]) -> [Reading] {
        values.enumerated().map { Reading(time: start + .seconds($0 * 30), value: Steps($1)) }
    }

    private static func test(
        _ range: SafeRange, _ readings: [Reading], _ policy: AlertPolicy = AlertPolicy()
    ) -> BackTest {
        var test = BackTest(range, policy: policy)
        test.add(readings)
        return test
    }

    @Test func eachDipIsOneAlarm() throws {
        let range = try SafeRange(.dissolvedOxygen, minimum: Steps(70), maximum: Steps(90))
        let day = Array(repeating: Int32(80), count: 2_000) + [72, 69, 65, 68, 71, 75]
        let test = Self.test(range, Self.readings(day + day + day + day))
        #expect(test.alarmCount == 4 && test.reminderCount == 0)
        #expect(test.alarms.map(\.side) == Array(repeating: .low, count: 4))
        #expect(test.alarms.map(\.value) == Array(repeating: Steps(69), count: 4))
        #expect(test.alarms.first?.time == Self.start + .seconds(2_001 * 30))
    }

    /// Two hours out of range give one alarm, and a reminder every half hour after it.
    @Test func whatLastsIsOneAlarmWithReminders() throws {
        let range = try SafeRange(.dissolvedOxygen, minimum: Steps(70))
        let readings = Self.readings(Array(repeating: 60, count: 241))
        #expect(Self.test(range, readings).alarmCount == 1)
        #expect(Self.test(range, readings).reminderCount == 4)
        #expect(Self.test(range, readings, AlertPolicy(throttle: .seconds(3_600))).reminderCount == 2)
    }

    @Test func aValueEqualToALimitIsInside() throws {
        let readings = Self.readings([80, 70, 80])
        #expect(Self.test(try SafeRange(.dissolvedOxygen, minimum: Steps(70)), readings).alarmCount == 0)
        #expect(Self.test(try SafeRange(.dissolvedOxygen, minimum: Steps(71)), readings).alarmCount == 1)
    }

    @Test func onlyTheNewestAlarmsAreKept() throws {
        let range = try SafeRange(.dissolvedOxygen, minimum: Steps(70))
        let count = 5 * BackTest.mostAlarms + 7
        let readings = Self.readings((0..<count).flatMap { _ in [Int32](repeating: 80, count: 60) + [60] })
        let test = Self.test(range, readings)
        #expect(test.alarmCount == count)
        #expect(test.alarms.count == BackTest.mostAlarms)
        #expect(test.alarms.last?.time == readings.last?.time)
        let first = readings[readings.count - 1 - 61 * (BackTest.mostAlarms - 1)]
        #expect(test.alarms.first?.time == first.time)
    }

    @Test func lessThanADayIsTooNew() {
        let now = Self.start + .seconds(86_400)
        #expect(BackTest.isTooNew(since: nil, now: now))
        #expect(BackTest.isTooNew(since: Self.start + .microseconds(1), now: now))
        #expect(!BackTest.isTooNew(since: Self.start, now: now))
    }

    /// Compares the back test step by step with an engine whose deliveries are all accepted at once.
    @Test(arguments: 0..<300) func agreesWithWhatAnEngineDoes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let minimum = Int32.random(in: 10..<139, using: &random)
        let maximum = Int32.random(in: minimum + 1...140, using: &random)
        let range = try SafeRange(
            .ph, minimum: Bool.random(using: &random) ? Steps(minimum) : nil,
            maximum: Bool.random(using: &random) ? Steps(maximum) : nil)
        let policy = AlertPolicy(
            throttle: .seconds(Int.random(in: 1...4_000, using: &random)), deadBand: .random(in: 0...4, using: &random),
            holdWithin: .seconds(Int.random(in: 0...300, using: &random)))
        let rules = WatchRules(tellsUnstable: Bool.random(using: &random))
        var readings: [Reading] = []
        var (time, value) = (Self.start, Int32.random(in: 10...140, using: &random))
        for _ in 0..<400 {
            time = time + .seconds(Int.random(in: 0...90, using: &random))
            value += .random(in: Int.random(in: 0..<20, using: &random) == 0 ? -60...60 : -2...2, using: &random)
            readings.append(Reading(time: time, value: Steps(value)))
        }

        var (state, alerts, alarms, reminders) = (WatchState(hasRecipient: true), 0, [Timestamp](), 0)
        var flutter = Flutter.none
        var clearFrom: Timestamp?
        for reading in readings {
            let wasUnstable = state.throttles.latest?.isUnstable ?? false
            let decision = evaluate(
                range, state, reading, rules: rules, flutter: flutter, now: reading.time, newAlert: .new(alerts),
                policy: policy)
            flutter.follow(decision.action)
            state = decision.next
            // The first reading in range after the delay brings an all-clear, which returns the charges.
            if case .close = decision.action {
                clearFrom = reading.time + .seconds(wasUnstable ? 1_800 : 300)
            } else if state.episode != nil {
                clearFrom = nil
            } else if let from = clearFrom, reading.time >= from, decision.reason == .normal {
                (state.throttles, clearFrom) = (.none, nil)
            }
            guard case .alert(let reason) = decision.notification else { continue }
            if reason == .reminder { reminders += 1 } else { alarms.append(reading.time) }
            let side = try #require(range.side(of: reading.value))
            state.throttles[side] = state.throttles[side]?.settled(
                alert: .new(alerts), event: reading.time, decidedAt: reading.time, firstAcceptance: reading.time,
                anyPending: false)
            alerts += 1
        }

        // Readings are added in pieces, as they are read.
        var test = BackTest(range, rules: rules, policy: policy)
        var rest = readings[...]
        while !rest.isEmpty {
            let count = min(rest.count, Int.random(in: 1...50, using: &random))
            test.add(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        #expect(test.alarmCount == alarms.count && test.reminderCount == reminders)
        #expect(test.alarms.map(\.time) == alarms.suffix(BackTest.mostAlarms))
        #expect(test.alarms.allSatisfy { range.side(of: $0.value) == $0.side })
    }
}
