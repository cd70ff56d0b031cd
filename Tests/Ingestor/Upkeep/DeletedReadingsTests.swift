import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// Readings that their owner deleted: roll-ups follow, and no device brings them back.
@Suite struct DeletedReadingsTests {
    /// Deletes as an operator would, for the device's owner.
    private func delete(
        _ parameters: ParameterSet, of device: DeviceKey, in period: Range<Timestamp>, seen: Int, _ store: StoreFixture
    ) async throws {
        let outcome = try await store.database.sql(
            """
            SELECT outcome FROM delete_readings(\(device.slot.rawValue)::smallint, \(device.device.rawValue), NULL,
                '\(period.lowerBound)', '\(period.upperBound)', \(parameters.rawValue), \(seen), NULL)
            """)
        #expect(outcome == "deleted")
    }

    private func own(_ store: StoreFixture) async throws {
        try await store.database.sql(
            """
            INSERT INTO account (email, password_hash) VALUES ('kim@example.org', 'scrypt$test');
            INSERT INTO ownership (slot, device_id, account_id, name) SELECT slot, device_id, account_id, 'Pond' FROM device, account
            """)
    }

    /// On either path, whole and in part; other parameters of the moment still come.
    @Test(arguments: [false, true]) func aDeviceThatSendsItAgainBringsNothingBack(carefully: Bool) async throws {
        try await StoreFixture.with(devices: ["tank-1"]) { store in
            try await own(store)
            let device = store.devices[0]
            let sample = BatchTransactionTests.sample(device, at: -7_200, [.temperature: 99, .ph: 7])
            try await store.withWriter { writer in
                _ = try await writer.write(BatchTransactionTests.work([sample]), carefully: false)
                let around = sample.eventTime - .seconds(1)..<sample.eventTime + .seconds(1)
                try await delete(ParameterSet(.temperature), of: device, in: around, seen: 1, store)
                var again = try await writer.write(BatchTransactionTests.work([sample]), carefully: carefully)
                #expect(again.stored == 0)
                #expect(try await store.database.sql("SELECT temperature, ph FROM sample") == "|7")
                try await delete(ParameterSet(rawValue: -1), of: device, in: around, seen: 1, store)
                again = try await writer.write(BatchTransactionTests.work([sample]), carefully: carefully)
                #expect(again.stored == 0)
                #expect(try await store.database.sql("SELECT temperature, ph FROM sample") == "|")
                let part = BatchTransactionTests.sample(device, at: -7_200, [.ph: 7, .nitrate: 5])
                #expect(try await writer.write(BatchTransactionTests.work([part]), carefully: carefully).stored == 1)
                #expect(try await store.database.sql("SELECT temperature, ph, nitrate FROM sample") == "||5")
            }
            #expect(
                try await store.database.sql("SELECT sum(messages) FROM evaluation_batch") == "2",
                "nothing is decided anew"
            )
        }
    }

    /// A row that is a key alone says nothing of pauses, and nothing was measured in work.
    @Test func whatWasDeletedWholeIsNoMessage() async throws {
        try await UpkeepFixture.with(devices: ["tank-1"]) { fixture in
            let store = fixture.store
            let device = store.devices[0]
            try await own(store)
            let hour = fixture.start + .seconds(5 * 3_600)
            let samples = (-60..<60).map { fixture.sample(0, at: hour + .seconds(60 * $0)) }
            try await store.withWriter { writer in
                _ = try await writer.write(BatchTransactionTests.work(samples), carefully: false)
            }
            try await store.database.sql(
                """
                INSERT INTO water_work (work_id, slot, tank_id, device_id, kind, begins_at, until, asked)
                SELECT gen_random_uuid(), slot, tank_id, device_id, 'cleaning', '\(hour)', '\(hour + .seconds(3_600))', 'x'
                FROM ownership
                """)
            let worked = "SELECT coalesce(worked, 0) FROM sample_hour WHERE starts_at = '\(hour)'"
            func messages() async throws -> Int {
                try await store.owner.execute(ReadHourWithBefore(hour, of: device, ParameterSet(.ph))).count
            }
            try await fixture.rollUp()
            #expect(try await store.database.sql(worked) == "60")
            #expect(try await messages() == 120)
            for (minutes, left) in [(-30..<30, 30), (30..<60, 0)] {
                let period = hour + .seconds(60 * minutes.lowerBound)..<hour + .seconds(60 * minutes.upperBound)
                try await delete(ParameterSet(rawValue: -1), of: device, in: period, seen: minutes.count, store)
                try await fixture.rollUp()
                #expect(try await store.database.sql(worked) == "\(left)", "the hour's row is replaced")
                #expect(try await messages() == 30 + left)
            }
        }
    }

    /// The hour, its day, the time out of limits and what the tests found are as if the values had never been measured.
    @Test func rollUpsFollow() async throws {
        try await UpkeepFixture.with(devices: ["tank-1"]) { fixture in
            let store = fixture.store
            try await own(store)
            try await store.database.sql(
                """
                UPDATE ownership SET linked_at = '\(fixture.start)', readings_from = '-infinity';
                INSERT INTO setting (slot, device_id, account_id, parameter, version, unit, maximum, colour, position, valid_from)
                SELECT slot, device_id, account_id, 1, 1, 'pH', 85, 'blue', 1, '\(fixture.start)' FROM ownership
                """)
            let hour = fixture.start + .seconds(5 * 3_600)
            var all = StoredWater()
            var kept = StoredWater()
            var samples: [Sample] = []
            for minute in 0..<240 {
                let time = hour + .seconds(60 * minute)
                // The second hour is in the air.
                let isWrong = (60..<120).contains(minute)
                let sample = fixture.sample(0, at: time, [.ph: isWrong ? 12 : 7.9, .temperature: 20])
                samples.append(sample)
                all.add([sample])
                kept.add([isWrong ? fixture.sample(0, at: time, [.temperature: 20]) : sample])
            }
            try await store.withWriter { [samples] writer in
                _ = try await writer.write(BatchTransactionTests.work(samples), carefully: false)
            }
            try await fixture.rollUp()
            let end = try await fixture.progress()
            #expect(
                try await fixture.rolledUpHours() == all.sums(by: .seconds(3_600)) { end[$0] ?? .distantPast })
            let outside = "SELECT coalesce(sum(s), 0) FROM time_outside, unnest(seconds) AS s"
            #expect(try await store.database.sql(outside) != "0")

            let wrong = hour + .seconds(3_600)..<hour + .seconds(7_200)
            try await delete(ParameterSet(.ph), of: store.devices[0], in: wrong, seen: 60, store)
            try await fixture.rollUp()
            #expect(
                try await fixture.rolledUpHours() == kept.sums(by: .seconds(3_600)) { end[$0] ?? .distantPast })
            #expect(
                try await fixture.rolledUpDays() == kept.sums(by: .seconds(86_400)) { end[$0] ?? .distantPast })
            #expect(try await store.database.sql(outside) == "0")
            #expect(
                try await store.database.sql("SELECT count(*) FROM sample_hour WHERE ph_flagged IS NOT NULL") == "0")
            #expect(try await store.database.sql("SELECT count(*) FROM rollup_due") == "0")
        }
    }
}
