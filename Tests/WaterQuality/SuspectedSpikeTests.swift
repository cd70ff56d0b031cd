import Instants
import TestSupport
import Testing
import WaterQuality

/// The first value after a jump out of range, or back into it, is held for one reading. Temperature, 12.0 to 24.0 °C: a
/// jump of more than half a degree is suspect, and one of more than five degrees is impossible for water.
@Suite struct SuspectedSpikeTests {
    static let start = Timestamp(unixSeconds: Int64(1_777_636_800))
    static let policy = AlertPolicy(holdWithin: .seconds(300))

    struct Watch {
        let range: SafeRange
        var rules = WatchRules.none
        var policy = SuspectedSpikeTests.policy
        var state = WatchState(hasRecipient: true)
        var alerts = 0
        /// The server's clock, which never goes back.
        var now = Timestamp.distantPast

        mutating func take(_ reading: Reading, age: Duration = .zero) -> (before: WatchState, decision: Decision) {
            let before = state
            now = max(now, reading.time + age)
            let decision = evaluate(
                range, state, reading, rules: rules, now: now, newAlert: .new(alerts), policy: policy)
            if case .alert = decision.notification { alerts += 1 }
            state = decision.next
            return (before, decision)
        }

        /// Takes a value `second` seconds after the start.
        mutating func take(_ value: Int32, at second: Int) -> Decision {
            take(Reading(time: start + .seconds(second), value: Steps(value))).decision
        }
    }

    func watch(criticalMaximum: Int32? = nil, policy: AlertPolicy = policy) throws -> Watch {
        let range = try SafeRange(.temperature, minimum: 12, maximum: 24)
        let critical = try CriticalBand(beyond: range, minimum: nil, maximum: criticalMaximum.map { Steps($0) })
        return Watch(range: range, rules: WatchRules(critical: critical), policy: policy)
    }

    @Test func theNextReadingConfirmsIt() throws {
        var watch = try watch()
        _ = watch.take(230, at: 0)
        let held = watch.take(255, at: 30)
        #expect(held.reason == .opened && held.notification == .withheld(.held) && held.notification.outcome == .held)
        #expect(held.next.throttle == nil, "nobody was told, so nothing is charged")
        let confirmed = watch.take(250, at: 60)
        #expect(confirmed.reason == .ongoing && confirmed.notification == .alert(.opened))
        #expect(confirmed.next.episode?.openedAt == Self.start + .seconds(30))
        #expect(confirmed.next.episode?.worst == Steps(255))
    }

    /// The device's clock was put back, so the time of the doubt lies hours ahead. Alternating values must still alert.
    @Test func aDoubtOfTheFutureHoldsNothing() throws {
        var watch = try watch()
        watch.state.doubtedAt = Self.start + .seconds(7_200)
        for second in stride(from: 0, to: 240, by: 60) {
            _ = watch.take(230, at: second)
            let jumped = watch.take(255, at: second + 30)
            #expect(jumped.reason != .held && jumped.notification != .withheld(.held), "after \(second) s")
        }
        #expect(watch.alerts == 1)
    }

    @Test func orClearsIt() throws {
        var watch = try watch()
        _ = watch.take(230, at: 0)
        #expect(watch.take(840, at: 30).notification == .withheld(.held))
        // The value fell as far as it had risen; the next reading has to confirm that too.
        let back = watch.take(230, at: 60)
        #expect(back.reason == .held && back.notification == .withheld(.held) && back.next.episode != nil)
        let cleared = watch.take(231, at: 90)
        #expect(cleared.reason == .recovered && cleared.notification == .none && watch.alerts == 0)
    }

    @Test(
        arguments: [
            // A jump equal to the threshold is no spike; one step more is.
            (239, 30, 244, nil, false), (238, 30, 244, nil, true), (125, 30, 119, nil, true),
            // The pause between the two readings.
            (238, 300, 244, nil, true), (238, 301, 244, nil, false), (238, 3_600, 300, nil, false),
            // Critical values are held only after a jump that is impossible for water.
            (220, 30, 265, 260, false), (215, 30, 265, 260, false), (214, 30, 265, 260, true),
            (238, 30, 260, 260, true),
        ] as [(Int32, Int, Int32, Int32?, Bool)])
    func itDependsOnTheJump(
        _ last: Int32, _ pause: Int, _ value: Int32, _ criticalMaximum: Int32?, isHeld: Bool
    ) throws {
        var watch = try watch(criticalMaximum: criticalMaximum)
        _ = watch.take(last, at: 0)
        let decision = watch.take(value, at: pause)
        #expect(decision.action.isOpening)
        #expect((decision.notification == .withheld(.held)) == isHeld)
        if !isHeld { #expect(watch.alerts == 1) }
        // Only one reading is held, and none if the operator turned holding off.
        if isHeld {
            let reason = decision.isCritical ? Decision.Reason.critical : .opened
            #expect(watch.take(value, at: pause + 1).notification == .alert(reason))
        }
        var plain = try self.watch(criticalMaximum: criticalMaximum, policy: AlertPolicy(holdWithin: .zero))
        _ = plain.take(last, at: 0)
        _ = plain.take(value, at: pause)
        #expect(plain.alerts == 1)
    }

    @Test func withoutAValueBeforeThereIsNoJump() throws {
        var watch = try watch()
        #expect(watch.take(300, at: 0).notification == .alert(.opened))
        // Nor is there a jump if the last value has a time of a clock that was ahead.
        watch = try self.watch()
        watch.state.lastEvaluated = Self.start + .seconds(86_400)
        watch.state.lastValue = Steps(200)
        #expect(watch.take(300, at: 30).notification == .alert(.opened))
    }

    /// A possible glitch to the other side does not end the open episode.
    @Test func theOtherSideIsHeldAsWell() throws {
        var watch = try watch()
        _ = watch.take(110, at: 0)
        let held = watch.take(300, at: 30)
        #expect(held.reason == .held && held.notification == .withheld(.held))
        #expect(held.next.episode?.side == .low && held.next.episode?.worst == Steps(110))
        var glitch = watch
        #expect(glitch.take(110, at: 60).reason == .ongoing)
        #expect(watch.take(299, at: 60).notification == .alert(.flipped))
        // A value that alternates alerts.
        #expect(glitch.take(300, at: 90).notification == .alert(.flipped))
        // A stale reading is held too.
        var late = try self.watch()
        _ = late.take(110, at: 0)
        let stale = late.take(Reading(time: Self.start + .seconds(30), value: Steps(300)), age: .seconds(3_600))
        #expect(stale.decision.reason == .held && stale.decision.notification == .withheld(.stale))
    }

    /// The order of the reasons: a stale reading is not held, and a held one is not delayed.
    @Test func staleComesFirstAndDelayedLast() throws {
        var watch = try watch()
        watch.rules = WatchRules(delay: .seconds(600))
        _ = watch.take(230, at: 0)
        let reading = Reading(time: Self.start + .seconds(30), value: Steps(260))
        var late = watch
        #expect(late.take(reading, age: .seconds(3_600)).decision.notification == .withheld(.stale))
        #expect(watch.take(reading).decision.notification == .withheld(.held))
        #expect(watch.take(260, at: 60).notification == .withheld(.delayed))
        #expect(watch.take(260, at: 630).notification == .alert(.opened))
    }

    // MARK: Properties

    /// A random walk with glitches and jumps, late and repeated readings, and pauses.
    /// - Parameter jumps: Whether the walk has jumps.
    func readings(_ count: Int, _ random: inout SeededGenerator, jumps: Bool) -> [Reading] {
        var (time, value) = (Self.start, Int32(220))
        return (0..<count).map { _ in
            let kind = Int.random(in: 0..<20, using: &random)
            guard kind > 0 else { return Reading(time: time - .seconds(30), value: Steps(value)) }
            time = time + .seconds(kind == 1 ? 600 : 30)
            value = min(300, max(60, value + .random(in: jumps ? -8...8 : -5...5, using: &random)))
            let isGlitch = jumps && Int.random(in: 0..<10, using: &random) == 0
            return Reading(time: time, value: Steps(isGlitch ? .random(in: -1_270...850, using: &random) : value))
        }
    }

    /// Out of range, no two readings within five minutes are held, no episode ends at a jump, and every alarm that the
    /// next reading confirms is sent.
    @Test(arguments: 0..<200) func holdsForEverySeries(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var watch = try watch(criticalMaximum: Bool.random(using: &random) ? 270 : nil)
        var held = 0
        var lastHeld: Timestamp?
        var wasHeld = false
        for reading in readings(500, &random, jumps: true) {
            watch.state.throttles.arrive()
            let (before, decision) = watch.take(reading)
            guard decision.reason != .superseded else { continue }
            let isInside = watch.range.contains(reading.value)
            let pause = reading.time - (before.lastEvaluated ?? .distantPast)
            let isHeld = decision.notification == .withheld(.held)
            if isHeld {
                held += 1
                #expect(pause <= .seconds(300))
                #expect(decision.action.isOpening || decision.next.episode == before.episode)
                if !isInside {
                    if let lastHeld { #expect(reading.time - lastHeld > .seconds(300)) }
                    lastHeld = reading.time
                }
            } else if wasHeld, decision.reason == .ongoing, before.episode?.isAlerted == false {
                let isFree = before.throttle.map { reading.time - $0.runsFrom >= .seconds(1_800) } ?? true
                #expect(!isFree || decision.notification.reason == .opened || decision.isCritical)
            }
            if case .close = decision.action, pause <= .seconds(300), let last = before.lastValue {
                let height = abs(reading.value.count - last.count)
                #expect(watch.range.contains(last) || height <= 5)
            }
            wasHeld = isHeld && !isInside
        }
        #expect(held > 0, "the run says something")
    }

    @Test(arguments: 200..<300) func waterThatDoesNotJumpIsDecidedAsEver(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var watch = try watch()
        var plain = watch
        plain.policy = AlertPolicy()
        for reading in readings(400, &random, jumps: false) {
            #expect(watch.take(reading).decision == plain.take(reading).decision)
        }
    }

    @Test(arguments: 300..<360) func replayingAnyPrefixChangesNothing(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var watch = try watch()
        let series = readings(120, &random, jumps: true)
        for (index, reading) in series.enumerated() {
            _ = watch.take(reading)
            guard Int.random(in: 0..<6, using: &random) == 0 else { continue }
            let (state, alerts) = (watch.state, watch.alerts)
            for again in series[...index] { #expect(watch.take(again).decision.reason == .superseded) }
            #expect(watch.state == state && watch.alerts == alerts)
        }
    }
}

extension Decision.Action {
    fileprivate var isOpening: Bool { if case .open = self { true } else { false } }
}
