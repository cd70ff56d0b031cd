import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// A back-test of the limits that a person has tells what the engine told them.
@Suite(.timeLimit(.minutes(10))) struct BackTestAgreementTests {
    /// Every reading is decided as news, as a back-test does, although it comes late here.
    private static let policy = AlertPolicy(throttle: .seconds(600), staleAfter: .seconds(86_400))

    @Test(arguments: 0..<3) func theEngineAndABackTestTellTheSame(_ seed: UInt64) async throws {
        try await EngineFixture.with { fixture in
            var random = SeededGenerator(seed: seed)
            let start = Timestamp(microseconds: Timestamp.now.microseconds / 1_000_000 * 1_000_000) - .seconds(30_000)
            var value = Float(8)
            let messages: [([Parameter: Float], Timestamp)] = (0..<400).map { number in
                value = min(12, max(4, value + Float.random(in: -0.3...0.3, using: &random)))
                return ([.ph: value, .temperature: 20], start + .seconds(number * 60))
            }
            // As they come: some claims have one message, and some many.
            var rest = messages[...]
            while !rest.isEmpty {
                let count = min(rest.count, Int.random(in: 1...120, using: &random))
                try await fixture.hand(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            try await fixture.runEngine(policy: Self.policy)

            let hardwareID = try #require(Device.HardwareID("tank-1"))
            let subject = try #require(
                try await fixture.owner.execute(FindWatchSubject(.ph, of: hardwareID, for: fixture.account)).first)
            var past = PastReadings(of: .ph, in: start..<subject.now)
            while let page = past.nextPage() {
                past.add(
                    try await fixture.owner.transaction { transaction in
                        try transaction.perform(ActForPerson(fixture.account))
                        return try transaction.execute(ReadPastValues(subject.watch, in: page))
                    })
            }
            #expect(past.count == 400)
            let range = try SafeRange(.ph, minimum: subject.range.minimum, maximum: subject.range.maximum)
            let test = try await past.tests(of: [range], policy: subject.policy(Self.policy))[0]

            let told = try await fixture.sql(
                """
                SELECT count(*) FILTER (WHERE purpose = 'alarm'), count(*) FILTER (WHERE purpose = 'reminder') FROM alert
                """)
            #expect("\(test.alarmCount)|\(test.reminderCount)" == told)
            #expect(test.alarmCount > 1)
            // A pending alert takes the text of later readings; when it charged the throttle, its episode had just opened.
            let opened = try await fixture.sql(
                """
                SELECT string_agg(extract(epoch FROM t.event_time)::bigint::text, ' ' ORDER BY t.event_time)
                FROM transition t WHERE t.reason = 'opened' AND t.notification = 'alerted'
                """)
            let times = test.alarms.map { String($0.time.microseconds / 1_000_000) }
            #expect(Set(opened.split(separator: " ").map(String.init)).isSubset(of: times))
        }
    }
}
