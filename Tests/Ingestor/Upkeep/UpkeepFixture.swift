import Instants
import Postgres
import ServiceKit
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// A database whose roll-ups are some days behind, and an upkeeper's connection with the Ingestor's rights.
struct UpkeepFixture: Sendable {
    let store: StoreFixture
    let upkeep: PostgresConnection
    /// Midnight (UTC) three days ago, from which on nothing is rolled up.
    let start: Timestamp

    static func with(
        devices names: [String] = ["tank-1", "tank-2", "tank-3"],
        _ body: @Sendable (UpkeepFixture) async throws -> Void
    ) async throws {
        try await StoreFixture.with(devices: names) { store in
            let start = Timestamp.now.roundedDown(to: .seconds(86_400)) - .seconds(3 * 86_400)
            try await store.database.sql(
                """
                UPDATE rollup_progress SET hours_since = '\(start)', hours_until = '\(start)'
                WHERE slot IN (SELECT slot FROM device)
                """)
            let upkeep = try await PostgresConnection.connect(
                StoreFixture.configuration(store.database, .ingestor))
            try await body(UpkeepFixture(store: store, upkeep: upkeep, start: start))
            await upkeep.close()
        }
    }

    /// - Returns: Whether there was anything to do.
    @discardableResult
    func step(_ reason: RollUpStep.Reason) async throws -> Bool {
        try await upkeep.transaction { try RollUpStep(reason).perform($0) }
    }

    /// - Returns: The number of days tested.
    @discardableResult
    func review(_ limits: ReviewStep.Limits = ReviewStep.Limits()) async throws -> Int {
        try await upkeep.transaction(RollUpStep.transaction) { try ReviewStep(limits).perform($0) }
    }

    func rollUp() async throws {
        for reason in RollUpStep.Reason.allCases {
            while try await step(reason) {}
        }
        while try await review() > 0 {}
    }

    func sample(_ device: Int, at time: Timestamp, _ values: [Parameter: Float] = [.ph: 7.9]) -> Sample {
        let key = store.devices[device]
        return Sample(
            slot: key.slot, device: key.device, at: EventTime(device: time, receipt: time), receivedAt: .now,
            readings: Readings(values))
    }

    /// The end of the rolled-up hours of each slot.
    func progress() async throws -> [Slot: Timestamp] {
        Dictionary(uniqueKeysWithValues: try await store.owner.execute(ReadProgress()))
    }

    func rolledUpHours() async throws -> [StoredWater.Key: StoredWater.Sum] {
        Self.sums(try await store.owner.execute(ReadHours()))
    }

    func rolledUpDays() async throws -> [StoredWater.Key: StoredWater.Sum] {
        Self.sums(try await store.owner.execute(ReadDays()))
    }

    private static func sums(_ rows: [RollUpRow]) -> [StoredWater.Key: StoredWater.Sum] {
        var sums: [StoredWater.Key: StoredWater.Sum] = [:]
        for row in rows {
            for parameter in Parameter.allCases {
                let place = Int(parameter.rawValue)
                guard let minimum = row.minima[place], let maximum = row.maxima[place], let total = row.sums[place],
                    let count = row.counts[place]
                else { continue }
                sums[StoredWater.Key(device: row.device, start: row.start, parameter: parameter)] = StoredWater.Sum(
                    minimum: minimum, maximum: maximum, total: total, count: Int64(count))
            }
        }
        return sums
    }
}

private struct ReadProgress: Statement {
    static let sql = "SELECT slot, hours_until FROM rollup_progress"
    static func decode(_ row: inout RowReader) throws -> (Slot, Timestamp) {
        let slot: Slot = try row.read()
        return try (slot, row.read())
    }
}

private struct RollUpRow: Sendable {
    var device: DeviceKey
    var start: Timestamp
    var sums: [Double?]
    var minima: [Float?]
    var maxima: [Float?]
    var counts: [Int32?]

    static let columns: String = {
        let arrays = ["sum", "min", "max", "count"].map { suffix in
            "ARRAY[\(Parameter.allCases.map { "\($0.name)_\(suffix)" }.joined(separator: ", "))]"
        }
        return (["slot", "device_id", "starts_at"] + arrays).joined(separator: ", ")
    }()

    init(_ row: inout RowReader) throws {
        device = try DeviceKey(slot: row.read(), device: row.read())
        start = try row.read()
        sums = try row.read()
        minima = try row.read()
        maxima = try row.read()
        counts = try row.read()
    }
}

private struct ReadHours: Statement {
    static let sql = "SELECT \(RollUpRow.columns) FROM sample_hour"
    static func decode(_ row: inout RowReader) throws -> RollUpRow { try RollUpRow(&row) }
}

private struct ReadDays: Statement {
    static let sql = "SELECT \(RollUpRow.columns) FROM sample_day"
    static func decode(_ row: inout RowReader) throws -> RollUpRow { try RollUpRow(&row) }
}
