/// How a file writes characters as bytes.
enum TextEncoding: String, CaseIterable, Hashable, Sendable {
    case utf8 = "utf-8"
    case utf16LittleEndian = "utf-16le"
    case utf16BigEndian = "utf-16be"
    case windows1252 = "windows-1252"

    /// Recognises an encoding from the beginning of a text: by its byte order mark, else by where zero bytes lie, else
    /// by whether it is UTF-8.
    init(of head: ArraySlice<UInt8>) {
        let bytes = Array(head)
        if bytes.starts(with: [0xFF, 0xFE]) {
            self = .utf16LittleEndian
        } else if bytes.starts(with: [0xFE, 0xFF]) {
            self = .utf16BigEndian
        } else if let order = Self.order(ofZerosIn: bytes) {
            self = order
        } else {
            self = Self.isUTF8(bytes) ? .utf8 : .windows1252
        }
    }

    /// Recognises UTF-16 without a mark: every second byte is mostly zero, as in any table of numbers.
    private static func order(ofZerosIn bytes: [UInt8]) -> TextEncoding? {
        let pairs = bytes.count / 2
        guard pairs > 0 else { return nil }
        func zeros(from start: Int) -> Int { stride(from: start, to: pairs * 2, by: 2).count { bytes[$0] == 0 } }
        if zeros(from: 1) * 2 > pairs { return .utf16LittleEndian }
        return zeros(from: 0) * 2 > pairs ? .utf16BigEndian : nil
    }

    /// Whether the bytes are UTF-8. Up to three at the end may belong to a character that was cut.
    private static func isUTF8(_ bytes: [UInt8]) -> Bool {
        (0...min(3, bytes.count)).contains { cut in
            (cut == 0 || bytes.suffix(cut).allSatisfy { $0 >= 0x80 })
                && String(validating: bytes.dropLast(cut), as: UTF8.self) != nil
        }
    }
}

/// Turns the bytes of an encoding into UTF-8, chunk by chunk.
struct Transcoder {
    private let encoding: TextEncoding
    /// The first byte of a UTF-16 unit whose second is in the next chunk.
    private var half: UInt8?
    /// The first unit of a surrogate pair.
    private var high: UInt32?

    init(from encoding: TextEncoding) { self.encoding = encoding }

    mutating func utf8(_ chunk: [UInt8]) -> [UInt8] {
        switch encoding {
        case .utf8: chunk
        case .windows1252: chunk.flatMap { UTF8.encode(Self.windows1252($0)).map(Array.init) ?? [] }
        case .utf16LittleEndian, .utf16BigEndian: units(chunk)
        }
    }

    private mutating func units(_ chunk: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        for byte in chunk {
            guard let first = half else {
                half = byte
                continue
            }
            half = nil
            let (low, top) = encoding == .utf16LittleEndian ? (first, byte) : (byte, first)
            guard let scalar = scalar(UInt32(top) << 8 | UInt32(low)) else { continue }
            text += UTF8.encode(scalar).map(Array.init) ?? []
        }
        return text
    }

    /// The character that a unit completes; nil for the first half of a pair. A half alone is U+FFFD, or left out
    /// before another character.
    private mutating func scalar(_ unit: UInt32) -> Unicode.Scalar? {
        if (0xD800..<0xDC00).contains(unit) {
            high = unit
            return nil
        }
        defer { high = nil }
        guard (0xDC00..<0xE000).contains(unit) else { return Unicode.Scalar(unit) }
        return high.flatMap { Unicode.Scalar(0x10000 + ($0 - 0xD800) << 10 + (unit - 0xDC00)) } ?? "\u{FFFD}"
    }

    private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
        guard (0x80..<0xA0).contains(byte) else { return Unicode.Scalar(byte) }
        return upper[Int(byte) - 0x80]
    }

    /// Characters of 0x80 to 0x9F; unassigned ones are U+FFFD.
    private static let upper = Array(
        "\u{20AC}\u{FFFD}\u{201A}\u{0192}\u{201E}\u{2026}\u{2020}\u{2021}\u{02C6}\u{2030}\u{0160}\u{2039}\u{0152}\u{FFFD}\u{017D}\u{FFFD}\u{FFFD}\u{2018}\u{2019}\u{201C}\u{201D}\u{2022}\u{2013}\u{2014}\u{02DC}\u{2122}\u{0161}\u{203A}\u{0153}\u{FFFD}\u{017E}\u{0178}"
            .unicodeScalars)
}
