import Instants
import People
import WaterQuality

/// The columns of a file with the time of a row: one, or one of dates and one of times of day.
struct TimeColumns: Hashable, Sendable {
    /// The columns whose cells, joined by blanks, are the time.
    let indices: [Int]
    /// A column of abbreviations such as `CST` and `CDT`, as the USGS writes them.
    let zoneIndex: Int?
    /// The names of the columns.
    let name: String

    /// Names of time columns that are found without `--time`, compared without anything in brackets or after a comma.
    private static let usual: Set = [
        "time", "datetime", "date_time", "date time", "date and time", "timestamp", "datetimestamp", "date",
        "zeit", "zeitstempel", "datum", "uhrzeit", "datum/uhrzeit", "datum und uhrzeit",
        "fecha", "hora", "fecha y hora", "fecha/hora", "日時", "日付", "時刻", "測定日時",
    ]

    /// - Parameters:
    ///   - named: The columns that `--time` names; empty to look for the usual names.
    ///   - samples: Some rows of the file, by which dates are told from times of day.
    /// - Throws: `OperatorError` that lists the file's columns.
    init(in header: [String], named: [String], samples: [[String]]) throws(OperatorError) {
        let found: [Int]
        if named.isEmpty {
            found = try Self.usualColumns(of: header, samples)
        } else {
            var indices: [Int] = []
            for name in named { indices.append(try header.index(ofColumn: name)) }
            found = indices.count == 1 ? try Self.completed(indices[0], in: header, samples) : indices
        }
        indices = found
        name = found.map { header[$0] }.joined(separator: " ")
        zoneIndex = header.firstIndex { $0.lowercased() == "tz_cd" }
    }

    func text(of record: CSVRecord) -> String {
        indices.count == 1 ? record[indices[0]] : indices.map { record[$0] }.joined(separator: " ")
    }

    /// The offset from UTC that a row names, in seconds.
    func secondsFromGMT(of record: CSVRecord) -> Int? {
        zoneIndex.flatMap { Self.offsets[record[$0].uppercased()] }.map { $0 * 3_600 }
    }

    private static let offsets = [
        "UTC": 0, "GMT": 0, "AST": -4, "ADT": -3, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6,
        "PST": -8, "PDT": -7, "AKST": -9, "AKDT": -8, "HST": -10, "HDT": -9,
    ]

    /// The zone in the column's name, as loggers write it: `Date Time, GMT-06:00`.
    var zone: Zone? {
        guard let mark = name.firstMatch(of: /(?:GMT|UTC)\s?([+-])(\d{1,2}):?(\d{2})/) else { return nil }
        let hours = mark.output.2.count == 1 ? "0" + mark.output.2 : mark.output.2
        return Zone("\(mark.output.1)\(hours):\(mark.output.3)")
    }

    private static func usualColumns(of header: [String], _ samples: [[String]]) throws(OperatorError) -> [Int] {
        let candidates = header.indices.filter { usual.contains(plain(header[$0])) }
        let whole = candidates.filter { part(of: $0, samples) == nil }
        let dates = candidates.filter { part(of: $0, samples) == .date }
        let clocks = candidates.filter { part(of: $0, samples) == .timeOfDay }
        if whole.count == 1, dates.isEmpty, clocks.isEmpty { return whole }
        if whole.isEmpty, dates.count == 1, clocks.count <= 1 { return dates + clocks }
        throw OperatorError(
            .invalidInput, "Name the column of times with --time; the file has \(header.columnNames).")
    }

    /// Completes a column of dates with that of times of day, or the other way round, where there is only one.
    private static func completed(
        _ index: Int, in header: [String], _ samples: [[String]]
    ) throws(OperatorError)
        -> [Int]
    {
        guard let part = part(of: index, samples) else { return [index] }
        let others = header.indices.filter { $0 != index && Self.part(of: $0, samples) == part.other }
        if others.isEmpty, part == .date { return [index] }
        let usual = others.filter { Self.usual.contains(plain(header[$0])) }
        guard let other = others.count == 1 ? others[0] : usual.count == 1 ? usual[0] : nil else {
            throw OperatorError(
                .invalidInput,
                "\"\(header[index].shortened)\" has \(part == .date ? "dates without times of day" : "times without dates"): "
                    + "name both columns, --time DATE --time TIME; the file has \(header.columnNames).")
        }
        return part == .date ? [index, other] : [other, index]
    }

    private enum Part {
        case date, timeOfDay

        var other: Part { self == .date ? .timeOfDay : .date }
    }

    /// Whether a column holds dates or times of day; nil for anything else.
    private static func part(of index: Int, _ samples: [[String]]) -> Part? {
        let cells = samples.map { $0[index] }.filter { !$0.isEmpty }
        guard !cells.isEmpty else { return nil }
        if cells.allSatisfy({ $0.wholeMatch(of: /\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?( ?[AaPp][Mm])?/) != nil }) {
            return .timeOfDay
        }
        let isDates = cells.allSatisfy {
            $0.wholeMatch(of: /\d{4}[-\/.]\d{1,2}[-\/.]\d{1,2}|\d{1,2}[-\/.]\d{1,2}[-\/.]\d{2}(\d{2})?/) != nil
        }
        return isDates ? .date : nil
    }

    private static func plain(_ name: String) -> String {
        let start = name.prefix { $0 != "(" && $0 != "," && $0 != "[" }.lowercased()
        let rest = name.dropFirst(start.count).lowercased()
        // A column of fractions of a second is no column of times.
        guard !rest.contains("fract") else { return name }
        return start.last == " " ? String(start.dropLast()) : start
    }
}

extension [String] {
    /// - Throws: `OperatorError` that names the missing column and those of the file.
    func index(ofColumn name: String) throws(OperatorError) -> Int {
        let places = indices.filter { self[$0] == name }
        guard let place = places.first else {
            throw OperatorError(
                .invalidInput, "The file has no column \"\(name.shortened)\"; it has \(columnNames).")
        }
        guard places.count == 1 else {
            throw OperatorError(.invalidInput, "The file has more than one column \"\(name.shortened)\".")
        }
        return place
    }

    /// The names of columns, for a message.
    var columnNames: String {
        prefix(30).map(\.shortened).joined(separator: ", ") + (count > 30 ? " and more" : "")
    }
}
