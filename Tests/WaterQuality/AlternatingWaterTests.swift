import Instants
import Testing
import WaterQuality

/// Values that alternate between two levels alert, and a single value back in range does not end an episode.
@Suite struct AlternatingWaterTests {
    private static let start = Timestamp(unixSeconds: Int64(1_777_636_800))

    /// One watch with a reading each `pause` seconds, whose alerts are all delivered.
    private struct Watch {
        let range: SafeRange
        var rules = WatchRules.none
        var state = WatchState(hasRecipient: true)
        var snoozes = Snoozes.none
        var opened = 0
        var closed = 0
        var alerts: [Int] = []
        var count = 0
        let pause: Int

        mutating func take(_ values: [Int32]) {
            for value in values {
                let time = start + .seconds(count * pause)
                let decision = evaluate(
                    range, state, Reading(time: time, value: Steps(value)), rules: rules, snoozes: snoozes, now: time,
                    newAlert: .new(alerts.count), policy: AlertPolicy(holdWithin: .seconds(300)))
                switch decision.action {
                case .open: opened += 1
                case .close: closed += 1
                case .nothing, .stay, .flip: break
                }
                if case .alert = decision.notification { alerts.append(count) }
                snoozes.follow(decision.action, of: state.episode)
                state = decision.next
                state.throttles.arrive()
                count += 1
            }
        }
    }

    private func temperature(every pause: Int = 30, criticalMaximum: Int32? = nil, delay: Int = 0) throws -> Watch {
        let range = try SafeRange(.temperature, minimum: 12, maximum: 27)
        let critical = try CriticalBand(beyond: range, minimum: nil, maximum: criticalMaximum.map { Steps($0) })
        return Watch(range: range, rules: WatchRules(delay: .seconds(delay), critical: critical), pause: pause)
    }

    private func oxygen(every pause: Int = 30) throws -> Watch {
        Watch(range: try SafeRange(.dissolvedOxygen, minimum: Steps(50)), pause: pause)
    }

    private static func alternating(_ good: Int32, _ bad: Int32, bad one: Int, of all: Int) -> [Int32] {
        (0..<60).map { $0 % all < all - one ? good : bad }
    }

    /// Every second, third and fifth reading is out of range, at any pace at which readings are held.
    @Test(arguments: [2, 3, 5], [10, 30, 120, 240, 300]) func alternatingWaterAlarms(each: Int, pause: Int) throws {
        var warm = try temperature(every: pause, criticalMaximum: 280)
        warm.take(Self.alternating(256, 310, bad: 1, of: each))
        #expect(warm.alerts.first.map { $0 < 2 * each } ?? false, "\(warm.alerts)")
        var short = try oxygen(every: pause)
        short.take(Self.alternating(60, 35, bad: 1, of: each))
        #expect(short.alerts.first.map { $0 < 2 * each } ?? false, "\(short.alerts)")
    }

    @Test func alsoWhereThePersonWaits() throws {
        var watch = try temperature(delay: 300)
        watch.take(Self.alternating(256, 310, bad: 1, of: 2))
        #expect(watch.alerts.first == 11 && watch.opened == 1, "\(watch.alerts)")
    }

    /// A rare glitch is held each time.
    @Test func whatComesSeldomIsHeld() throws {
        var watch = try temperature(criticalMaximum: 280)
        for _ in 0..<6 { watch.take(Array(repeating: 256, count: 24) + [310]) }
        #expect(watch.alerts == [] && watch.opened == 6)
    }

    /// Oxygen of 3.0 mg/L with three single readings in range.
    @Test func aGlitchIntoRangeEndsNothing() throws {
        var watch = try oxygen()
        watch.take([80] + Array(repeating: 30, count: 13))
        #expect(watch.alerts == [2])
        let now = Self.start + .seconds(30 * watch.count)
        watch.snoozes[.low] = Snooze(setAt: now, until: now + .seconds(86_400), isAcknowledgement: true)
        for _ in 0..<3 { watch.take([85] + Array(repeating: 30, count: 13)) }
        #expect(watch.opened == 1 && watch.closed == 0 && watch.alerts == [2])
        #expect(watch.snoozes[.low]?.isAcknowledgement == true, "what is acknowledged stays so")
        watch.take([85, 84])
        #expect(watch.closed == 1)
    }

    /// Jumps within the range are not held.
    @Test func onlyTheFirstValueInRangeIsHeld() throws {
        var watch = try oxygen()
        watch.take([80, 30, 30, 85, 60])
        #expect(watch.closed == 1)
    }

    /// A value that changes from too high to too low alerts at once; later alternation alerts once per side and
    /// interval.
    @Test func eachSideIsTold() throws {
        var watch = Watch(range: try SafeRange(.temperature, minimum: 12, maximum: 24), pause: 60)
        watch.take([220, 244, 245])
        let now = Self.start + .seconds(180)
        watch.snoozes[.high] = Snooze(setAt: now, until: now + .seconds(1_800))
        watch.take([251, 110, 109])
        #expect(watch.alerts == [2, 4])
        for _ in 0..<10 { watch.take([251, 110]) }
        #expect(watch.alerts == [2, 4])
    }
}
