import Instants
import Store
import TestSupport
import Testing
import WaterQuality

@Suite struct EvaluationBatchTests {
    private static func messages(_ count: Int, seed: UInt64) -> [EvaluationBatch.Message] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            var readings = Readings()
            for parameter in Parameter.allCases where Bool.random(using: &generator) {
                readings[parameter] = Float(bitPattern: UInt32.random(in: 0...0x7F7F_FFFF, using: &generator))
            }
            return EvaluationBatch.Message(
                device: Device.ID(rawValue: Int32.random(in: .min ... .max, using: &generator)),
                time: Timestamp(microseconds: Int64.random(in: .min ... .max, using: &generator)), readings: readings,
                brokenProbes: Bool.random(using: &generator) ? [] : ParameterSet(mask: ~readings.present & 0x1FF))
        }
    }

    private static func packed(_ messages: [EvaluationBatch.Message]) -> EvaluationBatch.Writer {
        var writer = EvaluationBatch.Writer()
        for message in messages {
            writer.append(
                device: message.device, time: message.time, readings: message.readings,
                brokenProbes: message.brokenProbes)
        }
        return writer
    }

    private static func unpacked(_ bytes: [UInt8]) throws -> [EvaluationBatch.Message] {
        var messages: [EvaluationBatch.Message] = []
        try EvaluationBatch.forEach(in: bytes) { messages.append($0) }
        return messages
    }

    @Test func whatIsPackedIsUnpacked() throws {
        for seed in 0..<200 {
            let messages = Self.messages(Int(seed) % 40, seed: UInt64(seed))
            let writer = Self.packed(messages)
            #expect(writer.count == Int32(messages.count))
            #expect(try Self.unpacked(writer.bytes) == messages)
        }
    }

    /// The layout is a contract between versions: a change needs a new version number.
    @Test func theLayoutIsWhatTheDocumentationSays() {
        var readings = Readings()
        readings[.ph] = 1
        readings[.salinity] = -2
        var writer = EvaluationBatch.Writer()
        writer.append(device: Device.ID(rawValue: 0x0102_0304), time: Timestamp(microseconds: 0x05), readings: readings)
        #expect(
            writer.bytes == [
                2, 4, 3, 2, 1, 5, 0, 0, 0, 0, 0, 0, 0, 0b10, 0b1, 0, 0, 0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0,
            ])
    }

    /// Format 1, which earlier Ingestors write, has a mask of 16 bits.
    @Test func batchesOf16BitsAreRead() throws {
        let bytes = [1, 4, 3, 2, 1, 5, 0, 0, 0, 0, 0, 0, 0, 0b10, 0b1, 0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0] as [UInt8]
        var readings = Readings()
        readings[.ph] = 1
        readings[.salinity] = -2
        #expect(
            try Self.unpacked(bytes) == [
                EvaluationBatch.Message(
                    device: Device.ID(rawValue: 0x0102_0304), time: Timestamp(microseconds: 0x05), readings: readings)
            ])
    }

    /// The second mask is written only when a probe is broken: an earlier engine sets a slot with it aside until
    /// upgraded.
    /// upgraded.
    @Test func brokenProbesFollowTheMask() {
        var writer = EvaluationBatch.Writer()
        var readings = Readings()
        readings[.ph] = 1
        writer.append(
            device: Device.ID(rawValue: 1), time: Timestamp(microseconds: 5), readings: readings,
            brokenProbes: [ParameterSet(.temperature), ParameterSet(.salinity)])
        #expect(
            writer.bytes == [
                2, 1, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0b10, 0, 0, 0b1000_0000, 0b1, 0b1, 0, 0, 0, 0, 0x80, 0x3F,
            ])
    }

    @Test func whatIsCutIsRefused() throws {
        let messages = Self.messages(3, seed: 7)
        let bytes = Self.packed(messages).bytes
        let ends = Set((0...3).map { Self.packed(Array(messages[..<$0])).bytes.count })
        for length in 0..<bytes.count where !ends.contains(length) {
            #expect(throws: EvaluationBatch.Malformed.truncated) { try Self.unpacked(Array(bytes[..<length])) }
        }
    }

    @Test func whatIsUnknownIsRefused() throws {
        #expect(throws: EvaluationBatch.Malformed.truncated) { try Self.unpacked([]) }
        #expect(throws: EvaluationBatch.Malformed.unknownFormat(3)) { try Self.unpacked([3, 0, 0]) }
        // The first bit beyond the parameters that are known.
        let message = [2, 4, 3, 2, 1, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0b1000] as [UInt8]
        #expect(throws: EvaluationBatch.Malformed.unknownParameters(0x800_0000)) { try Self.unpacked(message) }
        let probe = [2, 4, 3, 2, 1, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0b1000_0000, 0, 0, 0, 0b1000] as [UInt8]
        #expect(throws: EvaluationBatch.Malformed.unknownParameters(0x800_0000)) { try Self.unpacked(probe) }
    }
}
