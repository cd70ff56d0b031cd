package import Instants
import People
import WaterQuality

/// A CSV file that can be read several times, one row at a time.
package struct Recording: Sendable {
    package let path: String
    package let form: RecordingForm

    /// Counts and faults of a first pass over the file.
    package struct Survey: Hashable, Sendable {
        package var rows = 0
        /// Rows with a time and nothing measured.
        package var empty = 0
        package var faults = 0
        /// Rows that repeat an earlier row. They are published, and count once.
        package var repeated = 0
        /// Faulty rows that have the time of an earlier row, and other values.
        var contradictions = 0
        /// Invalid cells of rows that are otherwise valid.
        package var badCells = 0
        package var earliest: Timestamp?
        package var latest: Timestamp?

        /// The number of rows that have something to publish.
        package var published: Int { rows - empty - faults }

        mutating func add(_ result: Result<RecordedRow, RowFault>, _ report: (RowFault) -> Void) {
            rows += 1
            switch result {
            case .failure(let fault):
                faults += 1
                if fault.contradicts { contradictions += 1 }
                report(fault)
            case .success(let row):
                if row.isRepeated { repeated += 1 }
                badCells += row.faults.count
                row.faults.forEach(report)
                if row.values.isEmpty { empty += 1 }
                earliest = min(earliest ?? row.time, row.time)
                latest = max(latest ?? row.time, row.time)
            }
        }

        /// - Throws: `invalidInput` where most rows share their time with others, a sign that times are misread.
        func requireTimes(of form: RecordingForm) throws(OperatorError) {
            guard contradictions * 2 >= rows, contradictions >= 2 else { return }
            throw OperatorError(
                .invalidInput,
                "\(contradictions) of \(rows) rows have the time of another row and other values: the times of "
                    + "\(form.parser.time.name.shortened) are not all there is. Name the columns with --time DATE --time TIME."
            )
        }

        static func + (left: Survey, right: Survey) -> Survey {
            Survey(
                rows: left.rows + right.rows, empty: left.empty + right.empty, faults: left.faults + right.faults,
                repeated: left.repeated + right.repeated, contradictions: left.contradictions + right.contradictions,
                badCells: left.badCells + right.badCells,
                earliest: [left.earliest, right.earliest].compactMap(\.self).min(),
                latest: [left.latest, right.latest].compactMap(\.self).max())
        }
    }

    /// Opens the file, and finds out its form.
    package init(path: String, _ options: RecordingOptions) throws {
        self.path = path
        form = try RecordingForm(path: path, options)
    }

    /// The rows in the order of the file, with faults in their places.
    /// - Parameter earlier: The rows of other files that are read together with this one.
    func rows(behind earlier: SaidRows) throws -> Rows {
        Rows(records: try form.records(), parser: form.parser, path: path, said: earlier)
    }

    /// The rows of this file alone.
    package func rows() throws -> Rows { try rows(behind: SaidRows()) }

    /// Passes over the file once.
    /// - Parameter report: Called with every fault.
    /// - Throws: `invalidInput` where most rows share their time with others, a sign that times are misread.
    package func survey(_ report: (RowFault) -> Void) throws -> Survey {
        var survey = Survey()
        var rows = try self.rows()
        while let result = try rows.next() { survey.add(result, report) }
        try survey.requireTimes(of: form)
        return survey
    }

    /// A pass over a recording.
    ///
    /// Of several rows with one time the first counts. Later ones with the same values are repeated, all others are faults.
    package struct Rows {
        fileprivate var records: CSVReader
        fileprivate let parser: RowParser
        private let path: String
        private var isFirst = true
        private(set) var said: SaidRows

        fileprivate init(records: CSVReader, parser: RowParser, path: String, said: SaidRows) {
            self.records = records
            self.parser = parser
            self.path = path
            self.said = said
            self.said.files.append(path)
        }

        /// Hands over the rows said so far, for the next file. This pass is over.
        mutating func takeSaid() -> SaidRows {
            defer { said = SaidRows() }
            return said
        }

        /// - Throws: `invalidInput` for a file with more rows than memory is meant for.
        package mutating func next() throws -> Result<RecordedRow, RowFault>? {
            guard var record = try records.next() else { return nil }
            if isFirst, record.isUSGSFormat {
                guard let behind = try records.next() else { return nil }
                record = behind
            }
            isFirst = false
            guard said.rows.count < SaidRows.most else {
                throw OperatorError(
                    .invalidInput, "These are more than \(SaidRows.most) rows: take them in parts, such as by the year."
                )
            }
            do throws(RowFault) { return .success(try compared(try parser.row(record))) } catch {
                return .failure(error)
            }
        }

        private mutating func compared(_ row: RecordedRow) throws(RowFault) -> RecordedRow {
            guard !row.values.isEmpty else { return row }
            let digest = row.values.hashValue
            guard let earlier = said.rows[row.time] else {
                said.rows[row.time] = (said.files.count - 1, row.line, digest)
                return row
            }
            guard earlier.digest == digest else {
                let file = said.files[earlier.file]
                throw RowFault(
                    line: row.line,
                    reason: "has the time of line \(earlier.line)\(file == path ? "" : " of \(file)"), "
                        + "\(row.time.iso8601), and other values",
                    contradicts: true)
            }
            var row = row
            row.isRepeated = true
            return row
        }
    }
}

/// The rows so far, by which repeated ones are recognised.
struct SaidRows: Sendable {
    /// Most rows, which take some 200 MB.
    static let most = 4_000_000

    fileprivate var files: [String] = []
    /// The file and line of each time, and a digest of its values.
    fileprivate var rows: [Timestamp: (file: Int, line: Int, digest: Int)] = [:]
}
