import Postgres
import TestSupport
import Testing
import WaterQuality

@testable import Gateway
@testable import Ingestor
@testable import Notifier
@testable import RulesEngine
@testable import Store

/// Plans while a queue is empty.
extension PlanTests {
    /// Each notifier runs this statement once a second, while a storm may leave a hundred thousand deliveries pending.
    @Test func noDeliveryIsLookedAtWhileNobodyIsGone() async throws {
        try await SchemaFixture.with { fixture in
            try await fixture.database.sql(Self.rows)
            let plan = try await fixture.database.sql(
                """
                PREPARE hot AS \(EndOrphanedLeases.sql);
                EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) EXECUTE hot (3000000, \(Self.slots));
                """, as: .owner)
            #expect(plan.contains(/on delivery .*\(never executed\)/), "\(plan)")
        }
    }

    /// A plan made right after autovacuum saw an empty queue expects no rows. It must still not scan whole tables for
    /// each row.
    @Test func plansForEmptyTablesStillLookUpByKey() async throws {
        try await SchemaFixture.with { fixture in
            try await fixture.database.sql("VACUUM ANALYZE evaluation_batch, episode, throttle, alert, snooze")
            func plan(_ sql: String, _ arguments: String) async throws -> String {
                try await fixture.database.sql(
                    "PREPARE hot AS \(sql);\nEXPLAIN EXECUTE hot(\(arguments));", as: .rules)
            }
            let batches = try await plan(TakeBatches.sql, "\(Self.slots), \(Self.floors), 4")
            #expect(batches.contains("Tid Scan on evaluation_batch"), "\(batches)")
            for (name, sql, arguments) in [
                ("LoadOpenEpisodes", LoadOpenEpisodes.sql, "\(Self.devices), '{range}'"),
                ("LoadThrottles", LoadThrottles.sql, "\(Self.devices), '{range,low,high}'"),
                ("LoadSnoozes", LoadSnoozes.sql, "\(Self.devices), '{range}'"),
                ("LoadRecentEpisodes", LoadRecentEpisodes.sql, Self.watches),
            ] {
                let found = try await plan(sql, arguments)
                let lookUp = /Index Cond: \(\(slot = wanted\.slot\) AND \(device_id = wanted\.device_id\)/
                #expect(found.contains(lookUp), "\(name):\n\(found)")
                let isPartly = found.contains(/Index Cond: \(slot = [a-z]+\.slot\)/)
                #expect(!isPartly, "\(name):\n\(found)")
            }
        }
    }
}
