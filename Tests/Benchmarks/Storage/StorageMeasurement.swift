import TestSupport
import WaterQuality

/// Measures the readings of two and a half days in a database of production size.
struct StorageMeasurement: Sendable {
    /// The seed of the values, and of the queried devices.
    let seed: UInt64

    /// The number of rounds that store more than ten million readings.
    private static let firstRounds = 721
    private static let queries = 1_000

    func run() async throws -> StorageFigures {
        step("Starting a PostgreSQL that waits for the disk")
        return try await TestSystem.with(durability: .full) { system in
            try await requireDurability(system.database)
            return try await measure(system)
        }
    }

    private func measure(_ system: TestSystem) async throws -> StorageFigures {
        let database = system.database
        let fleet = ReportingFleet()
        step("Measuring the floors")
        let floors = try await StorageFloors.measure(fleet, in: database, seed: seed)

        let store = StoreFleet(fleet: fleet, database: database, seed: seed)
        let first = Self.firstRounds * ReportingFleet.devices * Parameter.ofManual.count
        step("Storing \(first) readings as they arrive")
        try await store.copy(rounds: Self.firstRounds)
        try await store.settle()
        let bytes = try await bytes(database)

        step("Storing \(ReportingFleet.readings) readings")
        try await store.generate(rounds: Self.firstRounds..<ReportingFleet.rounds)
        try await store.settle()

        step("Reading histories")
        let history = HistoryQueries(fleet: fleet, database: database)
        var generator = SeededGenerator(seed: seed)
        try await history.forgetEverything(system.cluster)
        let cold = try await history.measure(Self.queries, &generator)
        let warm = try await history.measure(Self.queries, &generator)
        return StorageFigures(
            bytesPerReading: (bytes / Double(first) * 100).rounded() / 100, historyReadings: ReportingFleet.readings,
            historyQueryMs: warm, historyQueryColdMs: cold, floorCopyRowsPerSecond: floors.copyRowsPerSecond,
            floorCommitsPerSecond: floors.commitsPerSecond)
    }

    /// The size of all partitions, everything included.
    private func bytes(_ database: TestDatabase) async throws -> Double {
        let text = try await database.sql(
            "SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('sample') WHERE isleaf")
        guard let bytes = Double(text) else { throw TestSupportError("PostgreSQL does not say how large sample is") }
        return bytes
    }
}
