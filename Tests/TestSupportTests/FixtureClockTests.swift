import Foundation
import Testing

/// Fixtures give their rows times that do not depend on how fast the rows are inserted.
@Suite struct FixtureClockTests {
    /// This function's time moves during a statement, so times counted from it collide on a busy machine.
    private static let movingClock = "clock_timestamp" + "()"
    /// Files that may use it: they replace it in a function to shift that function's clock.
    private static let exceptions = ["HolderTests.swift"]

    static func readsAMovingClock(_ source: String) -> Bool { source.contains(movingClock) }

    @Test func noFixtureReadsAClockThatMovesBetweenItsRows() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let files = try #require(FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil))
        var looked = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            looked += 1
            guard !Self.exceptions.contains(file.lastPathComponent) else { continue }
            let source = try String(contentsOf: file, encoding: .utf8)
            #expect(!Self.readsAMovingClock(source), "\(file.lastPathComponent): now() stands still within a statement")
        }
        #expect(looked > 300)
    }

    @Test func aMovingClockIsSeen() {
        #expect(Self.readsAMovingClock("SELECT \(Self.movingClock) - n * interval '1 ms' FROM generate_series(1, 9) n"))
        #expect(!Self.readsAMovingClock("SELECT now() - n * interval '1 ms' FROM generate_series(1, 9) n"))
    }
}
