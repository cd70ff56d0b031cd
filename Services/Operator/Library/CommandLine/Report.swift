import ArgumentParser
import FoundationEssentials
import People

/// The result of a verb, for people and for programs.
package protocol Report: Encodable, Sendable {
    /// Lines for people.
    var text: String { get }
}

/// `--json`, for every verb that prints data.
package struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON instead of text.")
    var json = false

    package init() {}
}

extension Console {
    /// Prints a report in the form that was asked for.
    package func show(_ report: some Report, _ options: OutputOptions) throws {
        try show(report, json: options.json)
    }

    func show(_ report: some Report, json isJSON: Bool) throws {
        try print(isJSON ? json(report, .prettyPrinted) : report.text)
    }

    /// Prints one report of a series: JSON takes exactly one line each.
    package func showLine(_ report: some Report, _ options: OutputOptions) throws {
        try print(options.json ? json(report) : report.text)
    }

    private func json(_ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting = []) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [formatting, .sortedKeys, .withoutEscapingSlashes]
        // Only strings can contain such characters: the encoder emits none of its own.
        return VisibleText.spelledOut(String(decoding: try encoder.encode(value), as: UTF8.self)) { scalar in
            scalar.utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        }
    }
}

/// A table in plain text: columns as wide as their widest cell, two blanks between them.
struct TextTable {
    private let titles: [String]
    private var rows: [[String]] = []

    init(_ titles: [String]) {
        self.titles = titles
    }

    mutating func add(_ cells: [String]) {
        rows.append(cells)
    }

    var text: String {
        let lines = [titles] + rows
        let widths = titles.indices.map { column in lines.map { $0[column].columns }.max() ?? 0 }
        return lines.map { line(of: $0, widths) }.joined(separator: "\n")
    }

    private func line(of cells: [String], _ widths: [Int]) -> String {
        var text = ""
        for (cell, width) in zip(cells.dropLast(), widths) {
            text += cell + String(repeating: " ", count: width - cell.columns + 2)
        }
        return text + (cells.last ?? "")
    }
}

extension String {
    /// The width of the text in terminal columns; Chinese, Japanese and Korean characters take two.
    fileprivate var columns: Int {
        reduce(0) { sum, character in
            let first = character.unicodeScalars.first?.value ?? 0
            let isWide =
                (0x1100...0x115F).contains(first) || (0x2E80...0xA4CF).contains(first)
                || (0xAC00...0xD7A3).contains(first) || (0xF900...0xFAFF).contains(first)
                || (0xFF00...0xFF60).contains(first) || first >= 0x1F300
            return sum + (isWide ? 2 : 1)
        }
    }
}
