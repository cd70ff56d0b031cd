import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// Limits that will be reached, from a batch to alerts. The default limits of temperature are 12 and 24, and people
/// want to be told an hour ahead.
struct AheadTests {
    private static let policy = AlertPolicy(staleAfter: .seconds(86_400))
    /// A recent start: nothing is told ahead about the past.
    private static let start = Timestamp.now.roundedDown(to: .seconds(300)) - .seconds(100 * 60)

    private static func minute(_ minute: Int) -> Timestamp { start + .seconds(60 * minute) }

    /// 20 degrees, rising by a tenth every three minutes: 24 at minute 120.
    private static func rising(_ minute: Int) -> Float { Float(200 + minute / 3) / 10 }

    /// The same up to minute 70, then cold water.
    private static func cooled(_ minute: Int) -> Float { minute < 70 ? rising(minute) : 20 }

    private func run(
        _ fixture: EngineFixture, minutes: Range<Int>, sizes: [Int] = [1], _ memories: [SharedMemory],
        policy: AlertPolicy = policy, behind: Duration = .zero, value: (Int) -> Float = rising
    ) async throws {
        try await fixture.decide(
            minutes, since: Self.start, sizes: sizes, memories, policy, behind: behind, value: value)
    }

    private func told(_ fixture: EngineFixture) async throws -> String {
        try await fixture.sql(
            """
            SELECT string_agg(concat_ws(' ', kind, purpose, side, heading,
                round(extract(epoch FROM event_time - '\(Self.start.iso8601)') / 60), round(value::numeric, 1),
                round(limit_value::numeric, 1),
                round(extract(epoch FROM expected_at - '\(Self.start.iso8601)') / 600) * 10), ', ' ORDER BY alert_id)
            FROM alert
            """)
    }

    private static let expected = "ahead alarm high 65 22.1 24.0 120"

    private func outcomes(_ fixture: EngineFixture) async throws -> String {
        try await fixture.sql(
            """
            SELECT string_agg(reason || ' ' || notification, ', ' ORDER BY transition_id)
            FROM transition t JOIN episode USING (slot, episode_id) WHERE kind = 'ahead'
            """)
    }

    /// Another probe's course counts for nothing, and the chosen probe's is used once enough of it is known.
    @Test func anotherProbeBeginsAnew() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.askAhead()
            let memory = SharedMemory()
            try await run(fixture, minutes: 0..<40, [memory])
            try await fixture.chooseProbe(at: Self.minute(38))
            try await run(fixture, minutes: 40..<80, [memory])
            #expect(try await told(fixture) == "")
            try await run(fixture, minutes: 80..<100, [memory])
            #expect(try await told(fixture) == "ahead alarm high 95 23.1 24.0 120")
        }
    }

    @Test(arguments: [[1], [7, 1, 30], [100]]) func itIsToldOnceHoweverReadingsAreBatched(sizes: [Int]) async throws {
        try await EngineFixture.with { fixture in
            try await fixture.askAhead()
            try await run(fixture, minutes: 0..<100, sizes: sizes, [SharedMemory()])
            #expect(try await told(fixture) == Self.expected)
            #expect(
                try await fixture.sql("SELECT kind, parameter, side, closed_at IS NULL FROM episode") == "ahead|0||t")
            #expect(try await outcomes(fixture) == "opened alerted")
            #expect(try await fixture.sql("SELECT kind, parameter FROM throttle") == "ahead|0")
        }
    }

    /// An engine that starts, or follows another engine, has no memory and reads it again.
    @Test func whichEngineDecidesDoesNotMatter() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.askAhead()
            try await run(fixture, minutes: 0..<56, [SharedMemory(), SharedMemory()])
            try await run(fixture, minutes: 56..<70, (0..<14).map { _ in SharedMemory() })
            #expect(try await told(fixture) == Self.expected)
        }
    }

    @Test func whoDoesNotAskHearsNothing() async throws {
        try await EngineFixture.with { fixture in
            let lee = try await fixture.addPerson("lee")
            try await fixture.join(lee)
            try await fixture.begin(fixture.device, of: lee, at: Self.start - .seconds(60))
            try await fixture.askAhead()
            try await run(fixture, minutes: 0..<70, sizes: [10], [SharedMemory()])
            #expect(
                try await fixture.sql("SELECT count(*), bool_and(account_id = \(fixture.account.rawValue)) FROM alert")
                    == "1|t")
        }
    }

    /// The device's clock is an hour behind.
    @Test func theTrueTimeIsTold() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.askAhead()
            _ = try await fixture.sql(
                "INSERT INTO device_clock (slot, device_id, lag_seconds) SELECT slot, device_id, 3600 FROM device")
            try await run(fixture, minutes: 0..<70, [SharedMemory()], behind: .seconds(3_600))
            #expect(
                try await fixture.sql(
                    """
                    SELECT heading, round(extract(epoch FROM expected_at - '\(Self.start.iso8601)') / 600) * 10 FROM alert
                    """) == "high|120")
        }
    }

    /// Readings from before a person joined are not theirs to know.
    @Test func whoJoinsHearsOfWhatIsSeenFromThenOn() async throws {
        try await EngineFixture.with { fixture in
            let lee = try await fixture.addPerson("lee")
            try await fixture.join(lee)
            try await fixture.begin(fixture.device, of: lee, at: Self.minute(25))
            try await fixture.askAhead(of: lee)
            try await run(fixture, minutes: 0..<100, sizes: [20], [SharedMemory()])
            #expect(try await told(fixture) == "ahead alarm high 80 22.6 24.0 120")
        }
    }

    /// A glitch every half an hour, far out on both sides, leads to no alert.
    @Test func glitchesTellNothingAhead() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.askAhead()
            try await run(fixture, minutes: 0..<100, sizes: [1, 9], [SharedMemory()]) {
                $0 % 30 == 5 ? ($0 % 60 == 5 ? 23.9 : 12.1) : 20
            }
            #expect(try await fixture.sql("SELECT count(*) FROM episode") == "0")
        }
    }

    @Test func itsEndIsAnnounced() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.askAhead()
            try await run(fixture, minutes: 0..<100, sizes: [5], [SharedMemory()], value: Self.cooled)
            #expect(try await told(fixture) == Self.expected)
            #expect(try await outcomes(fixture) == "opened alerted, recovered none")
            _ = try await fixture.sql(
                "UPDATE alert SET state = 'delivered'; UPDATE episode SET recovery_due_at = now()")
            try await fixture.withEngines(1, policy: Self.policy) {
                _ = try await awaitFact("the all-clear") {
                    try await fixture.sql("SELECT count(*) FROM alert WHERE purpose = 'recovery' AND kind = 'ahead'")
                        == "1" ? true : nil
                }
            }
            #expect(
                try await fixture.sql("SELECT heading, expected_at, value FROM alert WHERE purpose = 'recovery'")
                    == "||")
        }
    }

    /// The alarm of the limit takes over: no end of this alert is announced, and it is not repeated while that lasts.
    @Test func whatLeavesTheLimitsIsToldByThem() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.askAhead()
            try await run(fixture, minutes: 0..<100, [SharedMemory()]) { $0 < 80 ? Self.rising($0) : 25 }
            #expect(try await fixture.sql("SELECT kind FROM alert ORDER BY alert_id") == "ahead\nrange")
            #expect(try await outcomes(fixture) == "opened alerted, recovered none")
            #expect(
                try await fixture.sql(
                    "SELECT kind, closed_at IS NULL, recovery_due_at IS NULL FROM episode ORDER BY episode_id")
                    == "ahead|f|t\nrange|t|t")
        }
    }

    /// The value was out of range, and the person knows; by the dead band it still is.
    @Test func anAlarmOfTheLimitsStandsForIt() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.askAhead()
            let policy = AlertPolicy(staleAfter: .seconds(86_400), deadBand: 20)
            try await run(fixture, minutes: 0..<100, sizes: [1, 9], [SharedMemory()], policy: policy) { minute in
                // Above the maximum at first, then rising again from below it.
                minute < 3 ? 24.2 : Float(2_220 + minute * 16 / 10) / 100
            }
            #expect(try await fixture.sql("SELECT kind FROM alert") == "range")
            #expect(try await outcomes(fixture) == "opened outOfRange")
        }
    }

    /// A person who has switched it off gets no all-clear, either.
    @Test func whoAsksNoMoreHearsNoMore() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.askAhead()
            let memory = SharedMemory()
            try await run(fixture, minutes: 0..<70, sizes: [10], [memory])
            try await fixture.askAhead(minutes: nil)
            try await run(fixture, minutes: 70..<100, sizes: [10], [memory])
            #expect(try await told(fixture) == Self.expected)
            #expect(
                try await fixture.sql("SELECT closed_because, recovery_due_at IS NULL FROM episode") == "recovered|t")
        }
    }

    @Test func aSnoozeOfItHoldsItBackAlone() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.askAhead()
            let key = SnoozeKey(
                device: fixture.device, account: fixture.account, kind: .ahead, parameter: .temperature, side: nil)
            try await fixture.owner.transaction { transaction in
                try transaction.setSnooze(key, at: .now, until: .now + .seconds(3_600))
            }
            try await run(fixture, minutes: 0..<100, sizes: [5], [SharedMemory()]) { $0 < 80 ? Self.rising($0) : 25 }
            #expect(try await fixture.sql("SELECT kind FROM alert") == "range")
            #expect(try await outcomes(fixture) == "opened snoozed, recovered none")
        }
    }

    /// The engine and a back-test agree on random water.
    @Test(arguments: 0..<2 as Range<UInt64>) func aBackTestTellsTheSame(seed: UInt64) async throws {
        try await EngineFixture.with { fixture in
            // Alerts come before the limit is reached, long after the readings: about the past there would be none.
            let begin = Self.minute(90) - .seconds(60 * 400)
            try await fixture.askAhead(minutes: 360)
            var random = SeededGenerator(seed: seed)
            var (level, drift) = (180.0, 0.0)
            let values = (0..<400).map { number in
                if number % 90 == 0 {
                    drift = Double.random(in: 0.05...0.4, using: &random) * (number % 180 == 0 ? 1 : -1)
                }
                level = max(130, min(230, level + drift))
                return Float((level + Double.random(in: -1...1, using: &random)).rounded()) / 10
            }
            try await fixture.decide(0..<400, since: begin, sizes: [1, 17, 5], [SharedMemory()], Self.policy) {
                values[$0]
            }
            // Without a reason to withhold it, each opening alerts at once.
            let rules = WatchReplay.Rules(
                try SafeRange(.temperature, minimum: Steps(120), maximum: Steps(240)),
                rules: WatchRules(ahead: .seconds(21_600)), policy: AlertPolicy(throttle: .zero))
            var (replay, expected) = (WatchReplay(), [String]())
            for (number, value) in values.enumerated() {
                let reading = Reading(
                    time: begin + .seconds(60 * number), value: Parameter.temperature.steps(of: value))
                let effects = replay.take(reading, by: rules, now: reading.time)
                if case .told(.ahead, _, _) = effects.last { expected.append("\(number)") }
            }
            #expect(!expected.isEmpty)
            #expect(
                try await fixture.sql(
                    """
                    SELECT round(extract(epoch FROM opened_at - '\(begin.iso8601)') / 60) FROM episode
                    WHERE kind = 'ahead' ORDER BY episode_id
                    """) == expected.joined(separator: "\n"))
        }
    }
}

extension EngineFixture {
    /// - Parameter minutes: The time before a temperature limit at which the person is told.
    fileprivate func askAhead(of person: Account.ID? = nil, minutes: Int? = 60) async throws {
        _ = try await sql(
            """
            UPDATE setting SET ahead_minutes = \(minutes.map(String.init) ?? "NULL")
            WHERE parameter = 0 AND valid_until IS NULL AND account_id = \((person ?? account).rawValue)
            """)
    }
}
