import Instants
import People
import WaterQuality

/// A person's statements about a file. Whatever is nil has to be found in the file.
package struct RecordingOptions: Sendable {
    var mappings: [ColumnMapping]
    var timeColumns: [String] = []
    var format: TimeFormat?
    /// The zone of times without an offset; nil: the one that the column of times names, else UTC.
    var zone: Zone?
    var missing = MissingMarkers()
    var encoding: TextEncoding?
    var separator: UInt8?
    var decimal: DecimalMark?
    var skippedLines: Int?
    var clockChange: ClockChanges.Choice?
}

/// The form of a file, found from its beginning and one or two passes over it.
package struct RecordingForm: Sendable {
    private let path: String
    let encoding: TextEncoding
    let csv: CSVForm
    private(set) var parser: RowParser
    private(set) var decimal: DecimalMark = .point

    private static let longestHead = 1 << 18
    private static let samples = 50

    /// - Throws: `OperatorError` that says what is missing, or which option to set where the file does not tell.
    init(path: String, _ options: RecordingOptions) throws {
        self.path = path
        let head = try Self.head(path)
        encoding = options.encoding ?? TextEncoding(of: head[...])
        var transcoder = Transcoder(from: encoding)
        csv = CSVForm(
            of: transcoder.utf8(head), columns: options.mappings.map(\.column) + options.timeColumns,
            separator: options.separator, skippedLines: options.skippedLines)
        var records = try Self.records(path, encoding, csv)
        guard let header = try records.next() else { throw OperatorError(.invalidInput, "\(path) is empty.") }
        if let fault = header.fault { throw OperatorError(.invalidInput, "The header of \(path): \(fault).") }
        let names = header.fields
        var samples: [[String]] = []
        while samples.count < Self.samples, let record = try records.next() {
            if record.count >= names.count, !record.isUSGSFormat { samples.append(record.fields) }
        }
        let columns = try TimeColumns(in: names, named: options.timeColumns, samples: samples)
        let zone = options.zone ?? columns.zone ?? .utc
        parser = try RowParser(
            header: names, time: columns, mappings: options.mappings,
            times: TimeReading(format: options.format, zone: zone), missing: options.missing)
        try learnMarks(columns, options, zone)
        if zone.hasClockChanges { try learnClockChanges(options.clockChange) }
    }

    /// The records after the header.
    func records() throws -> CSVReader {
        var records = try Self.records(path, encoding, csv)
        _ = try records.next()
        return records
    }

    /// Differences from RFC 4180 with one column of times, for a message; nil for none.
    package var description: String? {
        var parts: [String] = []
        if encoding != .utf8 { parts.append("written in \(encoding.rawValue)") }
        switch csv.separator {
        case UInt8(ascii: ","): break
        case UInt8(ascii: ";"): parts.append("columns separated by semicolons")
        case UInt8(ascii: "\t"): parts.append("columns separated by tabs")
        default: parts.append("columns separated by \(Character(Unicode.Scalar(csv.separator)))")
        }
        if decimal == .comma { parts.append("decimal commas") }
        if parser.time.indices.count > 1 { parts.append("times from the columns \(parser.time.name.shortened)") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// Passes over the file once, to find the decimal mark and the order of dates.
    private mutating func learnMarks(_ columns: TimeColumns, _ options: RecordingOptions, _ zone: Zone) throws {
        var (dates, numbers) = (DateOrder.Evidence(), DecimalMark.Evidence())
        var texts: [String] = []
        var records = try records()
        while let record = try records.next() {
            guard parser.fits(record) else { continue }
            let text = columns.text(of: record)
            dates.add(text)
            if texts.count < Self.samples { texts.append(text) }
            for cell in parser.cells(of: record) { numbers.add(cell) }
        }
        decimal = try options.decimal ?? numbers.mark(separator: csv.separator)
        parser.decimal = decimal
        guard options.format == nil else { return }
        parser.times = TimeReading(format: nil, zone: zone, order: try dates.order(column: columns.name))
        parser.times.prefer(formatsOf: texts)
    }

    /// Passes over the file once, to learn the order of its rows where clocks were set back.
    private mutating func learnClockChanges(_ choice: ClockChanges.Choice?) throws {
        var learning = ClockChanges.Learning()
        var previous: Timestamp?
        var (rises, falls) = (0, 0)
        var records = try records()
        while let record = try records.next() {
            guard parser.fits(record), let civil = parser.civilTime(of: record) else { continue }
            let time = Timestamp(civil)
            if let previous {
                rises += previous < time ? 1 : 0
                falls += previous > time ? 1 : 0
            }
            previous = time
            if case .doubled = parser.times.zone.reading(of: civil) { learning.add(civil, line: record.line) }
        }
        parser.changes = learning.changes(choice: choice, isDescending: falls > rises)
    }

    private static func head(_ path: String) throws -> [UInt8] {
        let file = try ByteFile(path: path)
        var head: [UInt8] = []
        while head.count < longestHead {
            let chunk = try file.nextChunk()
            if chunk.isEmpty { break }
            head += chunk
        }
        return head
    }

    private static func records(_ path: String, _ encoding: TextEncoding, _ form: CSVForm) throws -> CSVReader {
        let file = try ByteFile(path: path)
        var transcoder = Transcoder(from: encoding)
        return CSVReader(form) {
            while true {
                let chunk = try file.nextChunk()
                let text = transcoder.utf8(chunk)
                // A chunk may be half a character.
                if chunk.isEmpty || !text.isEmpty { return text }
            }
        }
    }
}
