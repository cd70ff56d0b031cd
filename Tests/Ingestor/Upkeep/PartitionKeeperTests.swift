import Postgres
import TestSupport
import Testing

@testable import Ingestor

@Suite struct PartitionKeeperTests {
    @Test func whatOnlyAnOperatorCanMendIsToldAndTriedAgain() async throws {
        try await StoreFixture.with { fixture in
            let function = "FUNCTION make_sample_partitions(date, date)"
            try await fixture.database.sql("REVOKE ALL ON \(function) FROM aqua_ingestor", as: .owner)
            let last = try await fixture.database.sql(
                "SELECT max(relname) FROM pg_class WHERE relispartition AND relkind = 'r'")
            try await fixture.database.sql("DROP TABLE \(last)", as: .owner)
            let (logger, lines) = LogStream.make()
            let pool = PostgresPool(try StoreFixture.configuration(fixture.database, .ingestor), size: 1)
            let keeper = PartitionKeeper(pool: pool, logger: logger, interval: .milliseconds(10))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await pool.run() }
                group.addTask { try await keeper.run() }
                defer { group.cancelAll() }
                var told = lines.makeAsyncIterator()
                for _ in 0..<2 {
                    let line = try #require(await told.next())
                    #expect(line.contains(#""level":"error""#))
                    #expect(line.contains("may not do that"))
                }
                try await fixture.database.sql("GRANT EXECUTE ON \(function) TO aqua_ingestor", as: .owner)
                try await fixture.await("to_regclass('\(last)') IS NOT NULL")
            }
        }
    }
}
