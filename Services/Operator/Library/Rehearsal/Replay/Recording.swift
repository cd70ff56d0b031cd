import Instants
import WaterQuality

/// A CSV file that can be read several times, one row at a time.
struct Recording: Sendable {
    let path: String
    private let parser: RowParser

    /// The result of a first pass over the file.
    struct Survey: Hashable, Sendable {
        var rows = 0
        /// Rows with a time and nothing measured.
        var empty = 0
        var faults = 0
        /// Invalid cells of rows that are otherwise valid.
        var badCells = 0
        var earliest: Timestamp?
        var latest: Timestamp?

        /// The number of rows that have something to publish.
        var published: Int { rows - empty - faults }
    }

    /// Opens the file and reads its header.
    init(
        path: String, timeColumn: String?, mappings: [ColumnMapping], times: TimeReading, missing: MissingMarkers
    ) throws {
        self.path = path
        var records = try Self.records(path)
        guard let header = try records.next() else { throw OperatorError(.invalidInput, "\(path) is empty.") }
        if let fault = header.fault { throw OperatorError(.invalidInput, "The header of \(path): \(fault).") }
        parser = try RowParser(
            header: header.fields, timeColumn: timeColumn, mappings: mappings, times: times, missing: missing)
    }

    /// The rows in the order of the file, with faults in their places.
    func rows() throws -> Rows {
        var records = try Self.records(path)
        _ = try records.next()
        return Rows(records: records, parser: parser)
    }

    /// One pass over the file.
    /// - Parameter report: Called with every fault.
    func survey(_ report: (RowFault) -> Void) throws -> Survey {
        var survey = Survey()
        var rows = try rows()
        while let result = try rows.next() {
            survey.rows += 1
            switch result {
            case .failure(let fault):
                survey.faults += 1
                report(fault)
            case .success(let row):
                survey.badCells += row.faults.count
                row.faults.forEach(report)
                if row.values.isEmpty { survey.empty += 1 }
                survey.earliest = min(survey.earliest ?? row.time, row.time)
                survey.latest = max(survey.latest ?? row.time, row.time)
            }
        }
        return survey
    }

    private static func records(_ path: String) throws -> CSVReader {
        let file = try ByteFile(path: path)
        return CSVReader { try file.nextChunk() }
    }

    /// A pass over a recording.
    struct Rows {
        fileprivate var records: CSVReader
        fileprivate let parser: RowParser

        mutating func next() throws -> Result<RecordedRow, RowFault>? {
            guard let record = try records.next() else { return nil }
            do throws(RowFault) { return .success(try parser.row(record)) } catch { return .failure(error) }
        }
    }
}
