import Testing
import WaterQuality

@Suite struct IdentityTests {
    // Published FNV-1a vectors: "a" is af63dc4c8601ec8c, "foobar" is 85944171f73967e8. A device keeps its slot forever,
    // so these figures never change.
    @Test(arguments: [("a", 0x8c % 64), ("foobar", 0xe8 % 64), ("84fce6123456", 62)])
    func slotIsTheHashOfTheName(name: String, slot: Int) throws {
        let device = try #require(Device.HardwareID(name))
        #expect(Slot(of: device).rawValue == Int16(slot))
    }

    @Test func slotsSpreadEvenly() throws {
        var counts = [Int](repeating: 0, count: 64)
        for number in 0..<64_000 {
            let device = try #require(Device.HardwareID("84fce6" + String(number, radix: 16)))
            counts[Int(Slot(of: device).rawValue)] += 1
        }
        #expect(counts.allSatisfy { (850...1150).contains($0) })
        #expect(Slot.all.map(\.rawValue) == Array(0..<64))
        #expect(Slot(rawValue: -1) == nil && Slot(rawValue: 64) == nil && Slot(rawValue: 63) != nil)
    }

    @Test(arguments: ["a", "84fce6123456", "DVES_3D5E26", "pond-1", String(repeating: "x", count: 32)])
    func acceptsHardwareIDs(text: String) {
        #expect(Device.HardwareID(text)?.text == text)
        #expect(Device.HardwareID(utf8: Array(text.utf8).span)?.text == text)
    }

    @Test(arguments: [
        "", "a/b", "+", "#", "a b", "a.b", "$SYS", "ü", "a\0", "a\n", String(repeating: "x", count: 33),
    ])
    func refusesHardwareIDs(text: String) {
        #expect(Device.HardwareID(text) == nil)
        #expect(Device.HardwareID(utf8: Array(text.utf8).span) == nil)
    }
}
