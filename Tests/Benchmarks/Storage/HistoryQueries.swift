import Foundation
import Glibc
import Instants
import Postgres
import Store
import TestSupport
import WaterQuality

/// Queries for the last 12 hours of one parameter of one device, for random devices.
struct HistoryQueries: Sendable {
    let fleet: ReportingFleet
    let database: TestDatabase

    private static let hours = 12
    private static let points = 1_440

    /// Runs the queries over one connection, each timed from the statement's first byte to its last row.
    func measure(_ count: Int, _ generator: inout SeededGenerator) async throws -> Distribution {
        let connection = try await database.connect(.owner)
        // Prepares the statement with a device that has no readings.
        _ = try await connection.execute(query(.ph, of: DeviceKey(slot: Slot.all[0], device: Device.ID(rawValue: -1))))
        var durations: [Duration] = []
        for _ in 0..<count {
            let statement = query(
                Parameter.ofManual.randomElement(using: &generator) ?? .ph,
                of: fleet.keys[Int.random(in: 0..<fleet.keys.count, using: &generator)])
            let start = ContinuousClock.now
            let found = try await connection.execute(statement)
            durations.append(.now - start)
            guard found.count == Self.points else {
                throw TestSupportError("\(found.count) instead of \(Self.points) points were found")
            }
        }
        await connection.close()
        return Distribution(durations)
    }

    private func query(_ parameter: Parameter, of device: DeviceKey) -> ReadHistory {
        ReadHistory(
            parameter, of: device, in: fleet.end - .seconds(Self.hours * 3_600)..<fleet.end, limit: 10_000)
    }

    /// Evicts the database's files from the page cache and restarts the database.
    func forgetEverything(_ cluster: TestCluster) async throws {
        let files = URL(filePath: try await database.sql("SHOW data_directory"))
        try await cluster.halt(.database)
        for case let file as URL in FileManager.default.enumerator(at: files, includingPropertiesForKeys: nil)
            ?? .init()
        {
            let descriptor = open(file.path(percentEncoded: false), O_RDONLY)
            guard descriptor >= 0 else { continue }
            fsync(descriptor)
            posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
            close(descriptor)
        }
        try await cluster.resume(.database)
    }
}
