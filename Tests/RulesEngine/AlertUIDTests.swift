import Instants
import Testing
import WaterQuality

/// Ids that are used outside of the database.
@Suite struct AlertUIDTests {
    /// Deletes everything and resets the numbers, like the restore of a dump from before the first alert.
    @Test func anAlertWhoseNumberComesAgainHasAnotherUID() async throws {
        try await EngineFixture.with { fixture in
            var seen: Set<String> = []
            for _ in 1...2 {
                try await fixture.hand([.temperature: 25], at: .now)
                try await fixture.runEngine()
                seen.insert(try await fixture.sql("SELECT alert_id || ' ' || uid FROM alert"))
                _ = try await fixture.sql(
                    """
                    DELETE FROM throttle; DELETE FROM alert; DELETE FROM transition; DELETE FROM episode; DELETE FROM sample;
                    UPDATE slot SET state_version = 0; SELECT setval('alert_id', 1, false)
                    """)
            }
            #expect(seen.count == 2 && seen.allSatisfy { $0.wholeMatch(of: /1 [0-9a-f]{8}-[0-9a-f]{4}-7.*/) != nil })
        }
    }

    @Test func anAllClearHasOneToo() async throws {
        try await EngineFixture.with { fixture in
            var policy = AlertPolicy()
            policy.recoveryDelay = .zero
            try await fixture.hand([.temperature: 25], at: .now - .seconds(20))
            try await fixture.runEngine(policy: policy)
            _ = try await fixture.sql("UPDATE alert SET state = 'delivered'")
            try await fixture.hand([.temperature: 20], at: .now)
            try await fixture.runEngine(policy: policy, until: "EXISTS (SELECT FROM alert WHERE purpose = 'recovery')")
            #expect(try await fixture.sql("SELECT count(DISTINCT uid), count(*) FROM alert") == "2|2")
        }
    }
}
