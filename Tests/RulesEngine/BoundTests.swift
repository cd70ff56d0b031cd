import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// The bounds on an engine's memory, however long the backlog and the engine's life.
@Suite struct BoundTests {
    @Test func theMemoryOfASlotGrowsWithItsDevicesOnly() {
        var memory = SlotMemory()
        var generator = SeededGenerator(seed: 4)
        let devices = (1...500).map { Device.ID(rawValue: $0) }
        for _ in 0..<100 {
            // Rules change, and the devices are read anew; sometimes another engine decides.
            for device in devices.shuffled(using: &generator).prefix(200) { memory.forget(device) }
            if Int.random(in: 0..<20, using: &generator) == 0 {
                _ = memory.validate(stateVersion: .random(in: 0..<1_000, using: &generator), rulesVersion: 0)
            }
            for device in devices.shuffled(using: &generator) { memory.remember(device, nil) }
            #expect(memory.deviceCount == 500)
        }
    }

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
