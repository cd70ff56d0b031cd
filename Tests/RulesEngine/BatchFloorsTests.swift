import Postgres
import Store
import Synchronization
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// What of the queue need not be looked at, and must not be missed.
@Suite struct BatchFloorsTests {
    private let slot = Slot.all[3]

    /// What a look finds: the newest batch, the oldest transaction that runs then, and the next.
    private func note(_ newest: Int64, oldest: Int64, next: Int64, in floors: inout BatchFloors) {
        floors.note(newest: newest, FindRunningTransactions.Row(oldest: oldest, next: next))
    }

    @Test func aFloorWaitsForTheTransactionsThatMayHaveALowerNumber() {
        var floors = BatchFloors()
        note(100, oldest: 20, next: 30, in: &floors)
        floors.raise([])
        #expect(floors([slot])[0].floor == 0, "20 to 29 may have numbers and no commit yet")
        for newest in 101..<200 as Range<Int64> { note(newest, oldest: 29, next: newest, in: &floors) }
        floors.raise([])
        #expect(floors([slot])[0].floor == 0, "29 still runs")
        note(200, oldest: 30, next: 250, in: &floors)
        floors.raise([.init(slot: slot, batch: 90)])
        #expect(floors([slot])[0].floor == 89 && floors([Slot.all[4]])[0].floor == 100)
        floors.raise([])
        #expect(floors([slot])[0].floor == 100)
        note(300, oldest: 310, next: 310, in: &floors)
        floors.raise([])
        #expect(floors([slot])[0].floor == 300, "nobody writes")
        #expect(!floors.mayRise(to: 300) && floors.mayRise(to: 301) && floors.mayRise(to: 5), "5: a table was restored")
    }

    @Test func aBatchThatAppearsBelowIsFound() {
        var floors = BatchFloors()
        note(100, oldest: 20, next: 20, in: &floors)
        floors.raise([])
        floors.raise([.init(slot: slot, batch: 50)])
        #expect(floors([slot])[0].floor == 49)
    }

    @Test func numbersThatBeginAgainLowerTheFloor() {
        var floors = BatchFloors()
        note(1_000, oldest: 20, next: 20, in: &floors)
        note(1_001, oldest: 20, next: 21, in: &floors)
        floors.raise([])
        note(5, oldest: 21, next: 22, in: &floors)
        floors.raise([])
        #expect(floors([slot])[0].floor == 0)
        note(6, oldest: 22, next: 22, in: &floors)
        floors.raise([])
        #expect(floors([slot])[0].floor == 5)
    }

    /// An Ingestor that is frozen in the middle of a commit, while a backup reads: in a server of its own, where nobody else writes,
    /// and no later transaction ends before it.
    @Test func noFloorPassesABatchThatIsNotCommittedYet() async throws {
        try await TestCluster.with { cluster in
            try await EngineFixture.with(on: cluster, watchAnOpenBatch)
        }
    }

    @Sendable private func watchAnOpenBatch(_ fixture: EngineFixture) async throws {
        let backup = try await PostgresConnection.connect(EngineFixture.configuration(fixture.database, .owner))
        try await backup.executeScript("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM slot")
        let ingestor = try await PostgresConnection.connect(
            EngineFixture.configuration(fixture.database, .ingestor))
        try await ingestor.executeScript(
            """
            BEGIN;
            INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
                VALUES (\(fixture.device.slot.rawValue), 0, \(fixture.device.device.rawValue), now(), now(), 7);
            INSERT INTO evaluation_batch (slot, messages, received_at, readings)
                VALUES (\(fixture.device.slot.rawValue), 1, now(), '')
            """)
        let engine = try await PostgresConnection.connect(EngineFixture.configuration(fixture.database, .rules))
        let floors = Mutex(BatchFloors())
        @Sendable func floor() async throws -> Int64 {
            let newest = try await engine.execute(FindNewestBatch())[0]
            #expect(newest == 1)
            let running = try await engine.execute(FindRunningTransactions())[0]
            floors.withLock { $0.note(newest: newest, running) }
            let waiting = try await engine.execute(FindWaitingBatches(floors.withLock { $0(Slot.all) }))
            return floors.withLock { floors in
                floors.raise(waiting)
                return floors([fixture.device.slot])[0].floor
            }
        }
        for _ in 0..<10 { #expect(try await floor() == 0) }
        try await ingestor.executeScript("COMMIT")
        for _ in 0..<10 { #expect(try await floor() == 0, "it waits") }
        try await engine.executeScript("DELETE FROM evaluation_batch")
        // Autovacuum writes on this server as well.
        _ = try await awaitFact("the floor") { try await floor() == 1 ? true : nil }
        for connection in [backup, ingestor, engine] { await connection.close() }
    }

    @Test func aLongBacklogIsEstimated() {
        let sample = Int64(MeasureBacklog.sample)
        let few = MeasureBacklog.Row(batches: sample - 1, messages: 40, first: 1, last: 900, age: 3)
        #expect(few.estimatedMessages(newest: 1_000_000) == 40)
        // Every tenth batch is this slot's.
        let many = MeasureBacklog.Row(batches: sample, messages: 2 * sample, first: 10, last: 10 * sample, age: 3)
        #expect(many.estimatedMessages(newest: 10 * (sample + 1_000)) == Double(2 * sample + 2_000))
    }
}
