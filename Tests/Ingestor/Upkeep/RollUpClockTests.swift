import Instants
import Logging
import Postgres
import ServiceKit
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// Roll-ups under any behaviour of the clock: in the end they include every reading.
@Suite struct RollUpClockTests {
    /// The clock is three hours ahead for one turn; seen from there, the trusted time lies three hours back.
    @Test func noHourIsRolledUpAheadOfItsTime() async throws {
        try await UpkeepFixture.with(devices: ["tank-1"]) { fixture in
            try await fixture.store.database.sql("UPDATE clock_watch SET trusted_at = now() - interval '3 hours'")
            let before = try await fixture.progress()
            #expect(try await fixture.upkeep.execute(NoteClock()) == [false])
            try await fixture.rollUp()
            #expect(try await fixture.progress() == before)
            try await fixture.store.database.sql("UPDATE clock_watch SET trusted_at = now()")
            #expect(try await fixture.upkeep.execute(NoteClock()) == [true])
            try await fixture.rollUp()
            #expect(try await fixture.progress() != before)
        }
    }

    /// A clock that was ahead had been trusted, and future hours were rolled up empty: they are rolled up again, with
    /// the readings that came in them after the clock was corrected.
    @Test func hoursThatWereRolledUpTooEarlyAreAgain() async throws {
        try await UpkeepFixture.with(devices: ["tank-1"]) { fixture in
            let hour = (Timestamp.now - .seconds(3_600)).roundedDown(to: RollUpSchedule.hour)
            let key = fixture.store.devices[0]
            // Seen five hours later, when all hours in question have ended: the clock ran three hours ahead, was set
            // back, and five readings came before anybody recorded it.
            let samples = (1...5).map { fixture.sample(0, at: hour - .seconds($0 * 3_600 - 60)) }
            try await fixture.store.owner.perform(InsertNewSamples(samples))
            try await fixture.store.database.sql(
                """
                UPDATE rollup_progress SET hours_until = '\(hour - .seconds(3_600))' WHERE slot = \(key.slot.rawValue);
                UPDATE clock_watch SET trusted_at = '\(hour - .seconds(2 * 3_600))', doubted_at = '\(hour - .seconds(4 * 3_600))',
                    doubted_since = '\(hour - .seconds(5 * 3_600))', doubted_from = pg_current_xact_id();
                SELECT believe_clock('\(hour - .seconds(4 * 3_600))');
                UPDATE clock_watch SET trusted_at = now()
                """)
            #expect(try await fixture.progress()[key.slot] == hour - .seconds(6 * 3_600))
            try await fixture.rollUp()
            let sums = try await fixture.rolledUpHours().values.map(\.count).reduce(0, +)
            #expect(sums == 5)
        }
    }

    /// While the clock is behind, its present hours were rolled up long ago: readings stored in them make them due.
    @Test func aClockThatIsBehindMakesItsHoursDue() async throws {
        try await UpkeepFixture.with(devices: ["tank-1"]) { fixture in
            try await fixture.rollUp()
            try await fixture.store.database.sql("UPDATE clock_watch SET trusted_at = now() + interval '3 hours'")
            try await fixture.store.withWriter { writer in
                let sample = fixture.sample(0, at: .now)
                let work = BatchTransaction(samples: [sample], statuses: [], rejects: [])
                _ = try await writer.write(work, carefully: false)
            }
            #expect(try await fixture.store.count("count(*) FROM rollup_due") == 1)
        }
    }

    /// Reports it in the log and as a metric, and makes up for what was left undone.
    @Test func theWatchTellsWhetherTheClockIsTrusted() async throws {
        try await StoreFixture.with { fixture in
            let pool = PostgresPool(try StoreFixture.configuration(fixture.database, .ingestor), size: 1)
            let (logger, lines) = LogStream.make()
            let watch = ClockWatch(pool: pool, logger: logger, metrics: MetricsRegistry())
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await pool.run() }
                defer { group.cancelAll() }
                var told = lines.makeAsyncIterator()
                try await watch.note()
                #expect(watch.metric.value == 1 && watch.state.isTrusted)
                #expect(watch.state.history == .seconds(89 * 86_400))
                try await fixture.database.sql("UPDATE clock_watch SET trusted_at = now() - interval '1 hour'")
                try await watch.note()
                #expect(watch.metric.value == 0 && !watch.state.isTrusted && watch.state.history == nil)
                let doubt = try #require(await told.next())
                #expect(doubt.contains(#""level":"warning""#) && doubt.contains("The clock leapt"))
                try await fixture.database.sql("UPDATE clock_watch SET trusted_at = now()")
                try await watch.note()
                #expect(watch.metric.value == 1 && watch.state.isTrusted)
                #expect(try #require(await told.next()).contains("The clock is trusted"))
            }
        }
    }

    /// No time in the future that a device's memory holds outlives the clock that made it.
    @Test func aDeviceIsHeardAsBeforeAfterTheClockWasAhead() {
        let ahead = Timestamp.noon + .seconds(90 * 86_400)
        var device = DeviceRegistry.Entry(key: DeviceKey(slot: Slot.all[3], device: Device.ID(rawValue: 9)), now: ahead)
        let mayRepeat = [(ahead, ahead), (.noon, .noon), (.noon + .seconds(30), .noon + .seconds(30))].map {
            device.store(at: $0, now: $1)
        }
        #expect(mayRepeat == [false, true, false], "for all that is known the second is stored already")
        var bucket = Bucket(now: ahead)
        while bucket.take(now: ahead) {}
        let isTaken = [Timestamp.noon, .noon + .seconds(1)].map { bucket.take(now: $0) }
        #expect(isTaken == [false, true])
    }
}
