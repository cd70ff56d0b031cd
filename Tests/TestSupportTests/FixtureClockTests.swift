import Foundation
import Testing

/// Rows of one fixture are told apart by what it says, never by how fast they are made.
@Suite struct FixtureClockTests {
    /// It moves between the rows of one statement: times that are counted from it collide, on a busy machine.
    private static let movingClock = "clock_timestamp" + "()"
    /// What it may stand in: a function whose own clock is put forward.
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
