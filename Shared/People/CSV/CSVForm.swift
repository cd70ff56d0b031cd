/// The separator of a file's columns, and the place of its header.
package struct CSVForm: Hashable, Sendable {
    package var separator = UInt8(ascii: ",")
    /// Lines before the header that are no part of the table.
    package var skippedLines = 0
    /// Whether the first record after the skipped lines is the header even where it begins with `#`.
    package var headerIsKnown = false

    package static let separators = [UInt8(ascii: "\t"), UInt8(ascii: ";"), UInt8(ascii: ",")]
    /// Loggers write some eighty lines before their header.
    private static let longestPreamble = 500

    package init() {}

    /// Finds the header by the columns that it has to have: the first line that has all of them, with any separator.
    ///
    /// Where no line has them, the header is the first line with as many fields as most lines have, so that a message
    /// can name its columns.
    /// - Parameters:
    ///   - head: The beginning of the text, in UTF-8.
    ///   - separator: nil if it is to be found.
    ///   - skippedLines: nil if the header is to be found.
    package init(of head: [UInt8], columns: [String], separator: UInt8?, skippedLines: Int?) {
        let lines = Self.lines(head)
        let separators = separator.map { [$0] } ?? Self.separators
        let places = skippedLines.map { $0..<min($0 + 1, lines.count) } ?? 0..<lines.count
        for line in places where line >= 0 {
            let found = separators.map { (separator: $0, fields: Self.fields(lines, from: line, $0)) }
                .filter { candidate in columns.allSatisfy(candidate.fields.contains) }
                .max { $0.fields.count < $1.fields.count }
            guard let found else { continue }
            self.separator = found.separator
            self.skippedLines = line
            headerIsKnown = true
            return
        }
        self.separator = separator ?? Self.likeliestSeparator(lines)
        self.skippedLines = skippedLines ?? Self.likeliestHeader(lines, self.separator)
    }

    private static func lines(_ head: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        for (index, byte) in head.enumerated() where byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
            let isSecondHalf = byte == UInt8(ascii: "\n") && index > 0 && head[index - 1] == UInt8(ascii: "\r")
            if !isSecondHalf { lines.append(head[start..<index]) }
            start = index + 1
            if lines.count == longestPreamble { return lines }
        }
        if start < head.count { lines.append(head[start...]) }
        return lines
    }

    /// The fields of the record that begins on a line; it may run over some more.
    private static func fields(_ lines: [ArraySlice<UInt8>], from line: Int, _ separator: UInt8) -> [String] {
        var form = CSVForm()
        form.separator = separator
        form.headerIsKnown = true
        // A byte order mark counts at the start of the file alone.
        form.skippedLines = line > 0 ? 1 : 0
        let lineFeed = [UInt8(ascii: "\n")]
        let text = lines[line..<min(line + 4, lines.count)].joined(separator: lineFeed)
        var chunks = [(line > 0 ? lineFeed : []) + text]
        var reader = CSVReader(form) { chunks.popLast() ?? [] }
        return ((try? reader.next()) ?? nil)?.fields ?? []
    }

    private static func likeliestSeparator(_ lines: [ArraySlice<UInt8>]) -> UInt8 {
        separators.map { ($0, usualCount(lines, $0).lines) }.max { $0.1 < $1.1 }.map { $0.1 > 0 ? $0.0 : nil }
            .flatMap { $0 } ?? UInt8(ascii: ",")
    }

    private static func likeliestHeader(_ lines: [ArraySlice<UInt8>], _ separator: UInt8) -> Int {
        let usual = usualCount(lines, separator).count
        return lines.firstIndex { isTable($0) && $0.count { $0 == separator } == usual } ?? 0
    }

    /// The number of separators that most lines have, and how many lines those are; none without separators.
    private static func usualCount(_ lines: [ArraySlice<UInt8>], _ separator: UInt8) -> (count: Int, lines: Int) {
        let counts = Dictionary(
            grouping: lines.filter(isTable).map { line in line.count { $0 == separator } }.filter { $0 > 0 }, by: { $0 }
        )
        return counts.map { ($0.key, $0.value.count) }.max { ($0.1, $0.0) < ($1.1, $1.0) } ?? (0, 0)
    }

    private static func isTable(_ line: ArraySlice<UInt8>) -> Bool { !line.isEmpty && line.first != UInt8(ascii: "#") }
}
