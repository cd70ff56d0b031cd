import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// A back-test of a person's own limits gives the engine's alerts.
@Suite(.timeLimit(.minutes(10))) struct BackTestAgreementTests {
    /// Every reading counts as fresh, as in a back-test, although it comes late here.
    private static let policy = AlertPolicy(throttle: .seconds(600), staleAfter: .seconds(86_400))

    @Test(arguments: 0..<3) func theEngineAndABackTestTellTheSame(_ seed: UInt64) async throws {
        try await EngineFixture.with { fixture in
            let start = try await fixture.decideWanderingPH(seed, Self.policy)

            let subject = try await fixture.phSubject()
            let past = try await fixture.pastReadings(subject, in: start..<subject.now)
            #expect(past.count == 400)
            let range = try SafeRange(.ph, minimum: subject.range.minimum, maximum: subject.range.maximum)
            let test = try await past.tests(of: [range], policy: subject.policy(Self.policy))[0]

            let told = try await fixture.sql(
                """
                SELECT count(*) FILTER (WHERE purpose = 'alarm'), count(*) FILTER (WHERE purpose = 'reminder') FROM alert
                """)
            #expect("\(test.alarmCount)|\(test.reminderCount)" == told)
            #expect(test.alarmCount > 1)
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
