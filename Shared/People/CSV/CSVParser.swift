/// A parser of CSV (RFC 4180), with any separator, that takes one byte at a time.
///
/// Beyond the standard it accepts what files in the field contain: a byte order mark at the start, LF and lone CR as line
/// ends, comment lines that begin with `#`, empty lines, and quotation marks inside an unquoted field.
package struct CSVParser {
    /// In bytes of content. Longer records are faults, so that a missing quotation mark cannot exhaust the memory.
    package static let longestRecord = 1 << 20

    private enum Place {
        /// In the lines before the header.
        case preamble
        case recordStart
        case fieldStart
        case plain
        case quoted
        /// After a quotation mark in a quoted field: the end of the field, or the first half of a doubled mark.
        case afterQuote
        case comment
        /// In a faulty record. The next record is assumed to begin on the next line.
        case skipping(CSVFault)
    }

    private let form: CSVForm
    private var place: Place
    private var isFirstRecord = true
    private var line = 1
    private var startLine = 1
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var previous: UInt8 = 0
    private var mark = ByteOrderMark()

    package init(_ form: CSVForm = CSVForm()) {
        self.form = form
        place = form.skippedLines > 0 ? .preamble : .recordStart
    }

    /// Takes one byte and returns the record that it ends.
    package mutating func consume(_ byte: UInt8) -> CSVRecord? {
        if mark.swallows(byte) { return nil }
        defer { previous = byte }
        let endsLine = byte == .carriageReturn || byte == .lineFeed
        if byte == .lineFeed, previous == .carriageReturn {
            // The second half of a CRLF ends no line again; between quotation marks it is content.
            if case .quoted = place { bytes.append(byte) }
            return nil
        }
        if endsLine { line += 1 }
        return step(byte, endsLine: endsLine)
    }

    /// The record that ends with the text.
    package mutating func finish() -> CSVRecord? {
        switch place {
        case .preamble, .recordStart, .comment: nil
        case .quoted: record(.unclosedQuote)
        case .skipping(let fault): record(fault)
        case .fieldStart, .plain, .afterQuote: record()
        }
    }

    private mutating func step(_ byte: UInt8, endsLine: Bool) -> CSVRecord? {
        switch place {
        case .preamble:
            if endsLine, line > form.skippedLines { place = .recordStart }
        case .recordStart:
            startLine = line
            if endsLine { return nil }
            let isComment = byte == .hash && !(isFirstRecord && form.headerIsKnown)
            if isComment { place = .comment } else { beginField(byte) }
        case .comment:
            if endsLine { place = .recordStart }
        case .fieldStart:
            if endsLine { return record() }
            beginField(byte)
        case .plain:
            if endsLine { return record() }
            if byte == form.separator { endField() } else { append(byte) }
        case .quoted:
            if byte == .quote { place = .afterQuote } else { append(byte) }
        case .afterQuote:
            if endsLine { return record() }
            switch byte {
            case form.separator: endField()
            case .quote:
                append(byte)
                if case .afterQuote = place { place = .quoted }
            default: place = .skipping(.textAfterQuote)
            }
        case .skipping(let fault):
            if endsLine { return record(fault) }
        }
        return nil
    }

    private mutating func beginField(_ byte: UInt8) {
        switch byte {
        case .quote: place = .quoted
        case form.separator: endField()
        default:
            place = .plain
            append(byte)
        }
    }

    private mutating func endField() {
        ends.append(bytes.count)
        // A line of nothing but separators must not exhaust the memory either.
        place = ends.count < Self.longestRecord ? .fieldStart : .skipping(.tooLong)
    }

    private mutating func append(_ byte: UInt8) {
        guard bytes.count < Self.longestRecord else {
            place = .skipping(.tooLong)
            return
        }
        bytes.append(byte)
    }

    private mutating func record(_ fault: CSVFault? = nil) -> CSVRecord {
        ends.append(bytes.count)
        isFirstRecord = false
        defer {
            place = .recordStart
            bytes.removeAll(keepingCapacity: true)
            ends.removeAll(keepingCapacity: true)
        }
        return fault.map { CSVRecord(line: startLine, fault: $0) }
            ?? CSVRecord(line: startLine, bytes: bytes, ends: ends)
    }
}

/// Skips UTF-8's byte order mark. No other text begins with its bytes.
private struct ByteOrderMark {
    private var expected: ArraySlice<UInt8> = [0xEF, 0xBB, 0xBF]

    mutating func swallows(_ byte: UInt8) -> Bool {
        guard byte == expected.first else {
            expected = []
            return false
        }
        expected.removeFirst()
        return true
    }
}

extension UInt8 {
    fileprivate static let lineFeed = UInt8(ascii: "\n")
    fileprivate static let carriageReturn = UInt8(ascii: "\r")
    fileprivate static let quote = UInt8(ascii: "\"")
    fileprivate static let hash = UInt8(ascii: "#")
}
