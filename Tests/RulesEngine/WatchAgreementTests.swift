import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// Engines tell what the one watch machine tells, of every kind that follows from readings: on random water, by engines that take
/// turns and are started anew, with limits that change and snoozes that come and go.
@Suite(.timeLimit(.minutes(10))) struct WatchAgreementTests {
    /// Every reading counts as fresh, although it comes late here. The usual interval between alerts is over before a fast change
    /// can be calm and come again; with a long one it matters that an all-clear gives its charge back.
    private static func policy(_ seed: UInt64) -> AlertPolicy {
        AlertPolicy(
            throttle: .seconds(seed < usual ? 1_800 : 14_400), recoveryDelay: .seconds(300),
            staleAfter: .seconds(86_400))
    }

    /// The seeds below this one have the usual interval.
    private static let usual: UInt64 = 4
    private static let minutes = 360

    @Test(arguments: 0..<8 as Range<UInt64>) func `engines and the replay tell the same`(seed: UInt64) async throws {
        try await EngineFixture.with { fixture in
            var random = SeededGenerator(seed: seed)
            let policy = Self.policy(seed)
            let isWorkedOn = seed % 2 == 1
            let now = Timestamp(microseconds: Timestamp.now.microseconds / 1_000_000 * 1_000_000)
            let start = now - .seconds(60 * (Self.minutes + 1))
            var wishes = Wishes()
            try await fixture.wish(wishes)
            try await fixture.linkEarlier()
            var water = Water()
            var engines = [SharedMemory(), SharedMemory()]
            var replay = WatchReplay()
            var expected: [String] = []
            for minute in 0..<Self.minutes {
                switch Int.random(in: 0..<45, using: &random) {
                case 0:
                    wishes.change(using: &random)
                    try await fixture.wish(wishes)
                case 1: engines[Int.random(in: 0..<engines.count, using: &random)] = SharedMemory()
                case 2: try await wishes.snooze(fixture, using: &random)
                case 3: try await wishes.endSnoozes(fixture)
                case 4 where isWorkedOn:
                    try await wishes.work(fixture, from: start + .seconds(60 * minute), using: &random)
                default: break
                }
                let (value, time) = (water.next(using: &random), start + .seconds(60 * minute))
                try await fixture.hand([.temperature: value], at: time, receivedAt: time + .seconds(1))
                try await fixture.claim(engines[Int.random(in: 0..<engines.count, using: &random)], policy)
                try await fixture.arrive(policy)
                let effects = replay.take(
                    Reading(time: time, value: Parameter.temperature.steps(of: value)),
                    by: try wishes.rules(policy), snoozes: wishes.snoozes, work: wishes.work, for: fixture.account,
                    now: .now)
                expected += effects.compactMap(Self.told).map { "\(minute) \($0)" }.sorted()
            }
            let told = try await fixture.sql(
                """
                SELECT round(extract(epoch FROM event_time - '\(start.iso8601)') / 60) || ' ' || kind || ' ' || purpose FROM alert
                WHERE purpose <> 'recovery' ORDER BY event_time, kind
                """)
            #expect(told == expected.joined(separator: "\n"))
            // Work holds most of the rest back.
            let usual = ["rate alarm"] + (seed < Self.usual ? ["range reminder"] : [])
            for kind in ["range alarm"] + (isWorkedOn ? [] : usual) {
                #expect(expected.contains { $0.hasSuffix(kind) }, "\(kind) in \(expected)")
            }
        }
    }

    /// The kind and the purpose of an alert that a reading has.
    private static func told(_ effect: WatchReplay.Effect) -> String? {
        switch effect {
        case .decided(let decision):
            guard case .alert(let reason) = decision.notification else { return nil }
            return "range \(reason == .reminder ? "reminder" : "alarm")"
        case .told(let kind, let reason, _): return "\(kind.rawValue) \(reason == .reminder ? "reminder" : "alarm")"
        }
    }

    /// A temperature that drifts up and down past its limits, with jumps.
    private struct Water {
        private var level = 200.0
        private var drift = 0.5

        mutating func next(using random: inout SeededGenerator) -> Float {
            if Int.random(in: 0..<40, using: &random) == 0 { drift = Double.random(in: -1.2...1.2, using: &random) }
            if Int.random(in: 0..<60, using: &random) == 0 { level += Double.random(in: -25...25, using: &random) }
            if level < 90 { drift = abs(drift) }
            if level > 290 { drift = -abs(drift) }
            level += drift
            return Float((level + Double.random(in: -2...2, using: &random)).rounded()) / 10
        }
    }

    /// The person's limits, and what they want to hear nothing of.
    fileprivate struct Wishes {
        var minimum: Int32 = 150
        var maximum: Int32 = 240
        var criticalMaximum: Int32? = 270
        var changePerHour: Int32 = 25
        var delay = 0
        var snoozes: [Alert.Kind: Snoozes] = [:]
        var work: [Work] = []

        mutating func change(using random: inout SeededGenerator) {
            minimum = Int32.random(in: 120...180, using: &random)
            maximum = Int32.random(in: 200...260, using: &random)
            criticalMaximum = Bool.random(using: &random) ? maximum + 30 : nil
            changePerHour = Int32.random(in: 15...40, using: &random)
            delay = Bool.random(using: &random) ? 0 : 300
        }

        func rules(_ policy: AlertPolicy) throws -> WatchReplay.Rules {
            let range = try SafeRange(.temperature, minimum: Steps(minimum), maximum: Steps(maximum))
            let critical = try CriticalBand(beyond: range, minimum: nil, maximum: criticalMaximum.map { Steps($0) })
            return WatchReplay.Rules(
                range,
                rules: WatchRules(
                    delay: .seconds(delay), critical: critical, changeLimit: ChangeLimit(perHour: Steps(changePerHour)),
                    ahead: .seconds(3_600)),
                policy: policy)
        }

        /// Snoozes hold for longer than the test takes.
        mutating func snooze(_ fixture: EngineFixture, using random: inout SeededGenerator) async throws {
            let kind = [Alert.Kind.range, .rate, .ahead].randomElement(using: &random) ?? .range
            let side: Side? = kind == .range ? (Bool.random(using: &random) ? .low : .high) : nil
            let snooze = Snooze(setAt: .now, until: .now + .seconds(86_400))
            let key = SnoozeKey(
                device: fixture.device, account: fixture.account, kind: kind, parameter: .temperature, side: side)
            try await fixture.owner.transaction { transaction in
                try transaction.setSnooze(key, at: snooze.setAt, until: snooze.until)
            }
            snoozes[kind, default: .none][side] = snooze
        }

        /// Somebody works on the water, from a quarter of an hour to an hour.
        mutating func work(
            _ fixture: EngineFixture, from time: Timestamp, using random: inout SeededGenerator
        ) async throws {
            let until = time + .seconds(Int.random(in: 15...60, using: &random) * 60)
            let keepsHard = Bool.random(using: &random)
            let outcome = try await fixture.work(from: time, until: until, keepsHard: keepsHard)
            #expect(outcome == "created")
            work.append(Work(time..<until, begunBy: fixture.account, keepsHard: keepsHard))
        }

        mutating func endSnoozes(_ fixture: EngineFixture) async throws {
            _ = try await fixture.sql("UPDATE snooze SET ended_at = now() WHERE ended_at IS NULL")
            snoozes = [:]
        }
    }
}

extension EngineFixture {
    fileprivate func wish(_ wishes: WatchAgreementTests.Wishes) async throws {
        _ = try await sql(
            """
            UPDATE setting SET minimum = \(wishes.minimum), maximum = \(wishes.maximum),
                critical_maximum = \(wishes.criticalMaximum.map { "\($0)" } ?? "NULL"), delay_seconds = \(wishes.delay),
                change_per_hour = \(wishes.changePerHour), ahead_minutes = 60
            WHERE parameter = 0 AND valid_until IS NULL
            """)
    }
}
