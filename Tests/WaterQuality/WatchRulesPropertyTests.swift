import Instants
import TestSupport
import Testing
import WaterQuality

/// Properties of the rules that people set beside their limits, tested on seeded random series.
@Suite struct WatchRulesPropertyTests {
    struct Watch {
        let range: SafeRange
        let rules: WatchRules
        let policy = AlertPolicy()
        var state = WatchState(hasRecipient: true)
        var snoozes = Snoozes.none
        var alerts = 0

        mutating func take(_ reading: Reading, now: Timestamp) -> (before: WatchState, decision: Decision) {
            let before = state
            let decision = evaluate(
                range, state, reading, rules: rules, snoozes: snoozes, now: now, newAlert: .new(alerts), policy: policy)
            if case .alert = decision.notification { alerts += 1 }
            snoozes.follow(decision.action, of: state.episode)
            state = decision.next
            return (before, decision)
        }
    }

    func watch(_ random: inout SeededGenerator) throws -> Watch {
        let range = try SafeRange(.ph, minimum: 7.0, maximum: 8.0)
        let minimum = Bool.random(using: &random) ? Steps(.random(in: 40..<70, using: &random)) : nil
        let maximum = Bool.random(using: &random) ? Steps(.random(in: 81...110, using: &random)) : nil
        return Watch(
            range: range,
            rules: WatchRules(
                delay: .seconds(Bool.random(using: &random) ? Int.random(in: 1...3_600, using: &random) : 0),
                critical: try CriticalBand(beyond: range, minimum: minimum, maximum: maximum)))
    }

    /// A random walk that is often out of range, with gaps, and late and repeated readings.
    func readings(_ count: Int, _ random: inout SeededGenerator) -> [(reading: Reading, now: Timestamp)] {
        var time = Timestamp(unixSeconds: Int64(1_777_636_800))
        var now = time
        var value: Int32 = 75
        return (0..<count).map { _ in
            time = time + .seconds(Int.random(in: 0..<10, using: &random) == 0 ? -120 : 30)
            value = min(120, max(30, value + .random(in: -6...6, using: &random)))
            if Int.random(in: 0..<12, using: &random) == 0 { value = 75 }
            let age = Duration.seconds(Int.random(in: 0..<25, using: &random) == 0 ? 1_000 : 2)
            now = max(now, time + age)
            return (Reading(time: time, value: Steps(value)), now)
        }
    }

    /// Sets, renews and cancels snoozes at random times, as a person may.
    func snooze(_ watch: inout Watch, _ random: inout SeededGenerator, now: Timestamp) {
        let side = Side.allCases.randomElement(using: &random) ?? .low
        guard Bool.random(using: &random) else {
            watch.snoozes[side] = nil
            return
        }
        let isAcknowledgement = Bool.random(using: &random) && watch.state.episode?.side == side
        watch.snoozes[side] = Snooze(
            setAt: now, until: now + .seconds(Int.random(in: 60...7_200, using: &random)),
            isAcknowledgement: isAcknowledgement)
    }

    @Test(arguments: 0..<200) func holdsForEverySeries(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var watch = try watch(&random)
        var lastPlain: [Side: Timestamp] = [:]
        for (reading, now) in readings(600, &random) {
            if Int.random(in: 0..<40, using: &random) == 0 { snooze(&watch, &random, now: now) }
            if Int.random(in: 0..<3, using: &random) == 0 { watch.state.throttles.arrive() }
            let (before, decision) = watch.take(reading, now: now)
            guard decision.reason != .superseded, let side = watch.range.side(of: reading.value) else { continue }
            let episode = try #require(decision.next.episode)
            let held = watch.snoozes[side]?.holds(at: now) == true
            let wasCritical = before.episode.map { $0.side == side && $0.isCritical } ?? false
            let lately =
                before.throttles[side].map { $0.isCritical && reading.time - $0.runsFrom < .seconds(300) } ?? false
            let isFresh = now - reading.time <= watch.policy.staleAfter

            // The first critical value alerts at once, whatever withholds other alerts.
            if decision.isCritical, isFresh, !wasCritical, !lately {
                #expect(decision.notification == .alert(.critical))
            }
            guard case .alert(let reason) = decision.notification else { continue }
            if reason == .critical {
                #expect(decision.isCritical && !lately)
            } else {
                #expect(!held, "nothing else breaks a snooze")
                let isFirst = before.episode.map { $0.side != side || !$0.isAlerted } ?? true
                if isFirst { #expect(reading.time - episode.openedAt >= watch.rules.delay) }
                // Other alerts also keep the throttle, which every alert charges.
                if let throttle = before.throttles[side] {
                    #expect(reading.time - throttle.runsFrom >= watch.policy.throttle)
                }
                if let last = lastPlain[side] { #expect(reading.time - last >= watch.policy.throttle) }
                lastPlain[side] = reading.time
            }
        }
    }

    /// Rules that never apply change no decision.
    @Test(arguments: 200..<300) func rulesThatDoNotApplyChangeNothing(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let range = try SafeRange(.ph, minimum: 7.0, maximum: 8.0)
        var plain = Watch(range: range, rules: .none)
        var idle = Watch(
            range: range,
            rules: WatchRules(critical: try CriticalBand(beyond: range, minimum: Steps(29), maximum: Steps(121))))
        let series = readings(400, &random)
        let over = Snooze(setAt: series[0].now - .seconds(120), until: series[0].now - .seconds(60))
        idle.snoozes = Snoozes(low: over, high: over)
        for (reading, now) in series {
            let (one, other) = (plain.take(reading, now: now).decision, idle.take(reading, now: now).decision)
            #expect(one.action == other.action && one.reason == other.reason)
            #expect(one.notification == other.notification && !other.isCritical)
            #expect(one.next.throttles == other.next.throttles && one.next.episode == other.next.episode)
        }
    }

    @Test(arguments: 300..<360) func replayingAnyPrefixChangesNothing(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var watch = try watch(&random)
        let series = readings(120, &random)
        for (index, (reading, now)) in series.enumerated() {
            if Int.random(in: 0..<20, using: &random) == 0 { snooze(&watch, &random, now: now) }
            _ = watch.take(reading, now: now)
            guard Int.random(in: 0..<6, using: &random) == 0 else { continue }
            let (state, snoozes, alerts) = (watch.state, watch.snoozes, watch.alerts)
            for (again, _) in series[...index] {
                #expect(watch.take(again, now: now).decision.reason == .superseded)
            }
            #expect(watch.state == state && watch.snoozes == snoozes && watch.alerts == alerts)
        }
    }
}
