import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// Rows to which a later message added parameters: `filled` holds which of them, and when.
@Suite struct FilledSampleTests {
    @Test(arguments: Parameter.allCases) func aPartThatCameLaterIsNotEvaluatedWithTheFirst(
        _ parameter: Parameter
    ) async throws {
        try await SchemaFixture.with { fixture in
            let device = try await fixture.addDevice("tank-1")
            let first: Parameter = parameter == .temperature ? .ph : .temperature
            let noon = WallClock.system.now().roundedDown(to: .seconds(60))
            func store(_ values: [Parameter: Float], after delay: Int) async throws {
                let sample = Sample(
                    slot: device.slot, device: device.device, at: EventTime(device: noon, receipt: noon),
                    receivedAt: noon + .seconds(delay), readings: Readings(values))
                #expect(try await fixture.owner.execute(InsertNewSamples([sample])) == [sample.key])
            }
            try await store([first: 7], after: 1)
            try await store([first: 8, parameter: 9], after: 61)

            func evaluated(before: Int) async throws -> [Parameter] {
                let rows = try await fixture.owner.execute(
                    FindWatermarks([
                        EvaluatedSince(key: device, before: noon + .seconds(before), since: noon - .seconds(60))
                    ]))
                let times = try #require(rows.first).times
                return Parameter.allCases.filter { times[Int($0.rawValue)] == noon }
            }
            #expect(try await evaluated(before: 31) == [first])
            #expect(Set(try await evaluated(before: 91)) == [first, parameter])
            // The same holds for the last values: the first stored value of each parameter counts.
            for (before, values) in [(31, [first: 7]), (91, [first: 7, parameter: 9])] as [(Int, [Parameter: Float])] {
                let rows = try await fixture.owner.execute(
                    FindLastValues([
                        EvaluatedSince(key: device, before: noon + .seconds(before), since: noon - .seconds(60))
                    ]))
                let last = try #require(rows.first).last
                for parameter in Parameter.allCases {
                    let found = values[parameter].map { FindLastValues.Last(time: noon, value: $0) }
                    #expect(last[Int(parameter.rawValue)] == found, "\(parameter) before \(before)")
                }
            }
            let row = try await fixture.database.sql("SELECT \(first.name), \(parameter.name) FROM sample")
            #expect(row == "7|9")
        }
    }

    /// Marks of added parameters stay when more are added, and nothing is added twice.
    @Test func partsAddUp() async throws {
        try await SchemaFixture.with { fixture in
            let device = try await fixture.addDevice("tank-1")
            let noon = WallClock.system.now().roundedDown(to: .seconds(60))
            for (delay, parameter) in Parameter.allCases.enumerated() {
                let sample = Sample(
                    slot: device.slot, device: device.device, at: EventTime(device: noon, receipt: noon),
                    receivedAt: noon + .seconds(delay), readings: Readings([parameter: 1]))
                #expect(try await fixture.owner.execute(InsertNewSamples([sample])) == [sample.key])
                #expect(try await fixture.owner.execute(InsertNewSamples([sample])).isEmpty)
            }
            // All parameters but the first, which made the row; the last came so many seconds after it. Nine marks stand beside the delay.
            let filled = try await fixture.database.sql("SELECT filled & 511, filled >> 9, filled_more FROM sample")
            let count = Parameter.allCases.count
            #expect(filled == "510|\(count - 1)|\((1 << (count - 9)) - 1)")
        }
    }

    /// Absent parameters take no room in a row: the bits that mark them fit in the padding of the row's header.
    @Test func whatIsAbsentTakesNoRoom() async throws {
        try await SchemaFixture.with { fixture in
            let device = try await fixture.addDevice("tank-1")
            func size(of parameters: [Parameter], at second: Int) async throws -> Int {
                let time = WallClock.system.now().roundedDown(to: .seconds(60)) + .seconds(second)
                let sample = Sample(
                    slot: device.slot, device: device.device, at: EventTime(device: time, receipt: time),
                    receivedAt: time, readings: Readings(Dictionary(uniqueKeysWithValues: parameters.map { ($0, 1) })))
                _ = try await fixture.owner.execute(InsertNewSamples([sample]))
                let stored = try await fixture.database.sql(
                    "SELECT pg_column_size(s.*) FROM sample s ORDER BY event_time DESC LIMIT 1")
                return try #require(Int(stored))
            }
            let one = try await size(of: [.temperature], at: 1)
            #expect(one == 32 + 24 + 4)
            #expect(try await size(of: [.turbidityFNU], at: 2) == one)
            #expect(try await size(of: Parameter.ofManual, at: 3) == one + 8 * 4)
            #expect(try await size(of: Parameter.allCases, at: 4) == one + (Parameter.allCases.count - 1) * 4)
        }
    }
}

extension Readings {
    fileprivate init(_ values: [Parameter: Float]) {
        self.init()
        for (parameter, value) in values { self[parameter] = value }
    }
}
