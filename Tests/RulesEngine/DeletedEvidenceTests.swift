import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// Readings that the owner deletes while their alarm goes on. The default maximum of temperature is 24.
@Suite struct DeletedEvidenceTests {
    /// The same for the engine that decided and for another that knows the stored readings alone: what was told stays, and the next reading ends it.
    @Test(arguments: [true, false]) func anAlarmWhoseReadingsAreGoneEndsByTheNextReading(byTheSame: Bool) async throws {
        try await EngineFixture.with { fixture in
            let memory = SharedMemory()
            try await fixture.linkEarlier()
            try await fixture.hand([.temperature: 25], at: .now - .seconds(120))
            try await fixture.claim(memory)
            let outcome = try await fixture.sql(
                """
                SELECT outcome FROM ownership o
                CROSS JOIN LATERAL delete_readings(o.slot, o.device_id, o.account_id, now() - interval '10 minutes', now(), 1, 1, NULL)
                WHERE o.account_id = \(fixture.account.rawValue)
                """)
            #expect(outcome == "deleted")
            #expect(
                try await fixture.sql("SELECT closed_at IS NULL FROM episode") == "t",
                "deleting says nothing of the water")
            #expect(try await fixture.sql("SELECT purpose, value FROM alert") == "alarm|25")
            let next = byTheSame ? memory : SharedMemory()
            // Older than what was deleted: it had been decided upon.
            try await fixture.hand([.temperature: 20], at: .now - .seconds(300))
            try await fixture.claim(next)
            #expect(try await fixture.sql("SELECT closed_at IS NULL FROM episode") == "t")
            try await fixture.hand([.temperature: 20], at: .now)
            try await fixture.claim(next)
            #expect(try await fixture.sql("SELECT closed_because FROM episode") == "recovered")
        }
    }
}
