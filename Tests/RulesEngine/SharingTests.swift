import Instants
import Postgres
import ServiceKit
import Store
import Synchronization
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// Several engines at once, and long queues.
struct SharingTests {
    private func count(_ metric: String, _ registries: [MetricsRegistry]) -> Int {
        registries.reduce(0) { sum, registry in
            let lines = registry.render().split(separator: "\n").filter { $0.hasPrefix("\(metric) ") }
            return sum + lines.compactMap { Int($0.dropFirst(metric.count + 1)) }.reduce(0, +)
        }
    }

    /// A decision outdates the other engine's memory. Two engines that took turns would read everything anew for each
    /// batch.
    @Test func twoEnginesKeepToTheirSlots() async throws {
        try await EngineFixture.with { fixture in
            var devices = [fixture.device]
            for number in 2...12 {
                devices.append(try await EngineFixture.link("tank-\(number)", to: fixture.account, fixture.owner))
            }
            let registries = [MetricsRegistry(), MetricsRegistry()]
            let rounds = 40
            try await fixture.withEngines(2, metrics: registries) { [devices] in
                let start = Timestamp.now - .seconds(60)
                for round in 0..<rounds {
                    for device in devices {
                        try await fixture.hand([.ph: 8], at: start + .seconds(round), of: device)
                    }
                    try await fixture.fact("SELECT NOT EXISTS (SELECT FROM evaluation_batch)")
                }
            }
            #expect(count("aqua_rules_messages_total", registries) == rounds * devices.count)
            // Each slot changes hands once or twice at the start, and whenever one engine is too slow for the other's
            // patience. Engines that took turns would lose every second memory.
            let lost = count("aqua_rules_lost_memories_total", registries)
            #expect(lost <= rounds * devices.count / 3, "\(lost) of \(rounds * devices.count)")
        }
    }

    @Test func aSlotInWhichAnotherDecidedIsLeftToIt() async throws {
        try await EngineFixture.with { fixture in
            let slot = fixture.device.slot
            let (mine, theirs) = (SharedMemory(), SharedMemory())
            /// One claim of an engine with this memory, after a further message.
            func claim(_ memory: SharedMemory, asks version: Int64?, at second: Int) async throws -> Claim.Report {
                try await fixture.hand([.ph: 8], at: .now - .seconds(60 - second))
                return try await fixture.owner.transaction { transaction in
                    try memory.slots.withLock {
                        try Claim(policy: AlertPolicy()).perform(
                            transaction, [Claim.Wanted(slot: slot, stateVersion: version)], memory: &$0)
                    }
                }
            }
            func version(_ memory: SharedMemory) -> Int64 { memory.slots.withLock { $0[slot].stateVersion } }
            #expect(try await claim(mine, asks: nil, at: 0).claimed == [slot])
            #expect(try await claim(mine, asks: version(mine), at: 1).lostMemories == 0)
            #expect(try await claim(theirs, asks: nil, at: 2).messages == 1)
            let refused = try await claim(mine, asks: version(mine), at: 3)
            #expect(refused.claimed == [] && refused.messages == 0)
            let theirClaim = try await claim(theirs, asks: version(theirs), at: 4)
            #expect(theirClaim.messages == 2 && theirClaim.lostMemories == 0)
            #expect(try await claim(mine, asks: nil, at: 5).lostMemories == 1)
        }
    }

    @Test func whatAnotherEngineLeavesIsTakenOver() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.withEngines(1) {
                try await fixture.hand([.ph: 8], at: .now - .seconds(30))
                try await fixture.fact("SELECT NOT EXISTS (SELECT FROM evaluation_batch)")
                // Pretends that another engine decided in every slot, and died.
                _ = try await fixture.sql("UPDATE slot SET state_version = state_version + 1")
                try await fixture.hand([.ph: 9], at: .now)
                try await fixture.fact("SELECT count(*) = 1 FROM alert")
            }
        }
    }

    @Test func anotherEnginesSlotIsTakenWhenItsBatchStays() {
        var others = OthersSlots()
        let (mine, theirs) = (Slot.all[1], Slot.all[2])
        #expect(others.own(among: [mine, theirs]) == [mine, theirs])
        others.note(asked: [mine, theirs], claimed: [mine])
        #expect(others.own(among: [mine, theirs]) == [mine] && others.toLookAt == [theirs])
        #expect(others.overdue([.init(slot: theirs, batch: 7)]) == [], "it has just been seen")
        #expect(others.overdue([.init(slot: theirs, batch: 8)]) == [], "the other engine went on")
        #expect(others.overdue([.init(slot: theirs, batch: 8)]) == [theirs])
        others.note(asked: [theirs], claimed: [theirs])
        #expect(others.own(among: [theirs]) == [theirs] && others.toLookAt == [])
    }

    @Test func whatTheOtherEngineTookIsNotLookedAtAgain() {
        var others = OthersSlots()
        others.note(asked: [Slot.all[2]], claimed: [])
        #expect(others.overdue([]) == [] && others.toLookAt == [])
        #expect(others.own(among: [Slot.all[2]]) == [], "still theirs")
    }
}
