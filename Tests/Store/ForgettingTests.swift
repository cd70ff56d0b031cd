import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// Which data the Ingestor may remove for their age, and which not, with the Ingestor's own rights.
@Suite struct ForgettingTests {
    private static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }

    /// Runs `body` with samples of the last 20 days, all of them rolled up.
    private static func with(_ body: @Sendable (SchemaFixture, PostgresConnection) async throws -> Void) async throws {
        try await SchemaFixture.with { fixture in
            let ingestor = try await SchemaFixture.connect(fixture.database, .ingestor)
            _ = try await ingestor.execute(MakePartitions(daysBack: 20))
            try await fixture.database.sql(
                """
                UPDATE retention SET keep = '8 days';
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
                SELECT 5, 0, 1, now() - d * interval '24 hours', now(), 7 FROM generate_series(0, 20) d
                """)
            try await body(fixture, ingestor)
            await ingestor.close()
        }
    }

    private static func dropSamples(_ ingestor: PostgresConnection, keep: Int = 8) async throws -> String? {
        try await ingestor.execute(DropOldestPartition(of: .samples, keep: days(keep))).first ?? nil
    }

    private static func day(_ daysAgo: Int, _ fixture: SchemaFixture) async throws -> String {
        try await fixture.database.sql(
            "SELECT 'sample_' || to_char((now() AT TIME ZONE 'UTC')::date - \(daysAgo), 'YYYYMMDD')")
    }

    @Test func theOldestDaysGoUntilTheFirstThatIsKept() async throws {
        try await Self.with { fixture, ingestor in
            var dropped: [String] = []
            while let name = try await Self.dropSamples(ingestor, keep: 15) { dropped.append(name) }
            var expected: [String] = []
            for daysAgo in (16...20).reversed() { expected.append(try await Self.day(daysAgo, fixture)) }
            #expect(dropped == expected)
            #expect(try await fixture.database.sql("SELECT count(*) FROM sample") == "16")
            _ = try await ingestor.execute(MakePartitions())
            #expect(try await Self.dropSamples(ingestor, keep: 15) == nil, "what is made ahead is not what is dropped")
        }
    }

    /// The beginning of the day 20 days ago.
    private static let old = "((now() AT TIME ZONE 'UTC')::date - 20)::timestamp AT TIME ZONE 'UTC'"

    @Test(arguments: [
        // The last hour of one slot is not rolled up.
        (
            "UPDATE rollup_progress SET hours_since = \(old), hours_until = \(old) + interval '23 hours' WHERE slot = 7",
            "UPDATE rollup_progress SET hours_until = \(old) + interval '24 hours' WHERE slot = 7"
        ),
        // A sample came late.
        ("INSERT INTO rollup_due VALUES (5, 1, \(old) + interval '23 hours')", "TRUNCATE rollup_due"),
        ("INSERT INTO rollup_due VALUES (5, NULL, \(old))", "TRUNCATE rollup_due"),
        // A batch may refer to times 7 days before its receipt.
        (
            "INSERT INTO evaluation_batch (slot, messages, received_at, readings) VALUES (5, 1, \(old) + interval '8 days', '')",
            "UPDATE evaluation_batch SET received_at = \(old) + interval '8 days 2 hours'"
        ),
    ]) func whatIsNeededStays(_ need: String, _ end: String) async throws {
        try await Self.with { fixture, ingestor in
            try await fixture.database.sql(need)
            #expect(try await Self.dropSamples(ingestor) == nil)
            try await fixture.database.sql(end)
            #expect(try await Self.dropSamples(ingestor) == Self.day(20, fixture))
        }
    }

    @Test func theLastEightDaysStayWhateverIsAskedFor() async throws {
        try await Self.with { fixture, ingestor in
            for statement in [
                "SELECT drop_oldest_partition('sample', '7 days 23:59:59')",
                "SELECT drop_oldest_partition('sample_hour', '7 days')",
                "SELECT drop_oldest_partition('sample', '-1 day')",
                "SELECT delete_old_alerts('7 days', 1)", "SELECT drop_oldest_partition('sample_day', '900 days')",
                "SELECT drop_oldest_partition('account', '900 days')",
                // A snapshot from before a late sample does not see it.
                "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT drop_oldest_partition('sample', '8 days')",
            ] {
                let error = await #expect(throws: PostgresError.self, "\(statement)") {
                    try await ingestor.executeScript(statement)
                }
                #expect(error?.sqlState == "P0001", "\(statement)")
                if statement.hasPrefix("BEGIN") { try await ingestor.executeScript("ROLLBACK") }
            }
            #expect(try await fixture.database.sql("SELECT count(*) FROM sample") == "21")
        }
    }

    /// The drop does not wait for a backup, which reads for hours, and so nobody waits behind the drop.
    @Test func whoReadsIsNotWaitedFor() async throws {
        try await Self.with { fixture, ingestor in
            let reader = try await SchemaFixture.connect(fixture.database, .owner)
            try await reader.executeScript("BEGIN; SELECT FROM sample LIMIT 1")
            let error = await #expect(throws: PostgresError.self) { try await Self.dropSamples(ingestor) }
            #expect(error?.code == .lockNotAvailable)
            try await ingestor.executeScript("UPDATE sample SET ph = 8 WHERE slot = 5")
            try await reader.executeScript("COMMIT")
            #expect(try await Self.dropSamples(ingestor) != nil)
            await reader.close()
        }
    }

    /// A late sample is committed while the drop waits for its lock.
    @Test func whatComesAtTheLastMomentIsSeen() async throws {
        try await Self.with { fixture, ingestor in
            try await fixture.database.sql("ALTER FUNCTION drop_oldest_partition SET lock_timeout = '60s'", as: .owner)
            let writer = try await SchemaFixture.connect(fixture.database, .owner)
            try await writer.executeScript(
                """
                BEGIN;
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
                    VALUES (5, 0, 2, \(Self.old) + interval '1 hour', now(), 7);
                INSERT INTO rollup_due VALUES (5, 2, \(Self.old) + interval '1 hour')
                """)
            async let dropped = Self.dropSamples(ingestor)
            try await awaitFact("a lock that is waited for") {
                try await fixture.database.sql(
                    """
                    SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'sample'::regclass
                        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                    """) == "1" ? true : nil
            }
            try await writer.executeScript("COMMIT")
            #expect(try await dropped == nil)
            await writer.close()
        }
    }

    @Test func hoursGoByTheMonth() async throws {
        try await SchemaFixture.with { fixture in
            let ingestor = try await SchemaFixture.connect(fixture.database, .ingestor)
            try await fixture.database.sql(
                """
                UPDATE retention SET keep = '8 days';
                UPDATE rollup_progress SET hours_since = '2023-01-01T00:00:00Z', hours_until = '2023-01-20T05:00:00Z';
                SELECT make_hour_partitions();
                INSERT INTO sample_hour (slot, device_id, starts_at)
                    SELECT 5, 1, generate_series('2023-01-31T23:00:00Z'::timestamptz, '2023-02-01T00:00:00Z', '1 hour');
                UPDATE rollup_progress SET hours_until = '2023-03-01T00:00:00Z'
                """)
            func drop() async throws -> String? {
                try await ingestor.execute(DropOldestPartition(of: .hours, keep: Self.days(30))).first ?? nil
            }
            #expect(try await drop() == "sample_hour_202301")
            #expect(try await drop() == "sample_hour_202302")
            #expect(try await drop() == nil, "March is not rolled up")
            await ingestor.close()
        }
    }

    @Test func endedEpisodesGoWithAllThatBelongsToThem() async throws {
        try await SchemaFixture.with { fixture in
            let ingestor = try await SchemaFixture.connect(fixture.database, .ingestor)
            let account = try await fixture.addAccount("kim")
            let device = try await fixture.addDevice("tank-1")
            try await fixture.link(device, to: account)
            // Episode 1 ended long ago. So did 2, but an alert of it is on its way, and 3, but a recovery notice is
            // due. 4 ended later; 5 is open.
            try await fixture.database.sql(
                """
                INSERT INTO endpoint SELECT nextval('endpoint_id'), account_id, 'webhook', 'https://example.org/', '' FROM account;
                INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at,
                        closed_at, closed_because, recovery_due_at)
                    SELECT slot, device_id, n, account_id, n, 'range', 'high', now() - interval '900 days', now(),
                        CASE WHEN n < 5 THEN now() - CASE n WHEN 4 THEN 700 ELSE 801 END * interval '24 hours' END,
                        CASE WHEN n < 5 THEN 'recovered' END, CASE n WHEN 3 THEN now() END
                    FROM ownership, generate_series(1, 5) n;
                INSERT INTO transition (slot, episode_id, event_time, reason, notification)
                    SELECT slot, episode_id, opened_at, 'opened', 'alerted' FROM episode, generate_series(1, 2);
                INSERT INTO alert (slot, device_id, parameter, account_id, alert_id, episode_id, kind, purpose, side, opened_at,
                        event_time, decided_at, state)
                    SELECT slot, device_id, parameter, account_id, episode_id * 10 + n, episode_id, 'range', 'alarm', 'high',
                        opened_at, opened_at, opened_at, CASE WHEN episode_id = 2 AND n = 1 THEN 'sending' ELSE 'delivered' END
                    FROM episode, generate_series(1, 2) n;
                INSERT INTO alert (slot, account_id, alert_id, kind, purpose, opened_at, event_time, decided_at, state)
                    SELECT 5, account_id, n, 'test', 'test', now(), now(),
                        now() - CASE n WHEN 2 THEN 700 ELSE 801 END * interval '24 hours',
                        CASE n WHEN 3 THEN 'decided' ELSE 'undelivered' END
                    FROM account, generate_series(1, 3) n;
                INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, state, expires_at, ended_at)
                    SELECT slot, a.account_id, alert_id, endpoint_id, CASE a.state WHEN 'sending' THEN 'pending' ELSE 'accepted' END,
                        now(), CASE a.state WHEN 'sending' THEN NULL ELSE now() END
                    FROM alert a, endpoint;
                INSERT INTO delivery_attempt (slot, attempt, alert_id, endpoint_id, started_at, duration_us, outcome, detail)
                    SELECT slot, 1, alert_id, endpoint_id, now(), 1, 'accepted', '' FROM delivery;
                """)
            let settings = try await fixture.database.sql("SELECT count(*) FROM setting, ownership, account")
            func delete(_ limit: Int32) async throws -> Int32? {
                try await ingestor.execute(DeleteOldAlerts(keep: Self.days(800), limit: limit)).first
            }
            #expect(try await delete(10) == 2, "an episode and a test alert")
            #expect(try await delete(10) == 0)
            for (query, left) in [
                ("string_agg(DISTINCT episode_id::text, ' ') FROM episode", "2 3 4 5"),
                ("string_agg(DISTINCT episode_id::text, ' ') FROM transition", "2 3 4 5"),
                ("string_agg(alert_id::text, ' ' ORDER BY alert_id) FROM alert", "2 3 21 22 31 32 41 42 51 52"),
                ("count(*) FROM delivery", "10"), ("count(*) FROM delivery_attempt", "10"),
                ("count(*) FROM setting, ownership, account", settings),
            ] {
                #expect(try await fixture.database.sql("SELECT \(query)") == left, "\(query)")
            }
            // At most `limit` of either kind at a time.
            try await fixture.database.sql(
                "UPDATE alert SET state = 'delivered'; UPDATE episode SET recovery_due_at = NULL")
            #expect(try await delete(1) == 2)
            #expect(try await delete(1) == 1)
            #expect(try await delete(1) == 0)
            await ingestor.close()
        }
    }
}
