import Store
import Testing
import WaterQuality

@testable import RulesEngine

struct SlotMemoryTests {
    let device = Device.ID(rawValue: 1)

    func memory() -> SlotMemory {
        var memory = SlotMemory()
        _ = memory.validate(stateVersion: 4, rulesVersion: 2)
        memory.remember(
            device,
            WatchedDevice(
                account: Account.ID(rawValue: 1), throttle: nil))
        memory.countDecision()
        return memory
    }

    @Test func holdsWhileNobodyElseDecided() {
        var memory = memory()
        #expect(memory.validate(stateVersion: 5, rulesVersion: 2) == .valid)
        #expect(memory[device] != nil)
    }

    @Test func isForgottenWhenAnotherEngineDecided() {
        var memory = memory()
        #expect(memory.validate(stateVersion: 6, rulesVersion: 2) == .forgotten)
        #expect(!memory.knows(device))
    }

    @Test func tellsWhichRulesToReadAnew() {
        var memory = memory()
        #expect(memory.validate(stateVersion: 5, rulesVersion: 7) == .rulesChanged(since: 2))
        #expect(memory.knows(device))
    }

    @Test func aDeviceWithoutOwnerIsKnownAndNotWatched() {
        var memory = memory()
        memory.remember(device, nil)
        #expect(memory.knows(device) && memory[device] == nil)
        #expect(memory.withDevice(device) { _ in true } == nil)
    }

    @Test func onlyWhatMayChangeSomethingConcerns() throws {
        var watched = WatchedDevice(
            account: Account.ID(rawValue: 1), throttle: nil)
        watched[range: .temperature] = try SafeRange(.temperature, minimum: 12, maximum: 24)
        var readings = Readings()
        readings[.temperature] = 24
        readings[.salinity] = 999
        #expect(!watched.isConcerned(by: readings))
        readings[.temperature] = 24.1
        #expect(watched.isConcerned(by: readings))
        readings[.temperature] = 20
        watched.openEpisodes = Parameter.ph.bit
        #expect(watched.isConcerned(by: readings))
    }

    @Test func watermarksOnlyAdvance() {
        var watched = WatchedDevice(
            account: Account.ID(rawValue: 1), throttle: nil)
        var readings = Readings()
        readings[.ph] = 8
        watched.advance(to: Timestamp(microseconds: 100_000_000), for: readings)
        watched.advance(to: Timestamp(microseconds: 50_000_000), for: readings)
        #expect(
            watched.watermark[.ph] == Timestamp(microseconds: 100_000_000) && watched.watermark[.temperature] == nil)
    }
}
