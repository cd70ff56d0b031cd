import Foundation
import Testing
import Words

/// Texts that people read, kept in files beside the tests so that a change of wording is seen as one.
enum Snapshot {
    /// Expects the text of the file `Snapshots/<name>.<language>.txt`. With `AQUA_RECORD=1` the file is written instead.
    static func expect(
        _ text: String, _ name: String, _ language: Language, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Snapshots/\(name).\(language.rawValue).txt")
        if ProcessInfo.processInfo.environment["AQUA_RECORD"] == "1" {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
            Issue.record("\(file.lastPathComponent) was written", sourceLocation: sourceLocation)
        }
        let expected = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == expected.count, sourceLocation: sourceLocation)
        for (line, expected) in zip(lines, expected) { #expect(line == expected, sourceLocation: sourceLocation) }
    }
}
