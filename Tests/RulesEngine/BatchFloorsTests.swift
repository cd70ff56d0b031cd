import Postgres
import Store
import Synchronization
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// The part of the queue that an engine may skip, and the batches that it must not miss.
@Suite struct BatchFloorsTests {
    private let slot = Slot.all[3]

    @Test func aFloorWaitsForTheTransactionsThatMayHaveALowerNumber() {
        var floors = BatchFloors()
        floors.note(newest: 100, writers: ["3/1", "4/1"])
        floors.raise([])
        #expect(floors([slot])[0].floor == 0, "both may have numbers and no commit yet")
        for newest in 101..<200 as Range<Int64> { floors.note(newest: newest, writers: ["4/1", "5/\(newest)"]) }
        floors.raise([])
        #expect(floors([slot])[0].floor == 0, "one still runs")
        floors.note(newest: 200, writers: ["3/2", "4/2"])
        floors.raise([.init(slot: slot, batch: 90)])
        #expect(floors([slot])[0].floor == 89 && floors([Slot.all[4]])[0].floor == 100)
        floors.raise([])
        #expect(floors([slot])[0].floor == 100)
        floors.note(newest: 300, writers: [])
        floors.raise([])
        #expect(floors([slot])[0].floor == 300, "nobody writes")
    }

    @Test func aBatchThatAppearsBelowIsFound() {
        var floors = BatchFloors()
        floors.note(newest: 100, writers: [])
        floors.raise([])
        floors.raise([.init(slot: slot, batch: 50)])
        #expect(floors([slot])[0].floor == 49)
    }

    @Test func numbersThatBeginAgainLowerTheFloor() {
        var floors = BatchFloors()
        floors.note(newest: 1_000, writers: [])
        floors.raise([])
        floors.note(newest: 1_001, writers: ["3/1"])
        floors.note(newest: 5, writers: [])
        #expect(floors([slot])[0].floor == 0, "what has come since is looked for first")
        floors.raise([.init(slot: slot, batch: 2)])
        #expect(floors([slot])[0].floor == 0)
        floors.note(newest: 6, writers: [])
        floors.raise([])
        #expect(floors([slot])[0].floor == 6)
    }

    /// An Ingestor is frozen in the middle of a commit, while a backup reads and somebody has left open a transaction
    /// that writes something else.
    @Test func noFloorPassesABatchThatIsNotCommittedYet() async throws {
        try await EngineFixture.with { fixture in
            let backup = try await PostgresConnection.connect(EngineFixture.configuration(fixture.database, .owner))
            try await backup.executeScript("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM slot")
            let forgotten = try await PostgresConnection.connect(EngineFixture.configuration(fixture.database, .owner))
            try await forgotten.executeScript("BEGIN; UPDATE account SET locale = 'es'")
            let ingestor = try await PostgresConnection.connect(
                EngineFixture.configuration(fixture.database, .ingestor))
            try await ingestor.executeScript(
                """
                SET idle_in_transaction_session_timeout = 0;
                BEGIN;
                INSERT INTO evaluation_batch (slot, messages, received_at, readings)
                    VALUES (\(fixture.device.slot.rawValue), 1, now(), '')
                """)
            let engine = try await PostgresConnection.connect(EngineFixture.configuration(fixture.database, .rules))
            let floors = Mutex(BatchFloors())
            @Sendable func floor() async throws -> Int64 {
                let newest = try await engine.execute(FindNewestBatch())[0]
                #expect(newest == 1)
                let writers = try await engine.execute(FindQueueWriters())
                floors.withLock { $0.note(newest: newest, writers: writers) }
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
            #expect(try await floor() == 1)
            for connection in [backup, forgotten, ingestor, engine] { await connection.close() }
        }
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
