import Instants
import TestSupport
import Testing

@testable import WaterQuality

/// Over random water, explanations agree with the engine's decisions.
@Suite struct ExplanationPropertyTests {
    private static let start = Timestamp(unixSeconds: Int64(1_777_636_800))

    /// An engine with a notifier whose deliveries are all accepted at once, and the data that it stores.
    private struct Engine {
        let policy: AlertPolicy
        var settings: [SettingVersion] = []
        var state = WatchState(hasRecipient: true)
        var flutter = Flutter.none
        var past = WatchPast()
        var readings: [PastReading] = []
        /// The time and the decision of each reading.
        var decisions: [(time: Timestamp, decision: Decision)] = []

        mutating func set(_ range: PersonalRange, at time: Timestamp) {
            if !settings.isEmpty {
                settings[settings.count - 1].period = settings[settings.count - 1].period.lowerBound..<time
            }
            settings.append(SettingVersion(period: time ..< .distantFuture, range: range))
        }

        mutating func take(_ reading: Reading, at receipt: Timestamp) throws {
            readings.append(PastReading(reading: reading, receivedAt: receipt))
            let now = receipt + .milliseconds(5)
            let person = try #require(settings.last).range
            var held = Snoozes.none
            for snooze in past.snoozes { held[snooze.side] = snooze.snooze }
            let decision = evaluate(
                try SafeRange(person.parameter, minimum: person.minimum, maximum: person.maximum), state, reading,
                rules: try person.rules, snoozes: held, flutter: flutter, now: now, newAlert: .new(0), policy: policy)
            flutter.follow(decision.action)
            store(decision, of: reading, at: now)
            state = decision.next
            state.throttles.arrive()
            decisions.append((reading.time, decision))
        }

        private mutating func store(_ decision: Decision, of reading: Reading, at now: Timestamp) {
            switch decision.action {
            case .nothing, .stay: break
            case .close: close(.recovered, reading.time, now)
            case .open(let episode): open(episode, reading.time, now, decision)
            case .flip(_, let episode):
                close(.flipped, reading.time, now)
                open(episode, reading.time, now, decision)
            }
            guard case .alert(let reason) = decision.notification, let episode = past.episodes.last else { return }
            past.alerts.append(
                PastAlert(
                    id: Alert.ID(rawValue: Int64(past.alerts.count + 1)), name: "\(past.alerts.count + 1)",
                    episode: episode.id, purpose: reason == .reminder ? .reminder : .alarm, side: episode.side,
                    eventTime: reading.time,
                    decidedAt: now, isCritical: decision.isCritical, isUnstable: reason == .unstable,
                    firstAcceptance: now, endedAt: now))
        }

        private mutating func open(_ episode: Episode, _ time: Timestamp, _ now: Timestamp, _ decision: Decision) {
            let id = Episode.ID(rawValue: Int64(past.episodes.count + 1))
            past.episodes.append(PastEpisode(id: id, side: episode.side, openedAt: time))
            change(id, time, now, .opened, decision.notification.outcome)
        }

        private mutating func close(_ reason: EpisodeChange.Reason, _ time: Timestamp, _ now: Timestamp) {
            past.episodes[past.episodes.count - 1].closedAt = time
            change(past.episodes[past.episodes.count - 1].id, time, now, reason, .none)
        }

        private mutating func change(
            _ episode: Episode.ID, _ time: Timestamp, _ now: Timestamp, _ reason: EpisodeChange.Reason,
            _ outcome: Decision.Notification.Outcome
        ) {
            past.changes.append(
                EpisodeChange(episode: episode, time: time, decidedAt: now, reason: reason, outcome: outcome))
        }

        /// The stored data of a period.
        func past(in period: Range<Timestamp>) -> WatchPast {
            var part = past
            part.settings = settings.filter { $0.period.overlaps(period) }
            part.episodes = past.episodes.filter {
                $0.openedAt < period.upperBound
                    && ($0.closedAt ?? .distantFuture) >= period.lowerBound - .seconds(3_600)
            }
            part.changes = past.changes.filter { change in part.episodes.contains { $0.id == change.episode } }
            part.alerts = past.alerts.filter { $0.decidedAt < period.upperBound }
            return part
        }
    }

    private static func range(_ random: inout SeededGenerator) -> PersonalRange {
        let minimum = Int32.random(in: 40..<80, using: &random)
        let maximum = Int32.random(in: minimum + 1...100, using: &random)
        var range = PersonalRange(
            parameter: .ph, unit: .ph, minimum: random.chance(80) ? Steps(minimum) : nil,
            maximum: random.chance(80) ? Steps(maximum) : nil)
        if random.chance(30) { range.delay = .seconds(Int.random(in: 1...20, using: &random) * 60) }
        if random.chance(30), range.maximum != nil { range.criticalMaximum = Steps(maximum + 10) }
        range.tellsUnstable = random.chance(30)
        return range
    }

    private static func engine(_ count: Int, _ random: inout SeededGenerator) throws -> Engine {
        var engine = Engine(
            policy: AlertPolicy(
                throttle: .seconds(600), deadBand: .random(in: 0...3, using: &random),
                holdWithin: random.chance(50) ? .seconds(300) : .zero))
        engine.set(range(&random), at: start - .seconds(3600))
        var (time, value) = (start, Int32.random(in: 30...110, using: &random))
        for _ in 0..<count {
            time = time + .seconds(random.chance(3) ? Int.random(in: 600...3000, using: &random) : 30)
            value += .random(in: random.chance(5) ? -40...40 : -2...2, using: &random)
            value = min(130, max(20, value))
            if random.chance(2) { engine.set(range(&random), at: time - .seconds(1)) }
            if random.chance(2) {
                engine.past.snoozes.append(
                    PastSnooze(
                        side: random.chance(50) ? .low : .high,
                        snooze: Snooze(setAt: time - .seconds(1), until: time + .seconds(1_200))))
            }
            // Some readings arrive late, after newer ones.
            let late = random.chance(3) ? Duration.seconds(45) : .zero
            try engine.take(Reading(time: time - late, value: Steps(value)), at: time)
        }
        return engine
    }

    private static func explain(_ engine: Engine, in period: Range<Timestamp>) -> [ExplainedStep] {
        Explanation(
            of: engine.readings.filter { period.contains($0.reading.time) }, engine.past(in: period),
            policy: engine.policy, in: period, now: period.upperBound
        ).steps
    }

    /// The series are short enough that no step is left out.
    @Test(arguments: 0..<200) func eachReadingIsToldAsItWasDecided(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let engine = try Self.engine(150, &random)
        let end = try #require(engine.readings.last).receivedAt
        // From the beginning, and from a random time in between.
        for from in [Self.start, Self.start + .seconds(Int.random(in: 0...4_000, using: &random))] {
            let period = from..<end + .seconds(1)
            let steps = Self.explain(engine, in: period)
            let told = steps.filter { $0.values != nil }
            let inside = engine.decisions.filter { period.contains($0.time) }
            #expect(told.compactMap { $0.values?.count }.reduce(0, +) == inside.count)
            #expect(!steps.contains { $0.what == .undecided || $0.notification == .unknown })
            let changes: Set<ExplainedStep.What> = [.opened, .flipped, .recovered]
            let expected = inside.filter { $0.decision.changes }
            #expect(told.filter { changes.contains($0.what) }.map(\.time) == expected.map(\.time))
            for (time, decision) in inside where decision.reason != .superseded {
                let step = try #require(told.first { $0.covers(time) && ($0.what == .superseded) == false })
                #expect(step.notification.isOf(decision.notification), "\(decision.notification) \(step)")
            }
            let alerts = steps.compactMap(\.alert)
            #expect(alerts.count == inside.count { if case .alert = $0.decision.notification { true } else { false } })
            #expect(Set(alerts.map(\.id)).count == alerts.count)
        }
    }
}

extension Decision {
    fileprivate var changes: Bool {
        switch action {
        case .open, .flip, .close: true
        case .nothing, .stay: false
        }
    }
}

extension ExplainedStep {
    fileprivate func covers(_ other: Timestamp) -> Bool {
        values.map { time <= other && other <= $0.until } ?? false
    }
}

extension ExplainedStep.Notification {
    /// Whether an explained notification matches a decision's, as far as a stored alert tells.
    fileprivate func isOf(_ notification: Decision.Notification) -> Bool {
        switch notification {
        case .none: self == .none
        case .alert: [.alerted, .reminded, .critical, .unstable].contains(self)
        case .withheld, .replacesText: self == Self(notification)
        }
    }
}

extension SeededGenerator {
    fileprivate mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}
