import Ingestor
import Postgres
import Store
import TestSupport
import WaterQuality

/// Generates an hour of a fleet inside the database, in the order of arrival, and rolls it up like an Ingestor.
struct UpkeepMeasurement: Sendable {
    let devices: Int
    let seed: UInt64

    private static let lateHours = 300

    func run() async throws -> UpkeepFigures {
        step("Starting a PostgreSQL that waits for the disk")
        let review = try await ReviewMeasurement(devices: max(64, devices / 200)).run()
        return try await TestSystem.with(durability: .full) { system in
            try await requireDurability(system.database)
            step("Storing an hour of \(devices) devices")
            let hour = try await store(system.database)
            step("Rolling it up")
            return try await measure(system.database, hour, review)
        }
    }

    /// - Returns: An hour that ended long enough ago.
    private func store(_ database: TestDatabase) async throws -> String {
        try await database.sql(
            """
            INSERT INTO device (slot, hardware_id, claim_code_hash)
                SELECT n % 64, 'bench-' || n, sha256(n::text::bytea) FROM generate_series(1, \(devices)) n
            """, as: .owner)
        return try await PastHours(devices: devices, hours: 1, seed: seed).store(in: database)
    }

    private func measure(
        _ database: TestDatabase, _ hour: String, _ review: ReviewMeasurement.Shares
    ) async throws -> UpkeepFigures {
        let connection = try await database.connect(.ingestor)
        var steps: [Duration] = []
        for _ in 0..<Slot.count { steps.append(try await perform(.ended, connection)) }
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
            again.append(try await perform(.late, connection))
        }
        await connection.close()
        let whole = steps.reduce(Duration.zero) { $0 + $1 }
        let longest = steps.max() ?? Duration.zero
        return UpkeepFigures(
            rollUpDevices: devices, rollUpSecondsPerHour: whole / Duration.seconds(1),
            rollUpLongestMs: longest / Duration.milliseconds(1), rollUpBytesPerDeviceHour: sizes[1],
            rollUpAgainMs: Distribution(again), reviewPercent: review.calm * 100,
            nonsensePercent: review.nonsense * 100)
    }

    private func perform(_ reason: RollUpStep.Reason, _ connection: PostgresConnection) async throws -> Duration {
        let start = ContinuousClock.now
        guard try await connection.transaction(RollUpStep.transaction, { try RollUpStep(reason).perform($0) }) else {
            throw TestSupportError("There was nothing to roll up")
        }
        return .now - start
    }
}
