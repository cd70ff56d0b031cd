/// Tables for other programs (RFC 4180).
package enum CSV {
    /// A cell with quotes where it needs them. What a spreadsheet would take for a formula gets an apostrophe in front.
    package static func cell(_ text: String) -> String {
        var text = text
        if let first = text.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first) { text = "'" + text }
        guard text.unicodeScalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    package static func line(_ cells: [String]) -> String { cells.map(cell).joined(separator: ",") }
}
