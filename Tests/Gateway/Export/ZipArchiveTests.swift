import Foundation
import TestSupport
import Testing

@testable import Gateway

/// Archives that other programs read: unzip and Python.
@Suite struct ZipArchiveTests {
    /// Sizes differ widely, and one entry comes in many pieces.
    private static let contents: [(name: String, pieces: [String])] = [
        ("empty.txt", []), ("account.json", [#"{"name":"水槽"}"#]),
        ("readings/tank-1.csv", (0..<20_000).map { "2026-05-01T12:00:00Z,\($0 % 97).\($0 % 10)\r\n" }),
    ]

    static func archive() -> [UInt8] {
        let archive = ZipArchive(unixSeconds: 1_777_636_799)  // 2026-05-01T11:59:59Z
        var bytes: [UInt8] = []
        for (name, pieces) in contents {
            bytes += archive.begin(name)
            for piece in pieces { bytes += archive.add(Array(piece.utf8)) }
            bytes += archive.end()
        }
        return bytes + archive.finish()
    }

    @Test func pythonReadsWhatWasWritten() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let file = "\(directory.path)/export.zip"
            try Data(Self.archive()).write(to: URL(fileURLWithPath: file))
            let read = try await ProcessUnderTest.run(
                "/usr/bin/env",
                [
                    "python3", "-c",
                    """
                    import sys, zipfile
                    z = zipfile.ZipFile(sys.argv[1])
                    assert z.testzip() is None
                    for i in z.infolist():
                        print(i.filename, i.file_size, i.date_time, len(z.read(i)), z.read(i)[:19].decode())
                    """, file,
                ])
            let last = Self.contents[2].pieces.joined().utf8.count
            #expect(
                read == """
                    empty.txt 0 (2026, 5, 1, 11, 59, 58) 0 
                    account.json 17 (2026, 5, 1, 11, 59, 58) 17 {"name":"水槽"}
                    readings/tank-1.csv \(last) (2026, 5, 1, 11, 59, 58) \(last) 2026-05-01T12:00:00
                    """)
        }
    }

    @Test func leapDaysAndYearsAreRight() async throws {
        for (seconds, year, month, day) in [
            (951_782_400, 2000, 2, 29), (1_709_164_800, 2024, 2, 29), (1_735_689_599, 2024, 12, 31),
            (315_532_800, 1980, 1, 1),
        ] {
            let bytes = ZipArchive(unixSeconds: Int64(seconds)).begin("x")
            let date = Int(bytes[12]) | Int(bytes[13]) << 8
            let told: [Int] = [date >> 9, date >> 5 & 15, date & 31]
            #expect(told == [year - 1980, month, day] as [Int])
        }
    }
}
