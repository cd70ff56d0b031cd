import Instants
import People
import WaterQuality

@testable import Ingestor
@testable import Operator

extension FuzzTarget {
    /// A recording in CSV: its first column is the time, the others are parameters.
    static let replay = FuzzTarget(
        "replay",
        seeds: [
            "time,temp,pH,ammonia\n2021-06-19 00:00:05,24.5,7.43,0.1\r\n\"2021-06-19T00:01\",NA,\"7,5\",1e-3\n",
            "\u{FEFF}# of pond 4\ntime,\"a \"\"b\"\"\",c\n7/2/2021 0:15,-9999,1.5\n1624060805.5,+4,.5\n\"unclosed",
            "date\n2021-06-19\n\n\"x\"y\n2021-13-45,,\n",
        ],
        words: [
            "time,", "\n", "\r\n", "\r", "\"", "\"\"", ",", "#", "2021-06-19 00:00:05", "7/2/2021 0:15", "NaN", "1e999",
            "0x1p3", "\u{9B}", "\u{1B}", "\u{301}", "-9999", "Z", "+14:00",
        ]
    ) { bytes in
        let records = try FuzzTarget.records(bytes, chunk: bytes.count)
        try promise(
            try FuzzTarget.records(bytes, chunk: 3).map(Entry.init) == records.map(Entry.init),
            "chunks make a difference")
        var line = 0
        for record in records {
            try promise(record.line > line, "line \(record.line) after \(line)")
            line = record.line
            try promise(record.fault == nil ? record.count > 0 : record.count == 0, "\(record.count) fields")
        }
        try promise(line <= bytes.count + 1, "line \(line) of \(bytes.count) bytes")
        try checkRows(records)
        try checkForm(bytes)
    }

    /// Promises that a file in any encoding becomes UTF-8, read whole or in chunks, and that its form has a place for
    /// the header.
    private static func checkForm(_ bytes: [UInt8]) throws {
        for encoding in TextEncoding.allCases + [TextEncoding(of: bytes[...])] where encoding != .utf8 {
            var (whole, parts) = (Transcoder(from: encoding), Transcoder(from: encoding))
            let text = whole.utf8(bytes)
            try promise(text == bytes.flatMap { parts.utf8([$0]) }, "chunks make a difference in \(encoding)")
            try promise(String(validating: text, as: UTF8.self) != nil, "\(encoding) is no UTF-8 afterwards")
        }
        let form = CSVForm(of: bytes, columns: ["temp"], separator: nil, skippedLines: nil)
        var rest = [bytes]
        var reader = CSVReader(form) { rest.popLast() ?? [] }
        let header = try reader.next()
        try promise(!form.headerIsKnown || header?.fields.contains("temp") == true, "\(form) has no column temp")
    }

    private static func records(_ bytes: [UInt8], chunk: Int) throws -> [CSVRecord] {
        var rest = bytes[...]
        var reader = CSVReader {
            defer { rest = rest.dropFirst(max(chunk, 1)) }
            return Array(rest.prefix(max(chunk, 1)))
        }
        var records: [CSVRecord] = []
        while let record = try reader.next() { records.append(record) }
        return records
    }

    private struct Entry: Equatable {
        let line: Int
        let fields: [String]
        let fault: CSVFault?

        init(_ record: CSVRecord) {
            line = record.line
            fields = record.fields
            fault = record.fault
        }
    }

    /// Promises that an Ingestor can read what a row publishes.
    private static func checkRows(_ records: [CSVRecord]) throws {
        guard let header = records.first?.fields, let time = header.first else { return }
        let mappings = zip(header.dropFirst(), Parameter.allCases).compactMap { name, parameter in
            try? ColumnMapping("\(name)=\(parameter.name)")
        }
        let parser: RowParser
        do throws(OperatorError) {
            parser = try RowParser(
                header: header, time: try TimeColumns(in: header, named: [time], samples: []), mappings: mappings,
                times: TimeReading(format: nil, zone: .utc), missing: MissingMarkers(["-9999"]))
        } catch {
            return try promisePresentable(error.description, longest: 6_000)
        }
        var rows: [RecordedRow] = []
        for record in records.dropFirst() {
            do throws(RowFault) {
                let row = try parser.row(record)
                rows.append(row)
            } catch {
                try promisePresentable(error.description, longest: 600)
            }
        }
        for row in rows { try checkPublished(row) }
    }

    /// Promises that an Ingestor can read what a row publishes, except for numbers that no probe measures.
    private static func checkPublished(_ row: RecordedRow) throws {
        let payload = try ReadingsPayload(row.payload(at: row.time))
        try promise(payload.faults.allSatisfy { $0.reason == .probeFault }, "\(payload.faults)")
        let isTold = (0...9999).contains(row.time.civilTime().year)
        try promise(!isTold || payload.time == .at(row.time), "\(row.time) is read as \(payload.time)")
        var count = 0
        payload.readings.forEachPresent { _, _ in count += 1 }
        try promise(count + payload.faults.count == row.values.count, "\(count) of \(row.values.count) values are read")
    }
}
