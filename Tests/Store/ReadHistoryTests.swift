import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// Reading the data of a chart.
@Suite struct ReadHistoryTests {
    private static let device = DeviceKey(slot: Slot.all[7], device: Device.ID(rawValue: 1))
    /// One hour before a midnight (UTC) that has partitions on both sides.
    private static func start(_ fixture: SchemaFixture) async throws -> Timestamp {
        let seconds = try await fixture.database.sql("SELECT extract(epoch FROM current_date)::bigint - 3600")
        return Timestamp(unixSeconds: try #require(Int64(seconds)))
    }

    private static func store(
        _ values: [Parameter: Float], at time: Timestamp, of device: DeviceKey = device, _ fixture: SchemaFixture
    ) async throws {
        var readings = Readings()
        for (parameter, value) in values { readings[parameter] = value }
        try await fixture.owner.perform(
            InsertNewSamples([
                Sample(
                    slot: device.slot, device: device.device, at: EventTime(device: time, receipt: time),
                    receivedAt: time, readings: readings)
            ]))
    }

    @Test func eachParameterIsReadFromItsOwnColumn() async throws {
        try await SchemaFixture.with { fixture in
            let start = try await Self.start(fixture)
            let values = Dictionary(uniqueKeysWithValues: Parameter.allCases.map { ($0, Float($0.rawValue) + 0.5) })
            try await Self.store(values, at: start, fixture)
            for parameter in Parameter.allCases {
                let points = try await fixture.owner.execute(
                    ReadHistory(parameter, of: Self.device, in: start..<start + .seconds(1), limit: 10))
                #expect(points.map(\.time) == [start])
                #expect(points.map(\.value) == [Float(parameter.rawValue) + 0.5])
            }
        }
    }

    @Test func itIsInOrderAcrossDaysAndLeavesOutWhatWasNotMeasured() async throws {
        try await SchemaFixture.with { fixture in
            let start = try await Self.start(fixture)
            func time(_ minutes: Int) -> Timestamp { start + .seconds(60 * minutes) }
            for minutes in [90, 0, 60, 30, 120] {
                try await Self.store([.ph: Float(minutes)], at: time(minutes), fixture)
            }
            try await Self.store([.nitrate: 1], at: time(45), fixture)
            let neighbours = [
                DeviceKey(slot: Self.device.slot, device: Device.ID(rawValue: 2)),
                DeviceKey(slot: Slot.all[8], device: Self.device.device),
            ]
            for other in neighbours { try await Self.store([.ph: -1], at: time(45), of: other, fixture) }

            func minutes(_ period: Range<Timestamp>, limit: Int32 = 10) async throws -> [Float] {
                try await fixture.owner.execute(ReadHistory(.ph, of: Self.device, in: period, limit: limit)).map(
                    \.value)
            }
            #expect(try await minutes(time(0)..<time(121)) == [0, 30, 60, 90, 120])
            #expect(try await minutes(time(0)..<time(120)) == [0, 30, 60, 90], "the end does not belong to it")
            #expect(try await minutes(time(1)..<time(120), limit: 2) == [30, 60])
            #expect(try await minutes(time(121)..<time(200)) == [])
        }
    }
}
