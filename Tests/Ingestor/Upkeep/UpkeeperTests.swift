import Instants
import Logging
import Postgres
import ServiceKit
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// The upkeep as an Ingestor runs it.
@Suite struct UpkeeperTests {
    /// Runs an upkeeper, with the shortest pause between its turns, for as long as `body`.
    private static func withUpkeeper(
        _ fixture: UpkeepFixture, retention: RetentionSettings = RetentionSettings(),
        reviewLimits: ReviewStep.Limits = ReviewStep.Limits(),
        _ body: @Sendable (UpkeepMetrics, AsyncStream<String>) async throws -> Void
    ) async throws {
        let pool = PostgresPool(try StoreFixture.configuration(fixture.store.database, .ingestor), size: 1)
        let metrics = UpkeepMetrics(MetricsRegistry())
        let (logger, lines) = LogStream.make()
        let upkeeper = Upkeeper(
            pool: pool, retention: retention, logger: logger, metrics: metrics, interval: .milliseconds(10),
            reviewLimits: reviewLimits)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            group.addTask { try await upkeeper.run() }
            defer { group.cancelAll() }
            try await body(metrics, lines)
        }
    }

    private static let isRolledUp =
        "min(hours_until) > now() - interval '2 hours' FROM rollup_progress"

    @Test func itRollsUpAndSaysHowFarItIs() async throws {
        try await UpkeepFixture.with(devices: ["tank-1"]) { fixture in
            let sample = fixture.sample(0, at: fixture.start + .seconds(90))
            try await fixture.store.owner.perform(InsertNewSamples([sample]))
            try await Self.withUpkeeper(fixture) { metrics, _ in
                try await fixture.store.await(Self.isRolledUp)
                try await awaitFact("the lag of a complete roll-up") {
                    (1...7_200).contains(metrics.lag.value) && metrics.partitionsAhead.value == 3 ? true : nil
                }
                // Today's last hour is closed a while after its end.
                #expect(metrics.rolledUp[.ended].value >= 71)
                #expect(metrics.rolledUp[.late].value == 0)
                try await awaitFact("the tests of the first day") { metrics.reviewed.value > 0 ? true : nil }
                try await fixture.store.await("NOT EXISTS (SELECT FROM quality_due)")
                let late = fixture.sample(0, at: fixture.start + .seconds(100))
                try await fixture.store.owner.perform(InsertNewSamples([late]))
                try await fixture.store.owner.perform(MarkHoursDue(DueHour.among([late], began: .now)))
                try await fixture.store.await("NOT EXISTS (SELECT FROM rollup_due)")
                try await awaitFact("its count") { metrics.rolledUp[.late].value == 1 ? true : nil }
                #expect(metrics.failures.value == 0)
                for kind in UpkeepMetrics.Kind.allCases {
                    #expect(metrics.retentionSucceeded[kind].value > 1.6e9)
                }
            }
            #expect(try await fixture.rolledUpDays().values.map(\.count) == [2])
        }
    }

    /// A failing task is reported at every turn; the others go on.
    @Test func aFailureIsToldAndTriedAgain() async throws {
        try await UpkeepFixture.with(devices: ["tank-1"]) { fixture in
            let database = fixture.store.database
            try await database.sql("REVOKE ALL ON sample_hour FROM aqua_ingestor", as: .owner)
            try await fixture.store.owner.perform(InsertNewSamples([fixture.sample(0, at: fixture.start)]))
            try await Self.withUpkeeper(fixture) { metrics, lines in
                var told = lines.makeAsyncIterator()
                for _ in 0..<2 {
                    let line = try #require(await told.next())
                    #expect(line.contains(#""level":"error""#))
                    #expect(line.contains("The roll-ups were not completed") && line.contains("may not do that"))
                }
                #expect(metrics.failures.value >= 2)
                try await database.sql("GRANT SELECT, INSERT, UPDATE ON sample_hour TO aqua_ingestor", as: .owner)
                try await fixture.store.await(Self.isRolledUp)
            }
        }
    }

    /// If one day cannot be tested, for any reason, roll-ups and other devices' days go on.
    @Test(arguments: [true, false]) func rollUpsGoOnBesideADayThatFailsOrDoesNotEnd(_ fails: Bool) async throws {
        try await UpkeepFixture.with(devices: ["tank-1", "tank-2"]) { fixture in
            let samples = [0, 1].flatMap { (device: Int) in
                // The values of the first device have to be read.
                (0..<80).map { (index: Int) -> Sample in
                    let value: Float = device == 0 ? Float(index % 2 * 30) : 20 + Float(index % 2) / 10
                    return fixture.sample(device, at: fixture.start + .seconds(600 * index), [.temperature: value])
                }
            }
            try await fixture.store.owner.perform(InsertNewSamples(samples))
            for reason in RollUpStep.Reason.allCases { while try await fixture.step(reason) {} }
            let other = try await PostgresConnection.connect(StoreFixture.configuration(fixture.store.database, .owner))
            let first = fixture.store.devices[0].device.rawValue
            try await other.executeScript(
                fails
                    ? "REVOKE SELECT (unlinked_at) ON ownership FROM aqua_ingestor"
                    : "BEGIN; SELECT FROM sample_hour WHERE device_id = \(first) AND starts_at = '\(fixture.start)' FOR UPDATE"
            )
            var limits = ReviewStep.Limits()
            limits.statement = .milliseconds(200)
            try await Self.withUpkeeper(fixture, reviewLimits: limits) { metrics, lines in
                _ = await lines.first { $0.contains("Days were not put to the tests of quality") }
                try await fixture.store.await(
                    "count(*) = 1 AND min(failures) > 1 AND min(device_id) = \(first) FROM quality_due")
                let late = fixture.sample(1, at: fixture.start + .seconds(30 * 3_600))
                try await fixture.store.owner.perform(InsertNewSamples([late]))
                try await fixture.store.owner.perform(MarkHoursDue(DueHour.among([late], began: .now)))
                try await fixture.store.await("NOT EXISTS (SELECT FROM rollup_due)")
                try await awaitFact("its count") { metrics.rolledUp[.late].value == 1 ? true : nil }
                try await other.executeScript(
                    fails ? "GRANT SELECT (unlinked_at) ON ownership TO aqua_ingestor" : "COMMIT")
                try await fixture.store.await("NOT EXISTS (SELECT FROM quality_due)")
            }
            await other.close()
        }
    }

    @Test func whoReadsForLongIsNoFailure() async throws {
        try await UpkeepFixture.with(devices: ["tank-1"]) { fixture in
            let database = fixture.store.database
            try await database.sql("SELECT make_sample_partitions(current_date - 20, current_date - 19)", as: .owner)
            try await database.sql("UPDATE retention SET keep = '8 days'", as: .owner)
            let reader = try await PostgresConnection.connect(StoreFixture.configuration(database, .owner))
            try await reader.executeScript("BEGIN; SELECT FROM sample LIMIT 1")
            var retention = RetentionSettings()
            retention.samples = RetentionSettings.least
            try await Self.withUpkeeper(fixture, retention: retention) { metrics, lines in
                var told = lines.makeAsyncIterator()
                for _ in 0..<2 {
                    let line = try #require(await told.next())
                    #expect(line.contains(#""level":"info""#) && line.contains("for it is being read"))
                }
                #expect(metrics.retentionSucceeded[.samples].value == 0)
                #expect(metrics.retentionSucceeded[.alerts].value > 0)
                try await reader.executeScript("COMMIT")
                try await awaitFact("the end of two old days") { metrics.removed[.samples].value == 2 ? true : nil }
                #expect(metrics.failures.value == 0)
            }
            await reader.close()
        }
    }

    @Test func anIngestorDoesNotStartWithWhatItCannotKeepTo() async throws {
        let ingestor = try ProcessUnderTest.start(
            "aqua-ingestor",
            environment: [
                "AQUA_SAMPLE_RETENTION": "7d", "AQUA_ALERT_RETENTION": "long", "AQUA_HOURLY_RETENTION": "30d",
                "AQUA_LISTEN": "nowhere",
            ])
        #expect(await ingestor.end == .exit(78))
        for fault in [
            "AQUA_SAMPLE_RETENTION is \"7d\": set it to between 8d and 36500d",
            "AQUA_HOURLY_RETENTION is 30d, less than samples are kept", "AQUA_ALERT_RETENTION is \"long\"",
            "AQUA_LISTEN", "AQUA_DATABASE_URL is not set",
        ] {
            #expect(ingestor.errors.tail().contains(fault), "\(fault)")
        }
    }
}
