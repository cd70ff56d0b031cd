import Glibc
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// Hostile bytes: they are read to their end or refused, and nothing else happens.
@Suite struct HostilePayloadTests {
    static let valid = [
        #"{"time":"2026-05-01T12:00:00Z","readings":{"temperature":23.4,"ph":7.9}}"#,
        #"{"temperature":{"value":78.1,"unit":"\u00b0F"},"salinity":-1.5e-3,"nitrate":null,"time":1777636800.25}"#,
        #"{"x":{"y":[1,true,null,"\ud83d\udc1f"]},"ph":nan,"hardness":-inf,"do":"nan","readings":{"ammonia":1e-9}}"#,
    ].map { Array($0.utf8) }

    /// Every accepted value is one that a probe could have measured, whatever the bytes.
    private func expectSane(_ bytes: [UInt8]) {
        guard let payload = try? ReadingsPayload(bytes) else { return }
        #expect(payload.faults.count <= ReadingsPayload.mostFaults)
        for parameter in Parameter.allCases { #expect(payload.readings[parameter]?.isFinite != false) }
    }

    @Test func noPrefixOfAMessageIsAMessage() {
        for message in Self.valid {
            for length in 0..<message.count {
                #expect(throws: RejectReason.malformed) { try ReadingsPayload(Array(message[..<length])) }
            }
        }
    }

    @Test func changedBytesAreReadOrRefused() {
        var generator = SeededGenerator(seed: 2)
        for round in 0..<30_000 {
            var bytes = Self.valid[round % Self.valid.count]
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(Array(#"{}[]",:\-+.eE0na"#.utf8).randomElement(using: &generator)!, at: place)
                default: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &generator))
                }
            }
            expectSane(bytes)
        }
    }

    @Test func randomBytesAreReadOrRefused() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<20_000 {
            expectSane(
                (0..<Int.random(in: 0..<64, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator)
                })
        }
    }

    /// Each text fills the largest message. Code that looked back at every byte would take 67 million steps, thousands
    /// of times as long as a harmless message of that size; the limit lies far from either.
    @Test(arguments: [
        "{", "[", "\"", "{\"", "\\", #"{"\u0041"#, #"{"a":"#, #"{"a":[[["#, #"{"time":"#, #"{"ph":-"#, #"{"ph":1"#,
        #"{"ph":0."#,
        #"{"ph":1e"#, #"{"ph":{"value":1,"#, #""a":1,"#, " ", "\t", #"{"ph":"\ud83d"#, "nan", "-", "\u{0}", "°",
    ])
    func repetitionCostsNoMoreThanItsLength(_ piece: String) {
        let bytes = Array(piece.utf8)
        let filled = Array(repeatElement(bytes, count: ReadingsPayload.largest / bytes.count).joined())
        for start in ["", #"{"ph":"#, #"{"a":"#, #"{"ph":1"#, #"{"a":["#, #"{"a":""#] {
            let message = Array((Array(start.utf8) + filled).prefix(ReadingsPayload.largest))
            expectSane(message)
            #expect(Self.processorTime(message) < 50 * Self.decent, "\(start)\(piece)...")
        }
    }

    /// The time for a harmless message of the largest size.
    private static let decent: Int = {
        let readings = (0..<ReadingsPayload.largest / 10).map { #""x\#(100 + $0 % 900)":1"# }.joined(separator: ",")
        let message = Array("{\(readings)}".utf8)
        precondition(message.count <= ReadingsPayload.largest && (try? ReadingsPayload(message)) != nil)
        return max(1, processorTime(message))
    }()

    /// The thread's processor time in nanoseconds, which other work on the machine does not change. The least of three,
    /// because interrupts do.
    private static func processorTime(_ bytes: [UInt8]) -> Int {
        (1...3).map { _ in
            let start = threadClock()
            _ = try? ReadingsPayload(bytes)
            return threadClock() - start
        }.min() ?? 0
    }

    private static func threadClock() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    @Test func aNumberOfAllDigitsIsReadExactly() throws {
        let digits = "0." + String(repeating: "3", count: ReadingsPayload.largest - 20)
        let payload = try ReadingsPayload(text: #"{"ammonia":\#(digits)}"#)
        #expect(payload.readings[.ammonia] == 0.33333334)
    }
}
