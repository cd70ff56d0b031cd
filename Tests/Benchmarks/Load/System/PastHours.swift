import Postgres
import TestSupport

/// Hours of reports from before the measurement, generated inside the database in their order of arrival.
struct PastHours: Sendable {
    /// The number of reporting devices: those with the lowest numbers.
    let devices: Int
    /// The number of hours, of which the last ended an hour ago.
    let hours: Int
    let seed: UInt64

    /// The number of samples: two a minute for each device.
    var samples: Int { devices * hours * 120 }

    /// Stores the samples; none of them is rolled up afterwards.
    /// - Returns: The beginning of the first hour.
    @discardableResult
    func store(in database: TestDatabase) async throws -> String {
        let first = try await database.sql("SELECT date_trunc('hour', now(), 'UTC') - interval '\(hours + 1) hours'")
        try await database.sql("SELECT setseed(\(Double(seed % 1_000) / 1_000))")
        for minute in 0..<hours * 60 {
            try await database.sql(
                """
                INSERT INTO sample
                SELECT slot, 0, device_id, time, time + interval '80 ms',
                    (random() * 40)::real, (1 + random() * 13)::real, (random() * 0.8)::real, (random() * 200)::real,
                    (random() * 0.8)::real, (random() * 1000)::real, (random() * 1000)::real, (random() * 20)::real,
                    (random() * 20)::real
                FROM (
                    SELECT slot, device_id, '\(first)'::timestamptz + interval '1 minute' * \(minute)
                        + round * interval '30 s' + device_id * interval '29 s' / \(devices) AS time
                    FROM generate_series(0, 1) AS round, device WHERE device_id <= \(devices) ORDER BY time
                ) AS message
                """, as: .owner)
        }
        try await database.sql("VACUUM (ANALYZE) sample, device")
        try await database.sql("CHECKPOINT")
        try await Self.rollUpAgain(since: first, in: database)
        return first
    }

    /// Resets the roll-ups, so that all hours since then are rolled up again.
    static func rollUpAgain(since first: String, in database: TestDatabase) async throws {
        try await database.sql("UPDATE rollup_progress SET hours_since = '\(first)', hours_until = '\(first)'")
    }
}
