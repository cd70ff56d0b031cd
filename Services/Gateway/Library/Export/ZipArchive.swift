import CZlib

/// A ZIP archive (APPNOTE 6.3.10), made as it is written: each entry is deflated and followed by its size in a data
/// descriptor, which all readers accept for deflated entries. An archive over 4 GiB ends with zip64 records; an entry
/// has to stay below.
///
/// Not Sendable: its owner writes it from one task.
final class ZipArchive {
    private struct Entry {
        let name: [UInt8]
        let offset: UInt64
        var checksum: UInt32 = 0
        var size: UInt32 = 0
        var compressedSize: UInt32 = 0
    }

    /// The time of the export, which all entries carry.
    private let time: (time: UInt16, date: UInt16)
    private var entries: [Entry] = []
    private var written: UInt64 = 0
    private var open: (entry: Entry, stream: DeflateStream)?

    /// - Parameter unixSeconds: The time of the entries.
    init(unixSeconds: Int64) {
        time = Self.dosTime(unixSeconds)
    }

    /// Uncompressed bytes of the open entry, which has to end below 4 GiB.
    var openSize: Int { Int(open?.entry.size ?? 0) }

    /// Begins an entry.
    /// - Parameter name: Unique in the archive, with `/` between folders.
    func begin(_ name: String) -> [UInt8] {
        precondition(open == nil, "one entry at a time")
        open = (Entry(name: Array(name.utf8), offset: written), DeflateStream())
        var bytes = LittleEndian()
        bytes.append(UInt32(0x0403_4b50))
        appendCommon(to: &bytes, Entry(name: Array(name.utf8), offset: 0))
        bytes.append(UInt16(name.utf8.count))
        bytes.append(UInt16(0))
        bytes.bytes += Array(name.utf8)
        return count(bytes.bytes)
    }

    /// Adds to the open entry.
    func add(_ content: [UInt8]) -> [UInt8] {
        guard case (var entry, let stream)? = open else { preconditionFailure("no entry is open") }
        let packed = stream.deflate(content)
        entry.checksum = content.withUnsafeBufferPointer {
            UInt32(truncatingIfNeeded: crc32(UInt(entry.checksum), $0.baseAddress, UInt32($0.count)))
        }
        entry.size += UInt32(content.count)
        entry.compressedSize += UInt32(packed.count)
        open = (entry, stream)
        return count(packed)
    }

    /// Ends the open entry.
    func end() -> [UInt8] {
        guard case (var entry, let stream)? = open else { preconditionFailure("no entry is open") }
        let packed = stream.finish()
        entry.compressedSize += UInt32(packed.count)
        entries.append(entry)
        open = nil
        var bytes = LittleEndian()
        bytes.bytes = packed
        bytes.append(UInt32(0x0807_4b50))
        bytes.append(entry.checksum)
        bytes.append(entry.compressedSize)
        bytes.append(entry.size)
        return count(bytes.bytes)
    }

    /// The directory, which ends the archive.
    func finish() -> [UInt8] {
        let start = written
        var bytes = LittleEndian()
        for entry in entries {
            let isFar = entry.offset >= UInt64(UInt32.max)
            bytes.append(UInt32(0x0201_4b50))
            bytes.append(isFar ? Self.zip64Version : Self.version)
            appendCommon(to: &bytes, entry)
            bytes.append(UInt16(entry.name.count))
            bytes.append(UInt16(isFar ? 12 : 0))
            bytes.append(UInt16(0))  // comment
            bytes.append(UInt16(0))  // disk
            bytes.append(UInt16(0))  // internal attributes
            bytes.append(UInt32(0))  // external attributes
            bytes.append(isFar ? UInt32.max : UInt32(entry.offset))
            bytes.bytes += entry.name
            if isFar {
                bytes.append(UInt16(1))
                bytes.append(UInt16(8))
                bytes.append(entry.offset)
            }
        }
        let size = UInt64(bytes.bytes.count)
        let count = UInt64(entries.count)
        let needsZip64 = start >= UInt64(UInt32.max) || count >= UInt64(UInt16.max) || size >= UInt64(UInt32.max)
        if needsZip64 { appendZip64End(to: &bytes, start: start, size: size, count: count) }
        bytes.append(UInt32(0x0605_4b50))
        bytes.append(UInt16(0))
        bytes.append(UInt16(0))
        bytes.append(UInt16(clamping: count))
        bytes.append(UInt16(clamping: count))
        bytes.append(UInt32(clamping: size))
        bytes.append(UInt32(clamping: start))
        bytes.append(UInt16(0))
        return bytes.bytes
    }

    private func appendZip64End(to bytes: inout LittleEndian, start: UInt64, size: UInt64, count: UInt64) {
        bytes.append(UInt32(0x0606_4b50))
        bytes.append(UInt64(44))
        bytes.append(Self.zip64Version)
        bytes.append(Self.zip64Version)
        bytes.append(UInt32(0))
        bytes.append(UInt32(0))
        bytes.append(count)
        bytes.append(count)
        bytes.append(size)
        bytes.append(start)
        bytes.append(UInt32(0x0706_4b50))
        bytes.append(UInt32(0))
        bytes.append(start + size)
        bytes.append(UInt32(1))
    }

    private static let version: UInt16 = 20
    private static let zip64Version: UInt16 = 45
    /// Sizes follow the content; names are UTF-8.
    private static let flags: UInt16 = 1 << 3 | 1 << 11
    private static let deflated: UInt16 = 8

    /// Appends the fields that an entry's header and the directory share; in the former, checksum and sizes are zero.
    private func appendCommon(to bytes: inout LittleEndian, _ entry: Entry) {
        bytes.append(Self.version)
        bytes.append(Self.flags)
        bytes.append(Self.deflated)
        bytes.append(time.time)
        bytes.append(time.date)
        bytes.append(entry.checksum)
        bytes.append(entry.compressedSize)
        bytes.append(entry.size)
    }

    private func count(_ bytes: [UInt8]) -> [UInt8] {
        written += UInt64(bytes.count)
        return bytes
    }

    /// A time in the form of MS-DOS: UTC, to two seconds.
    private static func dosTime(_ unixSeconds: Int64) -> (time: UInt16, date: UInt16) {
        let (days, second) = (unixSeconds / 86_400, unixSeconds % 86_400)
        // Days since 1 March of the year 0 (Howard Hinnant, "chrono-compatible low-level date algorithms").
        let shifted = days + 719_468
        let era = shifted / 146_097
        let ofEra = shifted % 146_097
        let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * ofYear + 2) / 153
        let day = ofYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let date = max(0, min(127, year - 1980)) << 9 | month << 5 | day
        let time = (second / 3600) << 11 | (second / 60 % 60) << 5 | (second % 60 / 2)
        return (UInt16(time), UInt16(date))
    }
}

/// Numbers in the format's byte order.
private struct LittleEndian {
    var bytes: [UInt8] = []

    mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}

/// A raw DEFLATE stream (RFC 1951).
private final class DeflateStream {
    private var stream = z_stream()

    init() {
        let code = deflateInit2_(
            &stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(code == Z_OK, "zlib gets its memory, or the process is lost anyway")
    }

    deinit { deflateEnd(&stream) }

    func deflate(_ bytes: [UInt8]) -> [UInt8] { run(bytes, Z_NO_FLUSH) }
    func finish() -> [UInt8] { run([], Z_FINISH) }

    private func run(_ bytes: [UInt8], _ mode: Int32) -> [UInt8] {
        var input = bytes
        var output: [UInt8] = []
        input.withUnsafeMutableBufferPointer { readable in
            stream.next_in = readable.baseAddress
            stream.avail_in = UInt32(readable.count)
            repeat {
                let chunk = [UInt8](unsafeUninitializedCapacity: 16_384) { writable, count in
                    stream.next_out = writable.baseAddress
                    stream.avail_out = UInt32(writable.count)
                    _ = CZlib.deflate(&stream, mode)
                    count = writable.count - Int(stream.avail_out)
                }
                output += chunk
            } while stream.avail_out == 0
            stream.next_in = nil
        }
        return output
    }
}
