import Foundation
import Testing

/// A series recorded at Grand Bay, an estuary, every 15 minutes.
struct Recorded {
    private let file: String
    /// The number of rows to use, from the first.
    private let length: Int

    /// A month, with the replayed columns only. A file beside it names its source.
    static let month = Recorded(file: "Series/grand-bay-july-2021.csv")
    /// The first two weeks of the month.
    static let half = Recorded(file: "Series/grand-bay-july-2021.csv", length: 14 * 24 * 4)
    /// The whole recording, two months with all columns, which is kept outside of the project.
    static let whole = Recorded(file: "../../../shared/data/swmp/gndblwq2021.csv")

    private init(file: String, length: Int = .max) {
        self.file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: file)
            .standardized.path(percentEncoded: false)
        self.length = length
    }

    var isThere: Bool { FileManager.default.isReadableFile(atPath: file) }
    static let absence: Comment =
        "the whole series, ../shared/data/swmp, is not here; the month of it is replayed all the same"

    /// The replayed columns: column, parameter, limits of the manual's Table 3.1 in tenths.
    static let columns: [(name: String, parameter: String, minimum: Int, maximum: Int)] = [
        ("Temp", "temperature", 120, 240), ("pH", "ph", 75, 85), ("DO_mgl", "dissolved_oxygen", 70, 90),
        ("Sal", "salinity", 30, 70),
    ]

    /// A row: minutes since the beginning of July, and values in tenths for the columns that have one.
    struct Row: Equatable {
        var minute: Int
        var tenths: [String: Int]
    }

    /// The header and the rows.
    func lines() throws -> [Substring] {
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(whereSeparator: \.isNewline)
        return Array(lines.prefix(1) + lines.dropFirst().prefix(length))
    }

    func rows() throws -> [Row] {
        let lines = try lines()
        let header = lines[0].split(separator: ",", omittingEmptySubsequences: false)
        let time = try #require(header.firstIndex(of: "DateTimeStamp"))
        let places = Self.columns.map { column in header.firstIndex { $0 == column.name } }
        return try lines.dropFirst().compactMap { line in
            let cells = line.split(separator: ",", omittingEmptySubsequences: false)
            var tenths: [String: Int] = [:]
            for (column, place) in zip(Self.columns, places) {
                let text = cells[try #require(place)]
                guard !text.isEmpty else { continue }
                let value: Int = try #require(Self.inTenths(text))
                tenths[column.parameter] = value
            }
            return tenths.isEmpty ? nil : Row(minute: try #require(Self.minute(of: cells[time])), tenths: tenths)
        }
    }

    /// "7/2/2021 0:15"
    private static func minute(of text: Substring) -> Int? {
        let numbers = text.split { "/ :".contains($0) }.compactMap { Int($0) }
        guard numbers.count == 5 else { return nil }
        let daysBefore = numbers[0] == 7 ? 0 : numbers[0] == 8 ? 31 : 62
        return ((daysBefore + numbers[1]) * 24 + numbers[3]) * 60 + numbers[4]
    }

    /// "30.7" is 307; the series has one decimal at most.
    private static func inTenths(_ text: Substring) -> Int? {
        let parts = text.split(separator: ".")
        guard parts.count <= 2, let whole = Int(parts[0]) else { return nil }
        guard parts.count == 2 else { return whole * 10 }
        guard parts[1].count == 1, let tenth = Int(parts[1]) else { return nil }
        return whole * 10 + (text.hasPrefix("-") ? -tenth : tenth)
    }
}
