import Postgres
import Store
import TestSupport
import Testing

/// Migration of an installation whose roll-ups were made before the QARTOD tests existed.
@Suite struct FlagsMigrationTests {
    private static let before = Array(Schema.migrations.prefix { $0.name != "flags" })

    @Test func whatWasRolledUpBeforeIsNotTakenForGood() async throws {
        try await TestCluster.shared.database.withDatabase { database in
            let owner = try await SchemaFixture.connect(database, .owner)
            _ = try await Migrator(Self.before).migrate(on: owner)
            try await database.sql(
                """
                UPDATE rollup_progress SET hours_since = '2026-05-01T00:00:00Z', hours_until = '2026-05-20T13:00:00Z';
                UPDATE rollup_progress SET hours_until = '2100-05-20T14:00:00Z' WHERE slot = 9;
                INSERT INTO sample_hour (slot, device_id, starts_at, ph_sum, ph_count) VALUES (1, 1, date_trunc('hour', now()), 7, 1)
                """)
            _ = try await Migrator(Schema.migrations).migrate(on: owner)
            // Judging begins after every day that the earlier version may still roll up.
            #expect(
                try await database.sql(
                    """
                    SELECT bool_and(judged_since > now() AND judged_since <= now() + interval '24 hours')
                    FROM rollup_progress WHERE slot <> 9
                    """) == "t")
            #expect(
                try await database.sql("SELECT judged_since AT TIME ZONE 'UTC' FROM rollup_progress WHERE slot = 9")
                    == "2100-05-21 00:00:00")
            await owner.close()
        }
    }

    @Test func aNewInstallationJudgesEverything() async throws {
        try await SchemaFixture.with { fixture in
            let since = try await fixture.database.sql("SELECT DISTINCT judged_since FROM rollup_progress")
            #expect(since == "-infinity")
        }
    }
}
