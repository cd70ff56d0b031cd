import Instants
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine
@testable import Store

/// Rhythms survive encoding; bytes that cannot be decoded are learnt anew.
@Suite struct RhythmBytesTests {
    private static func time(_ second: Int) -> Timestamp {
        Timestamp(unixSeconds: Int64(1_777_636_800)) + .seconds(second)
    }

    private static func rhythms(_ random: inout SeededGenerator) -> [Parameter?: Rhythm] {
        let keys: [Parameter?] = [nil] + Parameter.allCases.filter { _ in Bool.random(using: &random) }
        return Dictionary(
            uniqueKeysWithValues: keys.map { key in
                let pauses = (0..<Int.random(in: 0...180, using: &random)).map { number in
                    Rhythm.Pause(
                        from: time(number * 1_000),
                        until: time(number * 1_000 + Int.random(in: 1...999, using: &random)))
                }
                let rhythm = Rhythm(
                    since: time(0) + .microseconds(7), until: time(200_000) + .microseconds(123_456),
                    readings: Int.random(in: 0...3, using: &random),
                    gathered: .seconds(Int.random(in: 0...86_400, using: &random)),
                    pauses: pauses)
                return (key, rhythm)
            })
    }

    @Test(arguments: 0..<20) func whatIsWrittenIsRead(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let rhythms = Self.rhythms(&random)
        #expect(RhythmBytes.decode(RhythmBytes.encode(rhythms)) == rhythms)
        #expect(RhythmBytes.decode(RhythmBytes.encode([:])) == [:])
    }

    /// Bytes of another version, or truncated ones, decode without a crash.
    @Test(arguments: 0..<20) func whateverTheBytesAreTheyCanBeRead(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var bytes = RhythmBytes.encode(Self.rhythms(&random))
        _ = RhythmBytes.decode(Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))))
        for _ in 0..<50 {
            bytes[Int.random(in: 1..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            _ = RhythmBytes.decode(bytes)
        }
        #expect(RhythmBytes.decode([2] + bytes.dropFirst()) == [:])
        #expect(RhythmBytes.decode([]) == [:])
    }
}
