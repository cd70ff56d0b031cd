import Instants
import Testing

@testable import WaterQuality

/// The windows between which change is told.
@Suite struct ChangeWindowsTests {
    private static let hour = Duration.seconds(3_600)
    /// 2026-11-25, 14:20 UTC.
    private static let now = Timestamp(unixSeconds: Int64(1_795_616_400))

    @Test func `a day of hours ends with the last whole hour`() throws {
        let windows = try ChangeWindows(from: Self.now - Self.hour * 168, to: Self.now, hours: 24)
        #expect(windows.part == .hour && windows.parts == 24)
        #expect(windows.after.upperBound == Self.now.roundedDown(to: Self.hour))
        #expect(windows.after.upperBound - windows.after.lowerBound == Self.hour * 24)
        #expect(windows.after.upperBound - windows.before.upperBound == Self.hour * 168)
    }

    @Test func `long windows are made of whole days`() throws {
        let windows = try ChangeWindows(from: Self.now - Self.hour * 24 * 30, to: Self.now, hours: 169)
        #expect(windows.part == .day && windows.parts == 7)
        #expect(windows.after.upperBound == Self.now.roundedDown(to: .seconds(86_400)))
        #expect(windows.before.upperBound - windows.before.lowerBound == Self.hour * 168)
    }

    @Test func `windows follow each other`() {
        #expect(throws: ChangeWindows.Fault.order) { try ChangeWindows(from: Self.now, to: Self.now, hours: 1) }
        #expect(throws: ChangeWindows.Fault.overlap) {
            try ChangeWindows(from: Self.now - Self.hour * 23, to: Self.now, hours: 24)
        }
        #expect(throws: Never.self) { try ChangeWindows(from: Self.now - Self.hour * 24, to: Self.now, hours: 24) }
        #expect(throws: Never.self) {
            try ChangeWindows(from: .distantPast, to: .distantFuture, hours: ChangeWindows.mostHours)
        }
    }

    @Test func `a value by hand is as old as half of the time between`() throws {
        let month = try ChangeWindows(from: Self.now - Self.hour * 720, to: Self.now, hours: 24)
        #expect(month.reach == Self.hour * 360)
        let day = try ChangeWindows(from: Self.now - Self.hour * 24, to: Self.now, hours: 24)
        #expect(day.reach == Self.hour * 24)
    }
}
