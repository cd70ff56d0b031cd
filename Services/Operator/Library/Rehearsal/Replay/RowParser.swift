import Instants
import WaterQuality

/// Turns CSV records into rows, by the columns that the header names.
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

    /// The names by which the column of times is found without `--time`.
    private static let usualTimeColumns: Set = ["time", "datetime", "date_time", "timestamp", "datetimestamp", "date"]

    /// - Parameters:
    ///   - header: The names of the columns, from the first record.
    ///   - timeColumn: nil where the name is one of the usual ones.
    /// - Throws: `OperatorError` that names the missing column and those of the file.
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

    /// - Throws: The reason why the record is not a row.
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

    /// A cell that is not a number is left out; the other values of the row are kept.
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

    /// The names of the columns, for a message.
    private static func names(of header: [String]) -> String {
        header.prefix(30).map(\.shortened).joined(separator: ", ") + (header.count > 30 ? " and more" : "")
    }
}

extension String {
    /// The text, shortened and without control characters, so that a file cannot control the terminal.
    fileprivate var shortened: String {
        let printable = unicodeScalars.prefix(40).map {
            $0.properties.generalCategory == .control ? "?" : Character($0)
        }
        return unicodeScalars.count <= 40 ? String(printable) : String(printable) + "..."
    }
}

/// One row of a recording, ready to be published.
struct RecordedRow: Hashable, Sendable {
    struct Value: Hashable, Sendable {
        let parameter: Parameter
        /// The text of the file as far as JSON allows it; `inf` as a device sends it.
        let number: String
        let unit: WaterQuality.Unit?
    }

    let line: Int
    let time: Timestamp
    /// Empty if nothing was measured: the row is a gap.
    let values: [Value]
    /// The faults of cells that are left out.
    var faults: [RowFault] = []

    /// The message of a device whose clock shows `time`.
    func payload(at time: Timestamp) -> [UInt8] {
        let readings = values.map { value in
            let measured = value.unit.map { #"{"value":\#(value.number),"unit":"\#($0.rawValue)"}"# } ?? value.number
            return #""\#(value.parameter.name)":\#(measured)"#
        }
        return Array(#"{"time":"\#(time.iso8601)","readings":{\#(readings.joined(separator: ","))}}"#.utf8)
    }
}

/// The reason why a row, or one of its cells, is skipped.
struct RowFault: Error, Hashable, CustomStringConvertible {
    let line: Int
    let reason: String

    var description: String { "line \(line): \(reason)" }
}

/// A cell as a device sends it: a number in the grammar of JSON, or `printf`'s text for an infinite one, which the Ingestor
/// takes for a fault of the probe; nil for anything else.
func deviceNumber(_ cell: String) -> String? {
    switch cell.lowercased() {
    case "inf", "+inf", "infinity", "+infinity": "inf"
    case "-inf", "-infinity": "-inf"
    default: jsonNumber(cell)
    }
}

/// A number of a cell in the grammar of JSON; nil for anything else, infinities and hexadecimal digits included.
///
/// Text that JSON allows stays as it is, so that no digit of the recording is lost.
func jsonNumber(_ cell: String) -> String? {
    let allowed = cell.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
    guard allowed, let value = Double(cell), value.isFinite else { return nil }
    return isJSON(decimal: cell) ? cell : "\(value)"
}

/// Whether a finite decimal number is valid JSON as it stands; numbers with an exponent count as not.
///
/// JSON wants a digit on either side of the point, no plus and no zero before other digits.
private func isJSON(decimal text: String) -> Bool {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    let whole = digits.prefix { $0 != UInt8(ascii: ".") }
    return digits.allSatisfy { $0 < UInt8(ascii: "A") && $0 != UInt8(ascii: "+") }
        && (whole.count == 1 || whole.count > 1 && whole.first != UInt8(ascii: "0"))
        && digits.last != UInt8(ascii: ".")
}
