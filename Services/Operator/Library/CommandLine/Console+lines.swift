import FoundationEssentials

extension Console {
    /// Prints one of many reports: as JSON it takes exactly one line.
    func showLine(_ report: some Report, _ options: OutputOptions) throws {
        guard options.json else { return try print(report.text) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try print(String(decoding: try encoder.encode(report), as: UTF8.self))
    }
}
