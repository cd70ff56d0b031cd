/// Tables for other programs (RFC 4180).
package enum CSV {
    /// A cell with quotes where it needs them. What a spreadsheet would take for a formula gets an apostrophe in front.
    package static func cell(_ text: String) -> String {
        var text = text
        if let first = text.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first) { text = "'" + text }
        return exactCell(text)
    }

    private static func exactCell(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    /// A line of cells as they are, for programs: a password may begin as a formula does.
    package static func exactLine(_ cells: [String]) -> String { cells.map(exactCell).joined(separator: ",") }

    package static func line(_ cells: [String]) -> String { cells.map(cell).joined(separator: ",") }
}
