import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor
@testable import Store

/// The marks for roll-ups that storing samples leaves.
@Suite struct LateSamplesTests {
    private static let noon = Timestamp.noon

    private static func sample(_ device: Int32, _ time: Timestamp, slot: Int = 0) -> Sample {
        Sample(
            slot: Slot.all[slot], device: Device.ID(rawValue: device), at: EventTime(device: time, receipt: time),
            receivedAt: time, readings: Readings([.ph: 7]))
    }

    @Test(arguments: [
        (599, 3_599, false), (600, 3_599, true), (600, 3_600, false), (3_600 + 599, 3_600, false),
        (3_600 + 600, 7_199, true),
    ])
    func anHourIsClosedTenMinutesAfterItsEnd(_ began: Int, _ event: Int, _ isLate: Bool) {
        // The seconds since the beginning of the hour before noon, and since noon.
        let due = DueHour.among(
            [Self.sample(1, Self.noon - .seconds(3_600) + .seconds(event))], began: Self.noon + .seconds(began))
        #expect(due.isEmpty != isLate)
    }

    @Test func eachHourOfADeviceIsMarkedOnce() {
        let began = Self.noon + .seconds(86_400)
        let samples = (0..<240).map { Self.sample(1, Self.noon + .seconds(30 * $0)) }
        #expect(
            Set(DueHour.among(samples, began: began)) == [
                DueHour(slot: Slot.all[0], device: Device.ID(rawValue: 1), start: Self.noon),
                DueHour(slot: Slot.all[0], device: Device.ID(rawValue: 1), start: Self.noon + .seconds(3_600)),
            ])
        #expect(DueHour.among(samples, began: began).count == 2)
    }

    @Test func manyDevicesOfASlotAreMarkedAsOne() {
        let began = Self.noon + .seconds(86_400)
        let few = (1...8).map { Self.sample($0, Self.noon) } + [Self.sample(20, Self.noon, slot: 1)]
        #expect(DueHour.among(few, began: began).count == 9)
        let many = few + [Self.sample(9, Self.noon)]
        #expect(
            Set(DueHour.among(many, began: began)) == [
                DueHour(slot: Slot.all[0], device: nil, start: Self.noon),
                DueHour(slot: Slot.all[1], device: Device.ID(rawValue: 20), start: Self.noon),
            ])
    }

    /// Readings in time need no right to mark: not one additional statement runs.
    @Test(arguments: [false, true]) func inTimeNothingIsMarked(carefully: Bool) async throws {
        try await StoreFixture.with(devices: ["tank-1"]) { store in
            try await store.database.sql("REVOKE ALL ON rollup_due FROM aqua_ingestor", as: .owner)
            try await store.withWriter { writer in
                let inTime = BatchTransactionTests.sample(
                    store.devices[0], at: (Timestamp.now - BatchTransactionTests.now) / .seconds(1))
                let outcome = try await writer.write(BatchTransactionTests.work([inTime]), carefully: carefully)
                #expect(outcome.stored == 1)
                let late = BatchTransactionTests.sample(store.devices[0], at: -2 * 86_400)
                let refused = try await writer.write(BatchTransactionTests.work([late]), carefully: carefully)
                #expect(refused.stored == 0 && refused.refused == [late.key])
            }
            #expect(try await store.count("count(*) FROM sample") == 1)
        }
    }

    /// Including a reading that completes a moment, and one that is stored without being evaluated.
    @Test func whateverChangesAClosedHourIsMarked() async throws {
        try await StoreFixture.with(devices: ["tank-1"]) { store in
            try await store.withWriter { writer in
                func marked(_ sample: Sample) async throws -> Int {
                    try await store.database.sql("TRUNCATE rollup_due")
                    _ = try await writer.write(BatchTransactionTests.work([sample]), carefully: true)
                    return try await store.count("count(*) FROM rollup_due")
                }
                let device = store.devices[0]
                let marks = [
                    try await marked(BatchTransactionTests.sample(device, at: -86_400, [.ph: 7])),
                    // A repetition, and another parameter of the same moment.
                    try await marked(BatchTransactionTests.sample(device, at: -86_400, [.ph: 8])),
                    try await marked(BatchTransactionTests.sample(device, at: -86_400, [.nitrate: 8])),
                    try await marked(
                        BatchTransactionTests.sample(device, at: -7_300, flags: [.timedByReceipt, .notEvaluated])),
                ]
                #expect(marks == [1, 0, 1, 1])
            }
        }
    }
}
