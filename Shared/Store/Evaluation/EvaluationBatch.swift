package import Instants
package import WaterQuality

/// The new messages of one slot that wait for a decision, packed into one value of `evaluation_batch.readings`.
///
/// Layout, little-endian: one byte of format (2), then for each message the device (Int32), the event time
/// (Int64, microseconds since the Unix epoch), a mask of the parameters present (UInt32, bit = parameter's number) and
/// a Float32 for each bit from the lowest. A message of nine parameters takes 52 bytes.
///
/// The highest bit of the mask says that a second mask follows it: of the parameters whose probes say that they are broken.
///
/// Format 1, which earlier Ingestors write and which may still wait during an upgrade, has a mask of 16 bits and no second one.
/// An engine that does not know a format, or a parameter, sets the slot aside.
package enum EvaluationBatch {
    static let format: UInt8 = 2
    private static let formatOf16Bits: UInt8 = 1
    private static let hasBrokenProbes: UInt32 = 1 << 31
    private static let known = Parameter.allCases.reduce(UInt32(0)) { $0 | $1.bit }

    /// The part of a message that a decision needs.
    package struct Message: Equatable, Sendable {
        package var device: Device.ID
        package var time: Timestamp
        package var readings: Readings
        /// The parameters whose probes say that they are broken.
        package var brokenProbes: ParameterSet

        package init(device: Device.ID, time: Timestamp, readings: Readings, brokenProbes: ParameterSet = []) {
            self.device = device
            self.time = time
            self.readings = readings
            self.brokenProbes = brokenProbes
        }
    }

    /// The reason why stored bytes are not a batch.
    package enum Malformed: Error, Equatable {
        /// The batch was written by a newer version of the Ingestor.
        case unknownFormat(UInt8)
        /// The batch ends within a message, or is empty.
        case truncated
        /// A bit of the mask stands for no parameter of this version.
        case unknownParameters(UInt32)
    }

    /// Packs messages one by one.
    package struct Writer: Sendable {
        package private(set) var bytes: [UInt8] = [EvaluationBatch.format]
        package private(set) var count: Int32 = 0

        package init() {}

        package mutating func append(
            device: Device.ID, time: Timestamp, readings: Readings, brokenProbes: ParameterSet = []
        ) {
            appendBytes(of: device.rawValue)
            appendBytes(of: time.microseconds)
            appendBytes(of: readings.present | (brokenProbes.isEmpty ? 0 : hasBrokenProbes))
            if !brokenProbes.isEmpty { appendBytes(of: brokenProbes.mask) }
            readings.forEachPresent { _, value in appendBytes(of: value.bitPattern) }
            count += 1
        }

        private mutating func appendBytes<Value: FixedWidthInteger>(of value: Value) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }
    }

    /// Calls `body` for each message in order.
    /// - Throws: `Malformed`, before any part of the faulty message reaches `body`.
    package static func forEach(in bytes: [UInt8], _ body: (Message) throws -> Void) throws {
        try bytes.withUnsafeBytes { raw in
            guard let found = raw.first else { throw Malformed.truncated }
            guard found == format || found == formatOf16Bits else { throw Malformed.unknownFormat(found) }
            var offset = 1
            func take<Value: FixedWidthInteger>(_: Value.Type) throws -> Value {
                guard offset + MemoryLayout<Value>.size <= raw.count else { throw Malformed.truncated }
                defer { offset += MemoryLayout<Value>.size }
                return Value(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: Value.self))
            }
            while offset < raw.count {
                let device = try Device.ID(rawValue: take(Int32.self))
                let time = try Timestamp(microseconds: take(Int64.self))
                let mask = try found == format ? take(UInt32.self) : UInt32(take(UInt16.self))
                let present = mask & ~hasBrokenProbes
                let isTwofold = mask & hasBrokenProbes != 0
                let broken = isTwofold ? try take(UInt32.self) : 0
                // A second mask is never empty.
                let unknown = isTwofold && broken == 0 ? hasBrokenProbes : (present | broken) & ~known
                guard unknown == 0 else { throw Malformed.unknownParameters(unknown) }
                var readings = Readings()
                try Parameter.forEach(in: present) { readings[$0] = try Float(bitPattern: take(UInt32.self)) }
                try body(
                    Message(device: device, time: time, readings: readings, brokenProbes: ParameterSet(mask: broken)))
            }
        }
    }
}
