import Ingestor
import Postgres
import Store
import TestSupport

/// Generates the readings that affect a slot's day inside the database, rolls them up like an Ingestor, and puts the
/// day to QARTOD's tests. Half of the devices are in calm water, which moves up and down by half a degree a day; the
/// others send nonsense all the time.
struct ReviewMeasurement: Sendable {
    let devices: Int

    /// The cost of testing a day, relative to the roll-up of its hours.
    struct Shares: Sendable {
        var calm: Double
        var nonsense: Double
    }

    private static let hours = 52

    func run() async throws -> Shares {
        step("Storing the two days and more that bear on a day of \(devices) devices")
        return try await TestSystem.with(durability: .full) { system in
            let database = system.database
            let day = try await store(database)
            let connection = try await database.connect(.ingestor)
            step("Rolling them up")
            let start = ContinuousClock.now
            for _ in 0..<Self.hours {
                let isDone = try await connection.transaction(RollUpStep.transaction) {
                    try RollUpStep(.ended).perform($0)
                }
                guard isDone else { throw TestSupportError("There was nothing to roll up") }
            }
            let rollUp = (ContinuousClock.now - start) * 24 / Self.hours
            step("Putting the day to the tests")
            try await database.sql(
                """
                DELETE FROM quality_due WHERE day <> '\(day)';
                UPDATE quality_due SET since = now() + device_id % 2 * interval '1 day'
                """, as: .owner)
            let calm = try await review(until: devices / 2, database, connection)
            let nonsense = try await review(until: 0, database, connection)
            let flagged = try await database.sql(
                "SELECT count(DISTINCT device_id) FROM sample_hour WHERE ph_flagged IS NOT NULL", as: .owner)
            guard flagged == "\(devices / 2)" else { throw TestSupportError("\(flagged) devices are flagged") }
            await connection.close()
            return Shares(calm: calm / rollUp * 2, nonsense: nonsense / rollUp * 2)
        }
    }

    private func review(
        until left: Int, _ database: TestDatabase, _ connection: PostgresConnection
    ) async throws -> Duration {
        var limits = ReviewStep.Limits()
        limits.days = 50
        var taken = Duration.zero
        while try await database.sql("SELECT count(*) > \(left) FROM quality_due", as: .owner) == "t" {
            let start = ContinuousClock.now
            _ = try await connection.transaction(RollUpStep.transaction) { [limits] in
                try ReviewStep(limits).perform($0)
            }
            taken += .now - start
        }
        return taken
    }

    /// - Returns: The beginning of the day.
    private func store(_ database: TestDatabase) async throws -> String {
        let day = try await database.sql("SELECT date_trunc('day', now() - interval '40 hours', 'UTC')")
        try await database.sql(
            """
            INSERT INTO device (slot, hardware_id, claim_code_hash)
                SELECT 5, 'bench-' || n, sha256(n::text::bytea) FROM generate_series(1, \(devices)) n
            """, as: .owner)
        for hour in 0..<Self.hours {
            try await database.sql(
                """
                INSERT INTO sample
                SELECT slot, 0, device_id, time, time + interval '80 ms',
                    (23 + wave / 2 + random() / 10 + glitch * 5)::real, (7.5 + wave / 10 + random() / 50 + glitch)::real,
                    (0.1 + random() / 50 + glitch)::real, (20 + random() + glitch * 80)::real,
                    (0.1 + random() / 50 + glitch)::real, (140 + random() + glitch * 400)::real,
                    (150 + random() + glitch * 400)::real, (8 + wave / 2 + random() / 10 + glitch * 5)::real,
                    (1 + random() / 10 + glitch * 9)::real
                FROM (
                    SELECT slot, device_id, device_id % 2 * random() AS glitch, sin((\(hour) + round / 120.0) / 4) AS wave,
                        '\(day)'::timestamptz + interval '1 hour' * \(hour - 14) + round * interval '30 s'
                        + device_id * interval '29 s' / \(devices) AS time
                    FROM generate_series(0, 119) AS round, device ORDER BY time
                ) AS message
                """, as: .owner)
        }
        try await database.sql("VACUUM (ANALYZE) sample, device")
        try await database.sql(
            """
            UPDATE rollup_progress SET hours_since = '\(day)'::timestamptz - interval '14 hours',
                hours_until = '\(day)'::timestamptz - interval '14 hours'
            WHERE slot = 5
            """, as: .owner)
        return day
    }
}
