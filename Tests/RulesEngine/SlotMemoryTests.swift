import Instants
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
        #expect(memory.device(device)?.watched != nil)
    }

    @Test func isForgottenWhenAnotherEngineDecided() {
        var memory = memory()
        #expect(memory.validate(stateVersion: 6, rulesVersion: 2) == .forgotten)
        #expect(memory.device(device) == nil)
    }

    @Test func tellsWhichRulesToReadAnew() {
        var memory = memory()
        #expect(memory.validate(stateVersion: 5, rulesVersion: 7) == .rulesChanged(since: 2))
        #expect(memory.device(device) != nil)
    }

    @Test func aDeviceWithoutOwnerIsKnownAndNotWatched() {
        var memory = memory()
        memory.remember(device, nil)
        #expect(memory.device(device) != nil && memory.device(device)?.watched == nil)
    }

    @Test func aForgottenDeviceTakesNoRoom() {
        var memory = memory()
        memory.forget(device)
        #expect(memory.device(device) == nil && memory.deviceCount == 0)
    }

    @Test func afterAFailureNothingIsRemembered() {
        var memory = EngineMemory()
        let (slot, now) = (Slot.all[5], Timestamp(unixSeconds: Int64(1_777_636_800)))
        _ = memory[slot].validate(stateVersion: 4, rulesVersion: 2)
        memory[slot].remember(device, nil)
        _ = memory[slot].clocks.lag(of: device, at: now - .seconds(9 * 3_600), receivedAt: now)
        #expect(memory[slot].clocks.count == 1)
        memory.forgetAll()
        #expect(memory[slot].stateVersion == -1 && memory[slot].deviceCount == 0 && memory[slot].clocks.count == 0)
    }

    @Test func onlyWhatMayChangeSomethingConcerns() throws {
        let watched = WatchedDevice(
            account: Account.ID(rawValue: 1), throttle: nil)
        watched[range: .temperature] = try SafeRange(.temperature, minimum: 12, maximum: 24)
        var readings = Readings()
        readings[.temperature] = 24
        readings[.salinity] = 999
        #expect(watched.concern(readings) == nil)
        readings[.temperature] = 24.1
        #expect(watched.concern(readings) == watched.account)
        #expect(watched.concern(readings) == nil && watched.isConcerned)
        watched.isConcerned = false
        readings[.temperature] = 20
        watched.openEpisodes = Parameter.ph.bit
        #expect(watched.concern(readings) == watched.account)
    }
}
