/// Reads CSV record by record from chunks of bytes. Memory holds one chunk and one record at a time.
package struct CSVReader {
    private let read: () throws -> [UInt8]
    private var parser: CSVParser
    private var chunk: ArraySlice<UInt8> = []
    private var isAtEnd = false

    /// - Parameter read: The next bytes; none at the end.
    package init(_ form: CSVForm = CSVForm(), read: @escaping () throws -> [UInt8]) {
        parser = CSVParser(form)
        self.read = read
    }

    /// The next record, or nil at the end.
    /// - Throws: The errors of `read`; faults of the text are in the records.
    package mutating func next() throws -> CSVRecord? {
        while true {
            while let byte = chunk.popFirst() {
                if let record = parser.consume(byte) { return record }
            }
            if isAtEnd { return nil }
            chunk = try read()[...]
            if chunk.isEmpty {
                isAtEnd = true
                return parser.finish()
            }
        }
    }
}

/// One record of a CSV file. Its fields are kept as bytes and become strings on access.
package struct CSVRecord {
    /// The line on which the record begins, from 1; a quoted field may run over several.
    package let line: Int
    /// Why the record cannot be used; it has no fields then.
    package let fault: CSVFault?
    private let bytes: [UInt8]
    private let ends: [Int]

    init(line: Int, bytes: [UInt8], ends: [Int]) {
        self.line = line
        fault = nil
        self.bytes = bytes
        self.ends = ends
    }

    init(line: Int, fault: CSVFault) {
        self.line = line
        self.fault = fault
        bytes = []
        ends = []
    }

    /// The number of fields.
    package var count: Int { ends.count }

    /// A field without blanks at its ends; invalid UTF-8 becomes U+FFFD.
    package subscript(index: Int) -> String {
        let start = index == 0 ? 0 : ends[index - 1]
        return String(decoding: bytes[start..<ends[index]].trimmingBlanks, as: UTF8.self)
    }

    package var fields: [String] { (0..<count).map { self[$0] } }

    /// Whether the record is the line of widths below the header of the USGS (RDB): `5s`, `15s`, `20d`, `14n`.
    package var isUSGSFormat: Bool {
        count > 1
            && (0..<count).allSatisfy { index in
                let field = self[index].utf8
                return field.count > 1 && field.last.map("snd".utf8.contains) == true
                    && field.dropLast().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            }
    }
}

/// A violation of RFC 4180, or a record that would need too much memory.
package enum CSVFault: Error, Hashable, CustomStringConvertible {
    case textAfterQuote
    case unclosedQuote
    case tooLong

    package var description: String {
        switch self {
        case .textAfterQuote: "text follows a closing quotation mark"
        case .unclosedQuote: "a quotation mark is not closed"
        case .tooLong: "longer than \(CSVParser.longestRecord) bytes: is a quotation mark not closed?"
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate var trimmingBlanks: ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var rest = drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }
}
