import Postgres
import Store
import TestSupport
import Testing

/// The nights of quiet hours, across changes of clocks and zones.
struct QuietHoursTests {
    private struct Night: Sendable, CustomTestStringConvertible {
        var zone = "Europe/Vienna"
        var from = "22:30"
        var until = "07:00"
        var days = 127
        var at: String
        /// In UTC; nil: no night.
        var expected: String?
        var testDescription: String { "\(zone) \(from)-\(until) \(days) at \(at)" }
    }

    private static let nights = [
        Night(at: "2026-11-26 21:29:59", expected: nil),
        Night(at: "2026-11-26 21:30:00", expected: "2026-11-26 21:30 to 2026-11-27 06:00"),
        Night(at: "2026-11-27 05:59:59", expected: "2026-11-26 21:30 to 2026-11-27 06:00"),
        Night(at: "2026-11-27 06:00:00", expected: nil),
        // Clocks are put forward: an hour less.
        Night(at: "2026-03-29 03:00:00", expected: "2026-03-28 21:30 to 2026-03-29 05:00"),
        // Clocks are put back: an hour more.
        Night(at: "2026-10-25 05:30:00", expected: "2026-10-24 20:30 to 2026-10-25 06:00"),
        // An end that a change skips is that much later.
        Night(until: "02:30", at: "2026-03-29 01:15:00", expected: "2026-03-28 21:30 to 2026-03-29 01:30"),
        // Of an end that comes twice the second counts.
        Night(until: "02:30", at: "2026-10-25 01:15:00", expected: "2026-10-24 20:30 to 2026-10-25 01:30"),
        // Thursday evening alone: the night ends on Friday, and Friday's does not begin.
        Night(days: 8, at: "2026-11-27 02:00:00", expected: "2026-11-26 21:30 to 2026-11-27 06:00"),
        Night(days: 8, at: "2026-11-27 22:00:00", expected: nil),
        Night(days: 119, at: "2026-11-27 02:00:00", expected: nil),
        // By day.
        Night(
            from: "12:00", until: "14:00", days: 8, at: "2026-11-26 12:00:00",
            expected: "2026-11-26 11:00 to 2026-11-26 13:00"),
        Night(from: "12:00", until: "14:00", days: 8, at: "2026-11-27 12:00:00", expected: nil),
        // Nearly all day, each day: the next begins where one ends.
        Night(from: "07:00", until: "06:59", at: "2026-11-27 05:59:30", expected: nil),
        Night(
            from: "07:00", until: "06:59", at: "2026-11-27 06:00:00", expected: "2026-11-27 06:00 to 2026-11-28 05:59"),
        Night(zone: "Asia/Tokyo", at: "2026-11-26 13:30:00", expected: "2026-11-26 13:30 to 2026-11-26 22:00"),
        Night(zone: "Pacific/Kiritimati", at: "2026-11-26 09:00:00", expected: "2026-11-26 08:30 to 2026-11-26 17:00"),
        // A zone that the server does not know any more is UTC.
        Night(zone: "Mars/Olympus", at: "2026-11-26 22:30:00", expected: "2026-11-26 22:30 to 2026-11-27 07:00"),
    ]

    @Test func nights() async throws {
        try await TestCluster.shared.database.withDatabase(migrate: SchemaFixture.migrate) { database in
            for night in Self.nights {
                let found = try await database.sql(
                    """
                    SELECT to_char(since AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') || ' to '
                        || to_char(until AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI')
                    FROM quiet_period(
                        '\(night.zone)', '\(night.from)', '\(night.until)', \(night.days)::smallint, '\(night.at)+00')
                    """)
                #expect(found == night.expected ?? "", "\(night.testDescription)")
            }
        }
    }
}
