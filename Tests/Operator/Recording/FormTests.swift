import Foundation
import Instants
import Testing
import WaterQuality

@testable import Operator

/// Files as written by spreadsheets and loggers' programs.
@Suite("Forms of recordings")
struct FormTests {
    struct File: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let mappings: [String]
        /// Times and values in the order of the file.
        let rows: [String]
        var time: [String] = []
    }

    static let files = [
        File(
            testDescription: "German spreadsheet",
            text: "\u{FEFF}Zeit;Temperatur;pH\r\n20.11.2026 12:00;21,4;7,9\r\n20.11.2026 12:15;-0,5;8\r\n",
            mappings: ["Temperatur=temperature", "pH=ph"],
            rows: ["2026-11-20T12:00:00Z temperature=21.4 ph=7.9", "2026-11-20T12:15:00Z temperature=-0.5 ph=8"]),
        File(
            testDescription: "KOR",
            text: """
                KOR Export File
                FILE CREATED:,11/21/2026 08:00:00
                MEAN VALUE:,,18.25,7.905
                "Sonde "EXO 2", of the pier",

                Date (MM/DD/YYYY),Time (HH:mm:ss),Time (Fract. Sec),Temp °C,pH
                11/10/2026,12:00:00,0,18.2,7.91
                11/10/2026,12:15:00,0,18.3,7.90

                """,
            mappings: ["Temp °C=temperature", "pH=ph"],
            rows: ["2026-11-10T12:00:00Z temperature=18.2 ph=7.91", "2026-11-10T12:15:00Z temperature=18.3 ph=7.90"]),
        File(
            testDescription: "KOR, the column of dates named alone",
            text: "Date (MM/DD/YYYY),Time (HH:mm:ss),Temp °C\n11/20/2026,12:00:00,18.2\n11/20/2026,12:15:00,18.3\n",
            mappings: ["Temp °C=temperature"],
            rows: ["2026-11-20T12:00:00Z temperature=18.2", "2026-11-20T12:15:00Z temperature=18.3"],
            time: ["Date (MM/DD/YYYY)"]),
        File(
            testDescription: "HOBO",
            text: """
                "Plot Title: Pond 3"
                "#","Date Time, GMT-06:00","Temp, °C (LGR S/N: 1, SEN S/N: 1)","Host Connected (LGR S/N: 1)"
                1,07/13/21 12:15:00 AM,24.448,,
                2,07/13/21 01:15:00 PM,24.5,Logged,

                """,
            mappings: ["Temp, °C (LGR S/N: 1, SEN S/N: 1)=temperature"],
            rows: ["2021-07-13T06:15:00Z temperature=24.448", "2021-07-13T19:15:00Z temperature=24.5"]),
        File(
            testDescription: "HOBO without quotation marks",
            text: "Plot Title: Pond 3\n#,Date Time,Temp\n1,07/13/21 12:15:00 AM,24.4\n",
            mappings: ["Temp=temperature"], rows: ["2021-07-13T00:15:00Z temperature=24.4"], time: ["Date Time"]),
        File(
            testDescription: "Win-Situ",
            text: (["Report Date:,7/1/2021 10:00:00", "Log File Properties"]
                + (1...80).map { "Property \($0),\($0),x" }).joined(separator: "\n")
                + "\n\nDate and Time,Seconds,Temperature (C) #2,\n7/13/2021 9:00:00 AM,0.000,20.1,\n7/13/2021 9:05:00 AM,300.000,20.2,\n",
            mappings: ["Temperature (C) #2=temperature"],
            rows: ["2021-07-13T09:00:00Z temperature=20.1", "2021-07-13T09:05:00Z temperature=20.2"]),
        File(
            testDescription: "USGS",
            text: """
                # Data for the following 1 site(s) are contained in this file
                #    USGS 04024000 A RIVER AT A TOWN, MN
                agency_cd\tsite_no\tdatetime\ttz_cd\t1_00010\t1_00010_cd
                5s\t15s\t20d\t6s\t14n\t10s
                USGS\t04024000\t2021-11-07 01:30\tCDT\t9.1\tP
                USGS\t04024000\t2021-11-07 01:30\tCST\t9.0\tP

                """,
            mappings: ["1_00010=temperature"],
            rows: ["2021-11-07T06:30:00Z temperature=9.1", "2021-11-07T07:30:00Z temperature=9.0"]),
        File(
            testDescription: "days before months",
            text: "fecha,T\n02/07/2021 00:15,20\n13/07/2021 00:15,21\n", mappings: ["T=temperature"],
            rows: ["2021-07-02T00:15:00Z temperature=20", "2021-07-13T00:15:00Z temperature=21"]),
        File(
            testDescription: "decimal commas between quotation marks",
            text: "time,T\n2021-07-02 00:15,\"20,25\"\n", mappings: ["T=temperature"],
            rows: ["2021-07-02T00:15:00Z temperature=20.25"]),
    ]

    @Test("are recognised", arguments: files)
    func found(_ file: File) throws {
        for encoding in [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian, .windowsCP1252] {
            let hasMark = file.text.hasPrefix("\u{FEFF}")
            let text = encoding == .windowsCP1252 && hasMark ? String(file.text.unicodeScalars.dropFirst()) : file.text
            guard let data = text.data(using: encoding) else { continue }
            let read = try Self.read(Array(data), file.mappings) { $0.timeColumns = file.time }
            #expect(read.rows == file.rows, "\(encoding)")
            #expect(read.faults.isEmpty, "\(encoding)")
        }
    }

    @Test(
        "Forms that a file leaves open are refused, with the option that decides",
        arguments: [
            ("time,T\n3/4/2021 0:15,20\n", "--time-format '%d/%m/%Y %H:%M'"),
            ("time\tT\n2021-07-02 00:15\t1,234\n", "--decimal comma or --decimal point"),
            ("date,T\n2021-07-02,1\n2021-07-02,2\n2021-07-02,3\n", "--time DATE --time TIME"),
            ("date,from,until,T\n2021-07-13,10:00,11:00,1\n", "--time DATE --time TIME"),
            ("Zeit;X\n2021-07-02 00:15;1\n", "it has Zeit, X."),
        ])
    func refused(_ text: String, _ words: String) throws {
        let error = #expect(throws: OperatorError.self) {
            try Self.read(Array(text.utf8), ["T=temperature"]) {
                if text.contains("from") { $0.timeColumns = ["date"] }
            }
        }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test("Forms that a person names are used")
    func named() throws {
        let text = "T|time|T\n1|2|3\nT|time\n1,234|3/4/2021 0:15\n"
        let read = try Self.read(Array(text.utf8), ["T=temperature"]) {
            $0.separator = UInt8(ascii: "|")
            $0.skippedLines = 2
            $0.decimal = .comma
            $0.format = try? TimeFormat("%d/%m/%Y %H:%M")
        }
        #expect(read.rows == ["2021-04-03T00:15:00Z temperature=1.234"])
    }

    @Test("A row with another row's time is a repetition, or a fault; it is never lost")
    func sameTime() throws {
        let text =
            "time,T\n2021-07-02 00:15,1\n2021-07-02 00:30,2\n2021-07-02 00:15,1\n2021-07-02 00:30,3\n2021-07-02,4\n"
        let read = try Self.read(Array(text.utf8), ["T=temperature"])
        #expect(read.rows.map { $0.suffix(1) } == ["1", "2", "1", "4"])
        #expect(read.survey.repeated == 1 && read.survey.contradictions == 1 && read.survey.faults == 1)
        #expect(read.faults == ["line 5: has the time of line 3, 2021-07-02T00:30:00Z, and other values"])
    }

    static let autumn = ["01:30", "02:00", "02:30", "02:00", "02:30", "03:00"]
    static let instants = ["23:30", "00:00", "00:30", "01:00", "01:30", "02:00"]

    @Test("The order of rows decides about an hour that clocks showed twice, in either direction")
    func doubledHour() throws {
        for isDescending in [false, true] {
            let rows = Self.autumn.enumerated().map { "2026-10-25 \($1),\($0)" }
            let text = (["time,T"] + (isDescending ? rows.reversed() : rows)).joined(separator: "\n")
            let read = try Self.read(Array(text.utf8), ["T=temperature"]) { $0.zone = Zone("Europe/Madrid") }
            let times = read.rows.map { String($0.dropFirst(11).prefix(5)) }
            #expect(times == (isDescending ? Self.instants.reversed() : Self.instants))
        }
        let hourly = "time,T\n2026-10-25 01:00,1\n2026-10-25 02:00,2\n2026-10-25 02:00,2\n2026-10-25 03:00,3\n"
        let read = try Self.read(Array(hourly.utf8), ["T=temperature"]) { $0.zone = Zone("Europe/Madrid") }
        #expect(read.rows.map { $0.dropFirst(11).prefix(5) } == ["23:00", "00:00", "01:00", "02:00"])
    }

    @Test(
        "An option decides about a change of clocks that the order leaves open",
        arguments: [
            ("2026-10-25 02:30", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"),
            ("2026-03-29 02:30", "2026-03-29T01:30:00Z", "2026-03-29T00:30:00Z"),
        ])
    func clockChange(_ time: String, _ first: String, _ second: String) throws {
        let text = Array("time,T\n2026-01-01 00:00,1\n\(time),2\n".utf8)
        let untold = try Self.read(text, ["T=temperature"]) { $0.zone = Zone("Europe/Madrid") }
        #expect(untold.rows.count == 1)
        #expect(untold.faults.first?.contains("--clock-change") == true)
        for (choice, expected) in [(ClockChanges.Choice.first, first), (.second, second)] {
            let told = try Self.read(text, ["T=temperature"]) {
                $0.zone = Zone("Europe/Madrid")
                $0.clockChange = choice
            }
            #expect(told.rows.last == "\(expected) temperature=2")
        }
    }

    private static func read(
        _ bytes: [UInt8], _ mappings: [String], _ change: (inout RecordingOptions) -> Void = { _ in }
    ) throws -> (rows: [String], faults: [String], survey: Recording.Survey) {
        let url = FileManager.default.temporaryDirectory.appending(path: "aqua-form-\(UUID().uuidString).csv")
        try Data(bytes).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        var options = RecordingOptions(mappings: try mappings.map { try ColumnMapping($0) })
        change(&options)
        let recording = try Recording(path: url.path(percentEncoded: false), options)
        var faults: [String] = []
        let survey = try recording.survey { faults.append($0.description) }
        var rows: [String] = []
        var all = try recording.rows()
        while let row = try all.next() {
            guard let row = try? row.get() else { continue }
            rows.append(
                ([row.time.iso8601] + row.values.map { "\($0.parameter.name)=\($0.number)" }).joined(separator: " "))
        }
        return (rows, faults, survey)
    }
}
