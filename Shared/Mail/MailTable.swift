/// A small table in a mail: in plain text in columns of one width, in HTML as a table.
package struct MailTable: Hashable, Sendable {
    package var head: [String]
    /// As many cells a row as the head has.
    package var rows: [[String]]

    package init(head: [String], rows: [[String]]) {
        self.head = head
        self.rows = rows
    }

    /// The columns' widths are those of a font whose letters are equally wide.
    var plain: String {
        let all = [head] + rows
        let widths = head.indices.map { column in all.map { Self.width(of: $0[column]) }.max() ?? 0 }
        let rule = widths.map { String(repeating: "-", count: $0) }
        return ([head, rule] + rows).map { row in
            let line = row.enumerated().map { column, cell in
                let space = String(repeating: " ", count: max(0, widths[column] - Self.width(of: cell)))
                // Values stand to the right, names to the left.
                return column < Self.names ? cell + space : space + cell
            }.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    var html: String {
        let head = line(of: self.head, "th")
        let rows = self.rows.map { line(of: $0, "td") }.joined(separator: "\n")
        return """
            <table style="border-collapse:collapse;margin:1em 0">
            <thead>\(head)</thead>
            <tbody>
            \(rows)
            </tbody>
            </table>
            """
    }

    /// How many columns hold names.
    private static let names = 2

    private func line(of cells: [String], _ element: String) -> String {
        let scope = element == "th" ? " scope=\"col\"" : ""
        let written = cells.enumerated().map { column, cell in
            let side = column < Self.names ? "left" : "right"
            return
                "<\(element)\(scope) style=\"text-align:\(side);padding:.2em .8em .2em 0\">\(MailText.html(cell))</\(element)>"
        }
        return "<tr>\(written.joined())</tr>"
    }

    /// How many columns of a terminal a text takes: two for each character of Chinese, Japanese and Korean.
    private static func width(of text: String) -> Int {
        text.reduce(0) { sum, character in
            let isWide = character.unicodeScalars.first.map { scalar in wide.contains { $0.contains(scalar.value) } }
            return sum + (isWide == true ? 2 : 1)
        }
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
        0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD,
    ]
}
