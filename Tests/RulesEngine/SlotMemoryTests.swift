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
        memory.remember(device, WatchedDevice())
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
        let watched = WatchedDevice()
        let owner = watched.add(Person(account: Account.ID(rawValue: 1)))
        watched.set(
            try SafeRange(.temperature, minimum: Float(12), maximum: 24), for: .temperature, ofPersonAt: owner)
        var readings = Readings()
        readings[.temperature] = 24
        readings[.salinity] = 999
        #expect(!watched.concern(readings))
        readings[.temperature] = 24.1
        #expect(watched.concern(readings))
        #expect(!watched.concern(readings) && watched.isConcerned)
        watched.isConcerned = false
        readings[.temperature] = 20
        watched.setOpen(true, .ph, ofPersonAt: owner)
        #expect(watched.concern(readings))
    }

    @Test func whatIsOutOfAnybodysRangeConcerns() throws {
        let watched = WatchedDevice()
        for (account, range) in [(1, (12, 24)), (2, (15, 30)), (3, (26, 28))] as [(Int64, (Float, Float))] {
            let person = watched.add(Person(account: Account.ID(rawValue: account)))
            if account == 3 { continue }
            watched.set(
                try SafeRange(.temperature, minimum: range.0, maximum: range.1), for: .temperature, ofPersonAt: person)
        }
        func isInRange(_ value: Float) -> Bool {
            var readings = Readings()
            readings[.temperature] = value
            return watched.areInRange(readings)
        }
        #expect(isInRange(15) && isInRange(24) && !isInRange(14.9) && !isInRange(24.1))
        watched.set(try SafeRange(.temperature, minimum: Float(26), maximum: 28), for: .temperature, ofPersonAt: 2)
        for value in [Float](arrayLiteral: 12, 20, 25, 26, 28, 30) { #expect(!isInRange(value), "\(value)") }
    }

    @Test func anEpisodeStaysOpenWhileItIsSomebodys() {
        let watched = WatchedDevice()
        for account in 1...2 { watched.add(Person(account: Account.ID(rawValue: Int64(account)))) }
        for person in 0...1 { watched.setOpen(true, .ph, ofPersonAt: person) }
        watched.setOpen(false, .ph, ofPersonAt: 0)
        #expect(watched.openEpisodes == Parameter.ph.bit)
        watched.setOpen(false, .ph, ofPersonAt: 1)
        #expect(watched.openEpisodes == 0)
    }
}
