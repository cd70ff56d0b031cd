import ArgumentParser
import FoundationEssentials

/// What a verb has to say, for people and for programs.
protocol Report: Encodable, Sendable {
    /// Lines for people.
    var text: String { get }
}

/// `--json`, for every verb that prints data.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON instead of text.")
    var json = false
}

extension Console {
    /// Prints a report in the form that was asked for.
    func show(_ report: some Report, _ options: OutputOptions) throws {
        try show(report, json: options.json)
    }

    func show(_ report: some Report, json isJSON: Bool) throws {
        try print(isJSON ? json(report) : report.text)
    }

    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
