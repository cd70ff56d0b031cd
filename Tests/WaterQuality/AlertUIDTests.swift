import Instants
import Testing
import WaterQuality

@Suite struct AlertUIDTests {
    /// The example of RFC 9562, appendix A.6.
    @Test func `is a UUID of version 7`() {
        let time = Timestamp(microseconds: 0x017F_22E2_79B0 * 1000 + 999)
        let random: UInt128 = 0xCC3 << 62 | 0x18C4_DC0C_0C07_398F
        #expect("\(Alert.UID(at: time, random: random))" == "017f22e2-79b0-7cc3-98c4-dc0c0c07398f")
    }

    @Test(arguments: [UInt128.min, .max])
    func `has its version and variant whatever is random, and no more than 74 bits of it`(random: UInt128) {
        let text = Array("\(Alert.UID(at: Timestamp(microseconds: 0), random: random))")
        #expect(text.count == 36 && text[14] == "7" && "89ab".contains(text[19]))
        #expect(String(text.prefix(13)) == "00000000-0000")
        #expect(
            Alert.UID(at: Timestamp(microseconds: 0), random: random)
                == Alert.UID(at: Timestamp(microseconds: 0), random: random & (1 << 74 - 1)))
    }

    @Test func `sorts by its time`() {
        let early = Alert.UID(at: Timestamp(microseconds: 1_000_000), random: .max)
        let late = Alert.UID(at: Timestamp(microseconds: 1_001_000), random: .min)
        #expect("\(early)" < "\(late)")
    }
}
