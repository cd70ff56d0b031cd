import Ingestor
import Instants
import Postgres
import Store
import TestSupport
import WaterQuality

/// Fills `sample` with a fleet's messages.
struct StoreFleet: Sendable {
    let fleet: ReportingFleet
    let database: TestDatabase
    let seed: UInt64

    /// The number of rows that a busy Ingestor commits at once.
    private static let batch = 2_000
    /// The number of rows that one statement adds, about.
    private static let rowsAtOnce = 200_000

    /// Stores the rounds before `end` as an Ingestor does: with its role, its COPY, batch by batch.
    func copy(rounds end: Int) async throws {
        let connection = try await database.connect(.ingestor)
        var generator = SeededGenerator(seed: seed)
        var rows = CopyBuffer(capacity: Self.batch * 150)
        for position in 0..<end * fleet.keys.count {
            let (round, index) = position.quotientAndRemainder(dividingBy: fleet.keys.count)
            CopySamples.append(fleet.sample(round: round, index: index, &generator), to: &rows)
            if rows.rowCount == Self.batch {
                try await connection.store(rows)
                rows.removeAll()
            }
        }
        try await connection.store(rows)
        await connection.close()
    }

    /// Stores the following rounds, generated inside the database, in the same order.
    func generate(rounds: Range<Int>) async throws {
        let connection = try await database.connect(.owner)
        try await connection.executeScript(MakeRounds.table)
        var devices = CopyBuffer()
        for (index, key) in fleet.keys.enumerated() {
            devices.startRow(fields: 3)
            devices.append(key.slot.rawValue)
            devices.append(key.device.rawValue)
            devices.append(fleet.phase(index).wholeMicroseconds)
        }
        try await connection.copy(into: CopyFleet.self, rows: devices)
        let roundsAtOnce = max(1, Self.rowsAtOnce / fleet.keys.count)
        for first in stride(from: rounds.lowerBound, to: rounds.upperBound, by: roundsAtOnce) {
            let last = min(first + roundsAtOnce, rounds.upperBound) - 1
            try await connection.perform(
                MakeRounds(start: fleet.start, interval: fleet.interval, first: Int32(first), last: Int32(last)))
        }
        await connection.close()
    }

    /// Does the work of autovacuum and the checkpointer at once.
    func settle() async throws {
        try await database.sql("VACUUM (ANALYZE) sample")
        try await database.sql("CHECKPOINT")
    }
}

private enum CopyFleet: CopyStatement {
    static let sql = "COPY bench_fleet (slot, device_id, phase) FROM STDIN (FORMAT binary)"
}

/// Adds some rounds of the whole fleet, in their order of arrival.
private struct MakeRounds: Statement {
    static let table = """
        CREATE TABLE bench_fleet (slot smallint NOT NULL, device_id integer NOT NULL, phase bigint NOT NULL)
        """

    static let sql = """
        INSERT INTO sample
        SELECT slot, 0, device_id, time, time + interval '80 ms',
            (random() * 40)::real, (1 + random() * 13)::real, (random() * 0.8)::real, (random() * 200)::real,
            (random() * 0.8)::real, (random() * 1000)::real, (random() * 1000)::real, (random() * 20)::real,
            (random() * 20)::real
        FROM (
            SELECT slot, device_id, $1 + round * $2::bigint * interval '1 us' + phase * interval '1 us' AS time
            FROM generate_series($3::integer, $4::integer) AS round, bench_fleet
            ORDER BY time
        ) AS message
        """

    let start: Timestamp
    let interval: Duration
    let first: Int32
    let last: Int32

    func bind(_ parameters: inout Parameters) {
        parameters.append(start)
        parameters.append(interval.wholeMicroseconds)
        parameters.append(first)
        parameters.append(last)
    }
}

extension PostgresConnection {
    /// Commits the rows in a transaction of their own.
    fileprivate func store(_ rows: CopyBuffer) async throws {
        try await copy(into: CopySamples.self, rows: rows)
    }
}

extension TestDatabase {
    func connect(_ role: Role) async throws -> PostgresConnection {
        try await PostgresConnection.connect(
            PostgresConfiguration(url: url(role), password: password(role), applicationName: "bench"))
    }
}
