import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// Explanations equal what the engine stored.
@Suite(.timeLimit(.minutes(10))) struct ExplanationAgreementTests {
    /// Every reading counts as fresh, although it comes late here.
    private static let policy = AlertPolicy(
        throttle: .seconds(600), staleAfter: .seconds(86_400), holdWithin: .seconds(300))

    @Test(arguments: 0..<3) func theReplayMakesTheTransitionsThatAreStored(_ seed: UInt64) async throws {
        try await EngineFixture.with { fixture in
            try await fixture.database.sql(
                """
                UPDATE setting SET critical_maximum = 100, delay_seconds = \(seed == 1 ? 300 : 0),
                    tells_unstable = \(seed == 2) WHERE parameter = 1
                """)
            let start = try await fixture.decideWanderingPH(seed, Self.policy)

            // In pieces: a later piece continues from the stored state.
            var all: [ExplainedStep] = []
            for part in [0..<13_000, 13_000..<30_000] {
                all += try await Self.explain(
                    fixture, start + .seconds(part.lowerBound)..<start + .seconds(part.upperBound)
                ).steps
            }
            let steps = all.filter { $0.values != nil }
            #expect(steps.compactMap { $0.values?.count }.reduce(0, +) == 400)
            #expect(!steps.contains { $0.what == .undecided }, "\(steps.filter { $0.what == .undecided })")
            let told = steps.filter { [.opened, .flipped, .recovered].contains($0.what) }.map { step in
                let outcome: Decision.Notification.Outcome =
                    switch step.notification {
                    case .none: .none
                    case .alerted, .reminded, .critical, .unstable: .alerted
                    case .held: .held
                    case .toldUnstable: .toldUnstable
                    case .throttled: .throttled
                    case .delayed: .delayed
                    default: .stale
                    }
                let reason = step.what == .flipped ? ExplainedStep.What.opened : step.what
                return "\(step.time.microseconds / 1_000_000) \(reason.rawValue) \(outcome.rawValue)"
            }
            let stored = try await fixture.sql(
                """
                SELECT string_agg(extract(epoch FROM event_time)::bigint || ' ' || reason || ' ' || notification, ','
                    ORDER BY transition_id) FROM transition WHERE reason <> 'flipped'
                """)
            #expect(told.joined(separator: ",") == stored)
            #expect(told.count > 2)
            // Each alert appears once, with its reading or by itself. All-clears were decided after the period.
            let alerts = all.compactMap(\.alert).filter { $0.purpose != .recovery }.map(\.name)
            #expect(Set(alerts).count == alerts.count)
            #expect(
                "\(alerts.count)"
                    == (try await fixture.sql("SELECT count(*) FROM alert WHERE purpose <> 'recovery'")))
        }
    }

    private static func explain(_ fixture: EngineFixture, _ period: Range<Timestamp>) async throws -> Explanation {
        let subject = try await fixture.phSubject()
        let past = try await fixture.pastReadings(subject, in: period, withHistory: true)
        let stored = try await fixture.owner.transaction { transaction in
            try transaction.past(of: WatchStretch(subject.watch, in: period))
        }
        return Explanation(of: past.all, stored, policy: subject.policy(policy), in: period, now: subject.now)
    }
}
