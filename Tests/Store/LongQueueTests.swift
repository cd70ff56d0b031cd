import Instants
import Postgres
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine
@testable import Store

/// The cost of statements, in buffers, when many rows wait, or when a long transaction may still see many deleted ones.
@Suite struct LongQueueTests {
    private static let slot = "ARRAY[1]::smallint[]"

    /// The number of buffers that a statement touches, with the cached plan of a busy connection.
    private func buffers(
        _ sql: String, _ arguments: String, _ fixture: SchemaFixture, as role: TestDatabase.Role = .rules
    ) async throws -> Int {
        let plan = try await fixture.database.sql(
            """
            PREPARE hot AS \(sql);
            BEGIN;
            EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF) EXECUTE hot(\(arguments));
            ROLLBACK;
            """, as: role)
        // The topmost node's count includes the nodes below it.
        let line = try #require(plan.firstMatch(of: /Buffers: shared[^\n]*/)?.output)
        return line.matches(of: /(?:hit|read)=(\d+)/).compactMap { Int($0.output.1) }.reduce(0, +)
    }

    /// Without statistics, and with those of a queue that was just emptied, because autovacuum may run at any time.
    @Test(arguments: ["", "ANALYZE evaluation_batch", "VACUUM ANALYZE evaluation_batch"])
    func takenBatchesThatABackupStillSeesAreNotWalked(statistics: String) async throws {
        try await SchemaFixture.with { fixture in
            let backup = try await SchemaFixture.connect(fixture.database, .owner)
            try await backup.executeScript("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM slot")
            try await fixture.database.sql(
                """
                INSERT INTO evaluation_batch (slot, messages, received_at, readings)
                    SELECT 1, 1, now(), '\\x01' FROM generate_series(1, 20000);
                DELETE FROM evaluation_batch;
                INSERT INTO evaluation_batch (slot, messages, received_at, readings)
                    SELECT 1, 1, now(), '\\x01' FROM generate_series(1, 3);
                """)
            if !statistics.isEmpty { try await fixture.database.sql(statistics) }
            for (name, sql, more) in [
                ("TakeBatches", TakeBatches.sql, ", 8"), ("FindWaitingBatches", FindWaitingBatches.sql, ""),
                ("MeasureBacklog", MeasureBacklog.sql, ", 16"),
            ] {
                let above = try await buffers(sql, "\(Self.slot), ARRAY[20000]::bigint[]\(more)", fixture)
                let all = try await buffers(sql, "\(Self.slot), ARRAY[0]::bigint[]\(more)", fixture)
                #expect(above < 60, "\(name)")
                #expect(all > 200, "\(name): without a floor it walks what was taken")
            }
            await backup.close()
        }
    }

    @Test func aLongBacklogIsNotReadToMeasureIt() async throws {
        try await SchemaFixture.with { fixture in
            try await fixture.database.sql(
                """
                INSERT INTO evaluation_batch (slot, messages, received_at, readings)
                    SELECT n % 64, 5, now() - (200000 - n) * interval '1 s', decode(repeat('01', 200), 'hex')
                    FROM generate_series(1, 200000) n;
                VACUUM ANALYZE evaluation_batch;
                """)
            let slots = "'{\(Slot.all.map { "\($0.rawValue)" }.joined(separator: ","))}'::smallint[]"
            let floors = "\(slots), array_fill(0::bigint, ARRAY[64])"
            #expect(try await buffers(MeasureBacklog.sql, "\(floors), 16", fixture) < 2_000)
            #expect(try await buffers(FindOldestBatches.sql, slots, fixture) < 500)
            let engine = try await SchemaFixture.connect(fixture.database, .rules)
            let newest = try #require(try await engine.execute(FindNewestBatch()).first)
            let heads = try await engine.execute(MeasureBacklog(Slot.all.map { SlotFloor($0, floor: 0) }))
            let messages = heads.reduce(0) { $0 + $1.estimatedMessages(newest: newest) }
            #expect(messages > 990_000 && messages < 1_010_000)
            #expect(heads.map(\.age).max() ?? 0 > 199_000)
            let oldest = try await engine.execute(FindOldestBatches(Slot.all))
            #expect(oldest.count == 64)
            await engine.close()
        }
    }

    /// A day's readings, one every thirty seconds, wait while no engine runs.
    @Test func whatWaitsOfADeviceIsNotWalkedToFindWhatWasDecided() async throws {
        try await SchemaFixture.with { fixture in
            try await fixture.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
                    SELECT 1, 0, device, at, at + interval '1 s', 7
                    FROM (SELECT now() - n * interval '30 s' AS at FROM generate_series(1, 5760) n) AS readings,
                        generate_series(1, 20) device
                    ORDER BY at;
                """)
            let device = "\(Self.slot), ARRAY[1]::integer[], ARRAY[now() - interval '1 day']"
            #expect(try await buffers(FindNewestEvaluated.sql, device, fixture) < 60)
            #expect(
                try await buffers(
                    FindWatermarks.sql, "\(device), ARRAY[now() - interval '1 day 5 minutes']", fixture) < 60)
            let engine = try await SchemaFixture.connect(fixture.database, .rules)
            let key = DeviceKey(slot: Slot.all[1], device: Device.ID(rawValue: 1))
            let dayAgo = try #require(try await engine.execute(ReadClock()).first) - .seconds(86_400)
            let newest = try #require(
                try await engine.execute(FindNewestEvaluated([(key: key, before: dayAgo)])).first?.newest)
            #expect(newest < dayAgo && newest > dayAgo - .seconds(62))
            await engine.close()
        }
    }
}
