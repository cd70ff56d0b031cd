package import Instants
import People
package import WaterQuality

/// Turns CSV records into rows, by the columns that the header names.
struct RowParser: Sendable {
    private struct Column: Sendable {
        let index: Int
        let mapping: ColumnMapping
    }

    private let columnCount: Int
    let time: TimeColumns
    private let columns: [Column]
    var times: TimeReading
    private let missing: MissingMarkers
    var decimal = DecimalMark.point
    var changes = ClockChanges()

    /// - Parameter header: The names of the columns, from the first record.
    /// - Throws: `OperatorError` that names the missing column and those of the file.
    init(
        header: [String], time: TimeColumns, mappings: [ColumnMapping], times: TimeReading, missing: MissingMarkers
    ) throws(OperatorError) {
        columnCount = header.count
        self.time = time
        var columns: [Column] = []
        for mapping in mappings {
            guard !columns.contains(where: { $0.mapping.parameter == mapping.parameter }) else {
                throw OperatorError(
                    .invalidInput, "Two columns are mapped to \(mapping.parameter.name); leave one out.")
            }
            columns.append(Column(index: try header.index(ofColumn: mapping.column), mapping: mapping))
        }
        self.columns = columns
        self.times = times
        self.missing = missing
    }

    /// Whether a record has the fields of the header. Empty fields after them are no fault: loggers end their lines
    /// with separators.
    func fits(_ record: CSVRecord) -> Bool {
        guard record.fault == nil, record.count >= columnCount else { return false }
        return (columnCount..<record.count).allSatisfy { record[$0].isEmpty }
    }

    /// The cells of measured values.
    func cells(of record: CSVRecord) -> [String] {
        columns.map { record[$0.index] }.filter { !missing.contains($0) }
    }

    /// The row's civil time where it has no offset; nil for an instant or no time.
    func civilTime(of record: CSVRecord) -> CivilTime? {
        guard time.secondsFromGMT(of: record) == nil, case .civil(let civil) = times.parsed(time.text(of: record))
        else {
            return nil
        }
        return civil
    }

    /// - Throws: The reason why the record is not a row.
    func row(_ record: CSVRecord) throws(RowFault) -> RecordedRow {
        if let fault = record.fault { throw RowFault(line: record.line, reason: fault.description) }
        guard fits(record) else {
            throw RowFault(line: record.line, reason: "has \(record.count) fields, the header has \(columnCount)")
        }
        return row(record, at: try instant(of: record))
    }

    private func instant(of record: CSVRecord) throws(RowFault) -> Timestamp {
        let text = time.text(of: record)
        let civil: CivilTime
        switch times.parsed(text) {
        case nil:
            throw RowFault(
                line: record.line, reason: "\"\(text.shortened)\" is not a time of the expected form (--time-format)")
        case .instant(let time): return time
        case .civil(let time): civil = time
        }
        if let seconds = time.secondsFromGMT(of: record) { return Timestamp(civil, secondsFromGMT: seconds) }
        switch times.zone.reading(of: civil) {
        case .one(let time): return time
        case .doubled(let first, let second):
            switch changes.choice(of: civil, line: record.line) {
            case .first: return first
            case .second: return second
            case nil:
                throw RowFault(
                    line: record.line,
                    reason:
                        "clocks showed \"\(text.shortened)\" twice, and the order of rows does not tell which it is; "
                        + "say --clock-change first or second, or the offset of the logger's clock with --zone")
            }
        case .skipped(let before, let after):
            switch changes.choiceOfSkipped {
            case .first: return before
            case .second: return after
            case nil:
                throw RowFault(
                    line: record.line,
                    reason:
                        "no clock of the zone showed \"\(text.shortened)\"; if the logger's clock is never set, say its "
                        + "offset with --zone, else --clock-change first or second")
            }
        }
    }

    /// A cell that is not a number is left out; the other values of the row are kept.
    private func row(_ record: CSVRecord, at time: Timestamp) -> RecordedRow {
        var values: [RecordedRow.Value] = []
        var faults: [RowFault] = []
        for column in columns {
            let cell = record[column.index]
            if missing.contains(cell) { continue }
            guard let number = decimal.pointed(cell).flatMap(deviceNumber) else {
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
}

extension String {
    /// The text, shortened and without control characters, so that a file cannot control the terminal.
    var shortened: String {
        let printable = unicodeScalars.prefix(40).map {
            $0.properties.generalCategory == .control ? "?" : Character($0)
        }
        return unicodeScalars.count <= 40 ? String(printable) : String(printable) + "..."
    }
}

/// One row of a recording, ready to be published.
package struct RecordedRow: Hashable, Sendable {
    package struct Value: Hashable, Sendable {
        package let parameter: Parameter
        /// The file's text as far as JSON allows it; `inf` as a device sends it.
        package let number: String
        let unit: WaterQuality.Unit?
    }

    let line: Int
    package let time: Timestamp
    /// Empty if nothing was measured: the row is a gap.
    package let values: [Value]
    /// The faults of cells that are left out.
    var faults: [RowFault] = []
    /// Whether an earlier row has the same time and values.
    var isRepeated = false

    /// The message of a device whose clock shows `time`.
    package func payload(at time: Timestamp) -> [UInt8] {
        let readings = values.map { value in
            let measured = value.unit.map { #"{"value":\#(value.number),"unit":"\#($0.rawValue)"}"# } ?? value.number
            return #""\#(value.parameter.name)":\#(measured)"#
        }
        return Array(#"{"time":"\#(time.iso8601)","readings":{\#(readings.joined(separator: ","))}}"#.utf8)
    }
}

/// The reason why a row, or one of its cells, is skipped.
package struct RowFault: Error, Hashable, CustomStringConvertible {
    let line: Int
    let reason: String
    /// Whether an earlier row has the same time and other values.
    var contradicts = false

    package var description: String { "line \(line): \(reason)" }
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
