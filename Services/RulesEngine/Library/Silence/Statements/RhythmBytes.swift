import Instants
import Postgres
import Store
import WaterQuality

/// The rhythms of a device and of its parameters as one value, `silence_check.rhythm`.
///
/// Layout, little-endian: one byte of format (1), then for each rhythm the parameter (UInt8; 255 for the device), how many readings are
/// known (UInt8), the receipts of the first and the last (Int64, microseconds since 1970), the time over which they were gathered
/// (UInt32, seconds), the number of pauses (UInt16), and of each pause its end and its length (UInt32, seconds).
enum RhythmBytes {
    private static let format: UInt8 = 1
    private static let ofDevice = UInt8.max

    static func encode(_ rhythms: [Parameter?: Rhythm]) -> [UInt8] {
        var bytes = [format]
        func append<Value: FixedWidthInteger>(_ value: Value) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }
        for (parameter, rhythm) in rhythms {
            append(parameter.map { UInt8($0.rawValue) } ?? ofDevice)
            append(UInt8(clamping: rhythm.readings))
            append(rhythm.since.microseconds)
            append(rhythm.until.microseconds)
            append(seconds(rhythm.gathered.wholeMicroseconds))
            let pauses = rhythm.pauses.suffix(Int(UInt16.max))
            append(UInt16(pauses.count))
            for pause in pauses {
                append(seconds(pause.until.microseconds))
                append(seconds(pause.length.wholeMicroseconds))
            }
        }
        return bytes
    }

    /// - Returns: What can be read. What cannot is learnt anew.
    static func decode(_ bytes: [UInt8]) -> [Parameter?: Rhythm] {
        guard bytes.first == format else { return [:] }
        var rhythms: [Parameter?: Rhythm] = [:]
        var offset = 1
        func take<Value: FixedWidthInteger>(_: Value.Type) -> Value? {
            guard offset + MemoryLayout<Value>.size <= bytes.count else { return nil }
            defer { offset += MemoryLayout<Value>.size }
            return bytes.withUnsafeBytes {
                Value(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Value.self))
            }
        }
        while let number = take(UInt8.self), let readings = take(UInt8.self), let since = take(Int64.self),
            let until = take(Int64.self), let gathered = take(UInt32.self), let count = take(UInt16.self)
        {
            var pauses: [Rhythm.Pause] = []
            for _ in 0..<count {
                guard let end = take(UInt32.self), let length = take(UInt32.self) else { return rhythms }
                let until = Timestamp(unixSeconds: Int64(end))
                pauses.append(Rhythm.Pause(from: until - .seconds(Int64(length)), until: until))
            }
            let parameter = Parameter(rawValue: Int16(number))
            guard parameter != nil || number == ofDevice else { continue }
            rhythms[parameter] = Rhythm(
                since: Timestamp(microseconds: since), until: Timestamp(microseconds: until), readings: Int(readings),
                gathered: .seconds(Int64(gathered)), pauses: pauses)
        }
        return rhythms
    }

    private static func seconds(_ microseconds: Int64) -> UInt32 { UInt32(clamping: microseconds / 1_000_000) }
}

extension Rhythm.Finding {
    /// The first columns of `heard_pauses`; nil where nothing was heard.
    init?(_ row: inout RowReader) throws {
        let last: Timestamp? = try row.read()
        let first: Timestamp? = try row.read()
        let readings: Int32 = try row.read()
        let gathered: Int64 = try row.read()
        let pauses: [UInt8] = try row.read()
        guard let last else { return nil }
        self.init(
            first: first ?? last, last: last, readings: Int(readings), gathered: .microseconds(gathered),
            pauses: Self.pauses(pauses))
    }

    private static func pauses(_ bytes: [UInt8]) -> [Rhythm.Pause] {
        bytes.withUnsafeBytes { raw in
            func time(_ index: Int) -> Timestamp {
                Timestamp(microseconds: Int64(bigEndian: raw.loadUnaligned(fromByteOffset: index * 8, as: Int64.self)))
            }
            return (0..<raw.count / 16).map { Rhythm.Pause(from: time($0 * 2), until: time($0 * 2 + 1)) }
        }
    }
}
