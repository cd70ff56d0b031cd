import Instants
import TestSupport
import Testing
import WaterQuality

/// The properties that hold for every series of readings, tested on seeded random series.
@Suite struct EvaluatePropertyTests {
    struct Step {
        let reading: Reading
        let before: WatchState
        let decision: Decision
    }

    struct Watch {
        let range: SafeRange
        let policy: AlertPolicy
        var state: WatchState
        var alerts = 0

        mutating func take(_ reading: Reading, now: Timestamp) -> Step {
            let decision = evaluate(
                range, state, reading, now: now, newAlert: .new(alerts), policy: policy)
            if case .alert = decision.notification { alerts += 1 }
            defer { state = decision.next }
            return Step(reading: reading, before: state, decision: decision)
        }
    }

    func watch(_ random: inout SeededGenerator) throws -> Watch {
        let minimum = Int32.random(in: 10..<139, using: &random)
        let maximum = Int32.random(in: minimum + 1...140, using: &random)
        let range = try SafeRange(
            .ph, minimum: random.chance(80) ? Steps(minimum) : nil, maximum: random.chance(80) ? Steps(maximum) : nil)
        return Watch(
            range: range, policy: AlertPolicy(deadBand: .random(in: 0...4, using: &random)),
            state: WatchState(hasRecipient: random.chance(90)))
    }

    /// A random walk around the range with jumps, gaps, and late and repeated readings.
    func readings(_ count: Int, _ random: inout SeededGenerator) -> [(reading: Reading, now: Timestamp)] {
        var time = Timestamp(unixSeconds: Int64(1_777_636_800))
        var now = time
        var value = Int32.random(in: 0...150, using: &random)
        return (0..<count).map { _ in
            time = time + .seconds(Int.random(in: random.chance(10) ? -600...3600 : 0...60, using: &random))
            value = random.chance(5) ? 0 : value
            value += .random(in: random.chance(5) ? -200...2000 : -2...2, using: &random)
            let age = Duration.seconds(random.chance(5) ? 1000 : Int.random(in: -300...60, using: &random))
            // Readings may be late, but the server's clock never goes back.
            now = max(now, time + age)
            return (Reading(time: time, value: Steps(value)), now)
        }
    }

    @Test(arguments: 0..<200) func holdsForEverySeries(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var watch = try watch(&random)
        var lastAlerts: [Side: Timestamp] = [:]
        var isOpen = false
        for (reading, now) in readings(400, &random) {
            if random.chance(2) { watch.state.hasRecipient.toggle() }
            if random.chance(20) { deliver(&watch, &random, now: now) }
            let step = watch.take(reading, now: now)
            let (decision, before) = (step.decision, step.before)

            // An episode is open exactly between its opening and its closing: no recovery precedes its alarm.
            switch decision.action {
            case .open:
                #expect(!isOpen)
                isOpen = true
            case .close:
                #expect(isOpen)
                isOpen = false
            case .flip: #expect(isOpen && decision.next.episode?.side != before.episode?.side)
            case .stay: #expect(isOpen && decision.next.episode?.openedAt == before.episode?.openedAt)
            case .nothing: #expect(decision.notification == .none)
            }
            #expect((decision.next.episode != nil) == isOpen)
            #expect(decision.reason == .superseded || decision.next.lastEvaluated == reading.time)

            if case .alert = decision.notification {
                #expect(!watch.range.contains(reading.value) && before.hasRecipient)
                let side = try #require(watch.range.side(of: reading.value))
                // A refund clears the throttle of a side, and so the minimum interval.
                if let last = lastAlerts[side], before.throttles[side] != nil {
                    #expect(reading.time - last >= watch.policy.throttle)
                }
                lastAlerts[side] = reading.time
                #expect(decision.next.throttles[side]?.runsFrom == reading.time)
            }
            if decision.reason != .superseded, !watch.range.contains(reading.value) {
                #expect(isOpen && decision.notification != .none)
            }
            if let episode = decision.next.episode?.excursion, decision.reason == .ongoing || decision.reason == .opened
            {
                #expect(episode.side == .high ? episode.worst >= reading.value : episode.worst <= reading.value)
            }
        }
    }

    /// Random updates on the deliveries of pending alerts.
    func deliver(_ watch: inout Watch, _ random: inout SeededGenerator, now: Timestamp) {
        for side in Side.allCases {
            guard let throttle = watch.state.throttles[side], let alert = throttle.pending else { continue }
            let decidedAt = throttle.runsFrom
            watch.state.throttles[side] = throttle.settled(
                alert: alert, event: throttle.runsFrom, decidedAt: decidedAt,
                // No delivery is accepted before the decision, nor in the future.
                firstAcceptance: random.chance(70)
                    ? min(decidedAt + .seconds(Int.random(in: 0...900, using: &random)), max(decidedAt, now)) : nil,
                anyPending: random.chance(30))
        }
    }

    @Test(arguments: 200..<300) func replayingAnyPrefixChangesNothing(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var watch = try watch(&random)
        let series = readings(120, &random)
        for (index, (reading, now)) in series.enumerated() {
            _ = watch.take(reading, now: now)
            guard random.chance(20) else { continue }
            let state = watch.state
            let alerts = watch.alerts
            for (again, _) in series[...index] {
                let step = watch.take(again, now: now)
                #expect(step.decision.reason == .superseded)
            }
            #expect(watch.state == state && watch.alerts == alerts)
        }
    }

    @Test func hostileReadingsNeverTrap() throws {
        let ends = [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max].map { Timestamp(microseconds: $0) }
        let values = [Steps(.min), Steps(.max), Steps(0), Steps(86)]
        let throttle = Throttle(runsFrom: .distantFuture, pending: nil)
        let policy = AlertPolicy(
            throttle: .seconds(Int64.max), recoveryDelay: .seconds(Int64.max), deadBand: .max)
        for parameter in Parameter.allCases {
            let range = try SafeRange(parameter, maximum: parameter.absoluteRange.lowerBound)
            for (time, now) in ends.flatMap({ time in ends.map { (time, $0) } }) {
                for value in values {
                    for last in [nil, ends[0]] {
                        let state = WatchState(
                            lastEvaluated: last, episode: Episode(side: .low, openedAt: time, worst: value),
                            throttle: throttle, hasRecipient: true)
                        let decision = evaluate(
                            range, state, Reading(time: time, value: value), now: now,
                            newAlert: .new(0), policy: policy)
                        #expect(decision.next.hasRecipient)
                    }
                }
            }
        }
    }
}

extension SeededGenerator {
    fileprivate mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}
