import Ingestor
import Postgres
import Store
import TestSupport

/// The maximum rates of a database that does nothing else.
struct StorageFloors: Sendable {
    let copyRowsPerSecond: Double
    let commitsPerSecond: Double

    private static let batch = 5_000
    private static let batches = 60
    private static let commits = 1_000

    static func measure(_ fleet: ReportingFleet, in database: TestDatabase, seed: UInt64) async throws -> StorageFloors
    {
        let connection = try await database.connect(.owner)
        try await connection.executeScript(
            """
            CREATE TABLE floor_sample (LIKE sample INCLUDING ALL);
            CREATE TABLE floor_commit (touched bigint NOT NULL);
            INSERT INTO floor_commit VALUES (0)
            """)
        let floors = StorageFloors(
            copyRowsPerSecond: try await copy(fleet, connection, seed: seed),
            commitsPerSecond: try await commit(connection))
        try await connection.executeScript("DROP TABLE floor_sample, floor_commit")
        await connection.close()
        return floors
    }

    /// The time of the statements alone: the rows are encoded beforehand.
    private static func copy(
        _ fleet: ReportingFleet, _ connection: PostgresConnection, seed: UInt64
    ) async throws -> Double {
        var generator = SeededGenerator(seed: seed)
        var rows = CopyBuffer(capacity: batch * 150)
        var taken = Duration.zero
        for number in 0..<batches {
            rows.removeAll()
            for position in number * batch..<(number + 1) * batch {
                let (round, index) = position.quotientAndRemainder(dividingBy: ReportingFleet.devices)
                CopySamples.append(fleet.sample(round: round, index: index, &generator), to: &rows)
            }
            let complete = rows
            taken += try await ContinuousClock().measure {
                try await connection.copy(into: CopyFloor.self, rows: complete)
            }
        }
        return (Double(batch * batches) / (taken / .seconds(1))).rounded()
    }

    private static func commit(_ connection: PostgresConnection) async throws -> Double {
        let taken = try await ContinuousClock().measure {
            for _ in 0..<commits { try await connection.perform(TouchFloor()) }
        }
        return (Double(commits) / (taken / .seconds(1))).rounded()
    }
}

/// Copies the columns of `CopySamples`, in its order: a sample has further columns.
private enum CopyFloor: CopyStatement {
    static let sql = CopySamples.sql.replacing("COPY sample", with: "COPY floor_sample")
}

private struct TouchFloor: Statement {
    static let sql = "UPDATE floor_commit SET touched = touched + 1"
}
