import Ingestor
import Postgres
import Store
import TestSupport
import WaterQuality

/// An hour of a fleet, made inside the database in the order in which it would arrive, and rolled up as an Ingestor does.
struct UpkeepMeasurement: Sendable {
    let devices: Int
    let seed: UInt64

    private static let lateHours = 300

    func run() async throws -> UpkeepFigures {
        step("Starting a PostgreSQL that waits for the disk")
        return try await TestSystem.with(durability: .full) { system in
            try await requireDurability(system.database)
            step("Storing an hour of \(devices) devices")
            let hour = try await store(system.database)
            step("Rolling it up")
            return try await measure(system.database, hour)
        }
    }

    /// - Returns: An hour that has ended long enough ago.
    private func store(_ database: TestDatabase) async throws -> String {
        let hour = try await database.sql("SELECT date_trunc('hour', now(), 'UTC') - interval '2 hours'")
        try await database.sql(
            """
            INSERT INTO device (slot, hardware_id, claim_code_hash)
                SELECT n % 64, 'bench-' || n, sha256(n::text::bytea) FROM generate_series(1, \(devices)) n;
            SELECT setseed(\(Double(seed % 1_000) / 1_000));
            """, as: .owner)
        for minute in 0..<60 {
            try await database.sql(
                """
                INSERT INTO sample
                SELECT slot, 0, device_id, time, time + interval '80 ms',
                    (random() * 40)::real, (1 + random() * 13)::real, (random() * 0.8)::real, (random() * 200)::real,
                    (random() * 0.8)::real, (random() * 1000)::real, (random() * 1000)::real, (random() * 20)::real,
                    (random() * 20)::real
                FROM (
                    SELECT slot, device_id, '\(hour)'::timestamptz + interval '1 minute' * \(minute)
                        + round * interval '30 s' + device_id * interval '29 s' / \(devices) AS time
                    FROM generate_series(0, 1) AS round, device ORDER BY time
                ) AS message
                """, as: .owner)
        }
        try await database.sql("VACUUM (ANALYZE) sample, device")
        try await database.sql("CHECKPOINT")
        try await database.sql("UPDATE rollup_progress SET hours_since = '\(hour)', hours_until = '\(hour)'")
        return hour
    }

    private func measure(_ database: TestDatabase, _ hour: String) async throws -> UpkeepFigures {
        let connection = try await database.connect(.ingestor)
        var steps: [Duration] = []
        for _ in 0..<Slot.count { steps.append(try await perform(.next, connection)) }
        let sizes = try await database.sql(
            """
            SELECT count(*), sum(pg_total_relation_size(tableoid)) / count(*) / count(*), min(ph_count), max(ph_count)
            FROM sample_hour WHERE starts_at = '\(hour)'
            """
        ).split(separator: "|").compactMap { Double($0) }
        guard sizes.count == 4, sizes[0] == Double(devices), sizes[2] == 120, sizes[3] == 120 else {
            throw TestSupportError("Not every message of every device is in the roll-ups: \(sizes)")
        }
        var again: [Duration] = []
        for _ in 0..<Self.lateHours {
            try await database.sql(
                "INSERT INTO rollup_due SELECT slot, device_id, '\(hour)' FROM device ORDER BY random() LIMIT 1",
                as: .owner)
            again.append(try await perform(.dueAgain, connection))
        }
        await connection.close()
        let whole = steps.reduce(Duration.zero) { $0 + $1 }
        let longest = steps.max() ?? Duration.zero
        return UpkeepFigures(
            rollUpDevices: devices, rollUpSecondsPerHour: whole / Duration.seconds(1),
            rollUpLongestMs: longest / Duration.milliseconds(1), rollUpBytesPerDeviceHour: sizes[1],
            rollUpAgainMs: Distribution(again))
    }

    private func perform(_ turn: RollUpStep.Turn, _ connection: PostgresConnection) async throws -> Duration {
        let start = ContinuousClock.now
        guard try await connection.transaction(RollUpStep.transaction, { try RollUpStep(turn).perform($0) }) else {
            throw TestSupportError("There was nothing to roll up")
        }
        return .now - start
    }
}
