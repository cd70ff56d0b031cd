import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// The bounds on an engine's memory, for any backlog and any running time.
@Suite struct BoundTests {
    @Test func aClaimTakesSoManyBatchesOfASlotAndNoMore() async throws {
        try await EngineFixture.with { fixture in
            let start = Timestamp.now - .seconds(600)
            for minute in 0..<20 { try await fixture.hand([.ph: 8], at: start + .seconds(minute)) }
            let slot = fixture.device.slot
            let report = try await fixture.owner.transaction { transaction in
                var memory = EngineMemory()
                return try Claim(policy: AlertPolicy()).perform(
                    transaction, Slot.all.map { Claim.Wanted(slot: $0) }, memory: &memory)
            }
            #expect(report.messages == 8)
            #expect(report.unfinished == [slot])
            #expect(try await fixture.sql("SELECT count(*) FROM evaluation_batch") == "12")
        }
    }
}
