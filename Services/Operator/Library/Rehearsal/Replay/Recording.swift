import Instants
import WaterQuality

/// A CSV file that can be read several times, one row at a time.
struct Recording: Sendable {
    let path: String
    let form: RecordingForm

    /// The result of a first pass over the file.
    struct Survey: Hashable, Sendable {
        var rows = 0
        /// Rows with a time and nothing measured.
        var empty = 0
        var faults = 0
        /// Rows that say again what an earlier row said. They are published, and count once.
        var repeated = 0
        /// Faults that are rows of a time that an earlier row has, with other values.
        var contradictions = 0
        /// Invalid cells of rows that are otherwise valid.
        var badCells = 0
        var earliest: Timestamp?
        var latest: Timestamp?

        /// The number of rows that have something to publish.
        var published: Int { rows - empty - faults }
    }

    /// Opens the file, and finds out its form.
    init(path: String, _ options: RecordingOptions) throws {
        self.path = path
        form = try RecordingForm(path: path, options)
    }

    /// The rows in the order of the file, with faults in their places.
    func rows() throws -> Rows {
        Rows(records: try form.records(), parser: form.parser)
    }

    /// One pass over the file.
    /// - Parameter report: Called with every fault.
    /// - Throws: `invalidInput` where most rows share their time with others: the times are not read right.
    func survey(_ report: (RowFault) -> Void) throws -> Survey {
        var survey = Survey()
        var rows = try self.rows()
        while let result = try rows.next() {
            survey.rows += 1
            switch result {
            case .failure(let fault):
                survey.faults += 1
                if fault.contradicts { survey.contradictions += 1 }
                report(fault)
            case .success(let row):
                if row.isRepeated { survey.repeated += 1 }
                survey.badCells += row.faults.count
                row.faults.forEach(report)
                if row.values.isEmpty { survey.empty += 1 }
                survey.earliest = min(survey.earliest ?? row.time, row.time)
                survey.latest = max(survey.latest ?? row.time, row.time)
            }
        }
        guard survey.contradictions * 2 < survey.rows || survey.contradictions < 2 else {
            throw OperatorError(
                .invalidInput,
                "\(survey.contradictions) of \(survey.rows) rows have the time of another row and other values: the times of "
                    + "\(form.parser.time.name.shortened) are not all there is. Name the columns with --time DATE --time TIME."
            )
        }
        return survey
    }

    /// A pass over a recording.
    ///
    /// Of several rows of one time the first counts. Those that say the same are repeated, all others are faults.
    struct Rows {
        fileprivate var records: CSVReader
        fileprivate let parser: RowParser
        private var isFirst = true
        /// The line of each time, and a digest of its values.
        private var seen: [Timestamp: (line: Int, digest: Int)] = [:]

        /// So many rows take some 200 MB.
        private static let most = 4_000_000

        fileprivate init(records: CSVReader, parser: RowParser) {
            self.records = records
            self.parser = parser
        }

        /// - Throws: `invalidInput` for a file with more rows than memory is meant for.
        mutating func next() throws -> Result<RecordedRow, RowFault>? {
            guard var record = try records.next() else { return nil }
            if isFirst, record.isUSGSFormat {
                guard let behind = try records.next() else { return nil }
                record = behind
            }
            isFirst = false
            guard seen.count < Self.most else {
                throw OperatorError(
                    .invalidInput, "The file has more than \(Self.most) rows: split it, such as by the year.")
            }
            do throws(RowFault) { return .success(try compared(try parser.row(record))) } catch {
                return .failure(error)
            }
        }

        private mutating func compared(_ row: RecordedRow) throws(RowFault) -> RecordedRow {
            guard !row.values.isEmpty else { return row }
            let digest = row.values.hashValue
            guard let earlier = seen[row.time] else {
                seen[row.time] = (row.line, digest)
                return row
            }
            guard earlier.digest == digest else {
                throw RowFault(
                    line: row.line,
                    reason: "has the time of line \(earlier.line), \(row.time.iso8601), and other values",
                    contradicts: true)
            }
            var row = row
            row.isRepeated = true
            return row
        }
    }
}
