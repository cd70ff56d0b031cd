import Instants
import People
import Testing
import WaterQuality

@testable import Operator

@Suite("Rows of recordings")
struct RowTests {
    @Test(
        "A mapping names column, parameter and unit",
        arguments: [
            ("Temp=temperature", "Temp", Parameter.temperature, nil),
            ("t=temperature:F", "t", .temperature, Unit.fahrenheit),
            ("DO_mgl=dissolved_oxygen:mg/L", "DO_mgl", .dissolvedOxygen, .milligramsPerLitre),
            ("a=b=ph", "a=b", .ph, nil),
            ("NH3=ammonia:ug/L", "NH3", .ammonia, .ppb), ("S=salinity:psu", "S", .salinity, .psu),
        ] as [(String, String, Parameter, WaterQuality.Unit?)])
    func mapping(_ text: String, _ column: String, _ parameter: Parameter, _ unit: WaterQuality.Unit?) throws {
        let mapping = try ColumnMapping(text)
        #expect(mapping.column == column && mapping.parameter == parameter && mapping.unit == unit)
    }

    @Test(
        "An invalid mapping is refused with the possible ones",
        arguments: [
            ("Temp", "write COLUMN=PARAMETER"), ("=ph", "write COLUMN=PARAMETER"),
            ("T=temprature", "there are temperature, ph"),
            ("T=temperature:ppm", "but in C, F, K"), ("T=ph:F", "but in pH"), ("T=temperature:", "but in C, F, K"),
        ])
    func faultyMapping(_ text: String, _ part: String) {
        let fault = #expect(throws: ColumnMapping.Fault.self) { try ColumnMapping(text) }
        #expect(fault?.description.contains(part) == true)
    }

    @Test("Missing markers stand for themselves and, as numbers, for their other spellings")
    func missing() {
        let markers = MissingMarkers(["-9999", "gone"])
        for cell in ["", "NULL", "null", "NaN", "N/A", "-9999", "-9999.0", "-9.999e3", "Gone"] {
            #expect(markers.contains(cell), "\(cell)")
        }
        for cell in ["0", "9999", "-127", "x"] { #expect(!markers.contains(cell), "\(cell)") }
    }

    @Test(
        "Numbers keep their digits where JSON allows it",
        arguments: [
            ("7.90", "7.90"), ("-0.5", "-0.5"), ("12", "12"), ("+7.5", "7.5"), (".5", "0.5"), ("5.", "5.0"),
            ("007", "7.0"),
            ("1e2", "100.0"), ("nan", nil), ("inf", nil), ("0x10", nil), ("1,5", nil), ("", nil), ("1e999", nil),
            ("--1", nil),
        ] as [(String, String?)])
    func numbers(_ cell: String, _ expected: String?) { #expect(jsonNumber(cell) == expected) }

    @Test("A row becomes the payload of a device")
    func payload() throws {
        let reader = try Self.reader("Time,T,pH,DO", ["T=temperature:F", "pH=ph", "DO=dissolved_oxygen"])
        let row = try reader.row(Self.record("2021-07-02 00:15,78.10,NULL,5.5"))
        #expect(row.time.iso8601 == "2021-07-02T00:15:00Z")
        let now = Timestamp(unixSeconds: Int64(1_777_636_800))
        #expect(
            String(decoding: row.payload(at: now), as: UTF8.self)
                == #"{"time":"2026-05-01T12:00:00Z","readings":{"temperature":{"value":78.10,"unit":"F"},"dissolved_oxygen":5.5}}"#
        )
    }

    @Test(
        "Faults name line and reason",
        arguments: [
            ("2021-07-02 00:15,7", "line 2: has 2 fields, the header has 3"),
            ("yesterday,7,8", "line 2: \"yesterday\" is not a time of the expected form (--time-format)"),
            ("\"2021-07-02 00:15\"x,1,8", "line 2: text follows a closing quotation mark"),
        ])
    func faults(_ line: String, _ expected: String) throws {
        let reader = try Self.reader("Time,T,pH", ["T=temperature", "pH=ph"])
        let fault = #expect(throws: RowFault.self) { try reader.row(Self.record(line)) }
        #expect(fault?.description == expected)
    }

    @Test(
        "A bad cell is left out, but its row is not",
        arguments: [
            ("warm", "\"warm\" in T is not a number"), ("\u{1B}[2J", "\"?[2J\" in T is not a number"),
            ("\u{9B}2J\u{7F}", "\"?2J?\" in T is not a number"), ("1e999", "\"1e999\" in T is not a number"),
        ])
    func badCells(_ cell: String, _ expected: String) throws {
        let row = try Self.reader("Time,T,pH", ["T=temperature", "pH=ph"]).row(
            Self.record("2021-07-02 00:15,\(cell),8"))
        #expect(row.values.map(\.parameter) == [.ph])
        #expect(row.faults.map(\.description) == ["line 2: \(expected)"])
    }

    @Test(
        "An infinite value is published as a device would send it",
        arguments: [("inf", "inf"), ("-Infinity", "-inf"), ("+INF", "inf")])
    func infinite(_ cell: String, _ sent: String) throws {
        let row = try Self.reader("Time,T,pH", ["T=temperature:F", "pH=ph"]).row(
            Self.record("2021-07-02 00:15,\(cell),8"))
        let payload = row.payload(at: Timestamp(unixSeconds: Int64(1_777_636_800)))
        #expect(
            String(decoding: payload, as: UTF8.self)
                == #"{"time":"2026-05-01T12:00:00Z","readings":{"temperature":{"value":\#(sent),"unit":"F"},"ph":8}}"#)
    }

    @Test(
        "A header that does not fit is refused with the existing columns",
        arguments: [
            ("when,T", ["T=temperature"], "Name the column of times with --time; the file has when, T."),
            ("Date,Time,T", ["T=temperature"], "Name the column of times with --time; the file has Date, Time, T."),
            ("Time,T", ["Temp=temperature"], "The file has no column \"Temp\"; it has Time, T."),
            ("Time,\u{1B}[2J", ["T=temperature"], "The file has no column \"T\"; it has Time, ?[2J."),
            ("Time,T,T", ["T=temperature"], "The file has more than one column \"T\"."),
            ("Time,T,U", ["T=temperature", "U=temperature"], "Two columns are mapped to temperature; leave one out."),
        ])
    func headers(_ header: String, _ mappings: [String], _ expected: String) {
        let error = #expect(throws: OperatorError.self) { try Self.reader(header, mappings) }
        #expect(error?.description == expected)
    }

    static func reader(_ header: String, _ mappings: [String]) throws -> RowParser {
        let names = header.split(separator: ",").map(String.init)
        return try RowParser(
            header: names, time: try TimeColumns(in: names, named: [], samples: []),
            mappings: try mappings.map { try ColumnMapping($0) }, times: TimeReading(format: nil, zone: .utc),
            missing: MissingMarkers())
    }

    /// Reads the line as a file's second one.
    static func record(_ line: String) throws -> CSVRecord {
        var chunks = [Array("\n\(line)\n".utf8)]
        var reader = CSVReader { chunks.popLast() ?? [] }
        return try #require(try reader.next())
    }
}
