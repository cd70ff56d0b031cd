import Instants
import WaterQuality

/// Turns records into rows: knows which field is the time and which are values.
struct RowParser: Sendable {
    private struct Column: Sendable {
        let index: Int
        let mapping: ColumnMapping
    }

    private let columnCount: Int
    private let timeIndex: Int
    private let columns: [Column]
    private let times: TimeReading
    private let missing: MissingMarkers

    /// Names that a time column has where `--time` does not say.
    private static let usualTimeColumns: Set = ["time", "datetime", "date_time", "timestamp", "datetimestamp", "date"]

    /// - Parameters:
    ///   - header: The names of the columns, from the first record.
    ///   - timeColumn: nil where the name is one of the usual ones.
    /// - Throws: `OperatorError` that names what is missing and what there is.
    init(
        header: [String], timeColumn: String?, mappings: [ColumnMapping], times: TimeReading, missing: MissingMarkers
    ) throws(OperatorError) {
        columnCount = header.count
        timeIndex = try Self.timeIndex(in: header, named: timeColumn)
        var columns: [Column] = []
        for mapping in mappings {
            guard !columns.contains(where: { $0.mapping.parameter == mapping.parameter }) else {
                throw OperatorError(
                    .invalidInput, "Two columns are mapped to \(mapping.parameter.name); leave one out.")
            }
            columns.append(Column(index: try Self.index(of: mapping.column, in: header), mapping: mapping))
        }
        self.columns = columns
        self.times = times
        self.missing = missing
    }

    /// - Throws: Why the record is no row.
    func row(_ record: CSVRecord) throws(RowFault) -> RecordedRow {
        if let fault = record.fault { throw RowFault(line: record.line, reason: fault.description) }
        guard record.count == columnCount else {
            throw RowFault(line: record.line, reason: "has \(record.count) fields, the header has \(columnCount)")
        }
        let text = record[timeIndex]
        guard let time = times.instant(text) else {
            throw RowFault(
                line: record.line, reason: "\"\(text.shortened)\" is not a time of the expected form (--time-format)")
        }
        return row(record, at: time)
    }

    /// A cell that is no number is one value less; the others of its moment were measured all the same.
    private func row(_ record: CSVRecord, at time: Timestamp) -> RecordedRow {
        var values: [RecordedRow.Value] = []
        var faults: [RowFault] = []
        for column in columns {
            let cell = record[column.index]
            if missing.contains(cell) { continue }
            guard let number = deviceNumber(cell) else {
                faults.append(
                    RowFault(
                        line: record.line,
                        reason: "\"\(cell.shortened)\" in \(column.mapping.column.shortened) is not a number"))
                continue
            }
            values.append(.init(parameter: column.mapping.parameter, number: number, unit: column.mapping.unit))
        }
        return RecordedRow(line: record.line, time: time, values: values, faults: faults)
    }

    private static func timeIndex(in header: [String], named name: String?) throws(OperatorError) -> Int {
        if let name { return try index(of: name, in: header) }
        let candidates = header.indices.filter { usualTimeColumns.contains(header[$0].lowercased()) }
        guard candidates.count == 1 else {
            throw OperatorError(
                .invalidInput, "Name the column of times with --time; the file has \(names(of: header)).")
        }
        return candidates[0]
    }

    private static func index(of name: String, in header: [String]) throws(OperatorError) -> Int {
        let places = header.indices.filter { header[$0] == name }
        guard let place = places.first else {
            throw OperatorError(
                .invalidInput, "The file has no column \"\(name.shortened)\"; it has \(names(of: header)).")
        }
        guard places.count == 1 else {
            throw OperatorError(.invalidInput, "The file has more than one column \"\(name.shortened)\".")
        }
        return place
    }

    /// Those of a header, for a message.
    private static func names(of header: [String]) -> String {
        header.prefix(30).map(\.shortened).joined(separator: ", ") + (header.count > 30 ? " and more" : "")
    }
}

extension String {
    /// Short and free of control characters: a broken file must not write on the terminal as it likes.
    fileprivate var shortened: String {
        let printable = unicodeScalars.prefix(40).map {
            $0.properties.generalCategory == .control ? "?" : Character($0)
        }
        return unicodeScalars.count <= 40 ? String(printable) : String(printable) + "..."
    }
}
