import Foundation
import Instants
import TestSupport
import Testing
import WaterQuality

/// Recorded values with the findings of others, from the data beside the project.
enum RecordedQuality {
    static let folder = Paths.repository.appending(path: "../shared/data")
    static let isHere = FileManager.default.fileExists(atPath: folder.path(percentEncoded: false))
    static let absence: Comment = "../shared/data is not here"

    /// The fields of each line of a CSV file, the head first. Quoted heads contain commas; nothing else is quoted.
    static func lines(of file: String) throws -> [[Substring]] {
        try String(contentsOf: folder.appending(path: file), encoding: .utf8).split(whereSeparator: \.isNewline).map {
            line in
            guard line.contains("\"") else { return line.split(separator: ",", omittingEmptySubsequences: false) }
            let parts = line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            return parts.flatMap { index, part in
                index.isMultiple(of: 2) ? part.split(separator: ",") : [part]
            }
        }
    }

    /// A value, and whether a technician corrected it later.
    struct Labelled {
        var time: Timestamp
        var value: Float?
        var isLabelled: Bool
    }

    /// A series of the Logan River Observatory, with its labels.
    static func river(_ site: String, _ column: String) throws -> [Labelled] {
        let lines = try lines(of: "lro/\(site)2019.csv")
        guard let head = lines.first, let value = head.firstIndex(of: Substring(column)),
            let label = head.firstIndex(of: Substring("\(column)_qual"))
        else { throw TestSupportError("no column \(column) in the series of \(site)") }
        return try lines.dropFirst().map { fields in
            guard let time = Timestamp(fields[0].replacing(" ", with: "T") + ":00Z") else {
                throw TestSupportError("no time in \(fields[0])")
            }
            return Labelled(time: time, value: Float(fields[value]), isLabelled: fields[label] != "NULL")
        }
    }
}
