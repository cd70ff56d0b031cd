import Instants
import Postgres
import Synchronization
import TestSupport
import Testing
import WaterQuality

@testable import Notifier
@testable import Store

/// The log of delivery attempts.
@Suite struct RecordAttemptsTests {
    private static let start = Timestamp(unixSeconds: Int64(1_900_000_000))

    private static func attempt(_ number: Int16, startedAt second: Int) -> RecordAttempts.Attempt {
        RecordAttempts.Attempt(
            key: DeliveryKey(slot: Slot.all[1], alert: Alert.ID(rawValue: 1), endpoint: Endpoint.ID(rawValue: 1)),
            lease: LeaseName(number: number, draw: 7), state: .pending, outcome: .retry, nextAttemptAt: nil,
            startedAt: start + .seconds(second), durationMicroseconds: 1, status: 503, registration: 1, detail: "")
    }

    /// - Returns: The numbers under which batches of attempts are logged, each with the second of its start.
    private static func logged(_ batches: [[(number: Int, second: Int)]]) async throws -> String {
        let result = Mutex("")
        try await SchemaFixture.with { fixture in
            try await fixture.database.sql(
                """
                SET session_replication_role = replica;
                INSERT INTO delivery (slot, alert_id, endpoint_id, account_id, expires_at) VALUES (1, 1, 1, 1, now());
                """)
            let notifier = try await SchemaFixture.connect(fixture.database, .notifier)
            for batch in batches {
                try await notifier.perform(
                    RecordAttempts(batch.map { attempt(Int16($0.number), startedAt: $0.second) }))
            }
            await notifier.close()
            let logged = try await fixture.database.sql(
                """
                SELECT string_agg(attempt || ' ' || extract(epoch FROM started_at)::bigint - 1900000000, ', '
                    ORDER BY started_at) FROM delivery_attempt
                """)
            result.withLock { $0 = logged }
        }
        return result.withLock(\.self)
    }

    /// An attempt is recorded again if the answer to the commit was lost. Its number is reused if its lease was lost.
    @Test func eachAttemptIsLoggedOnce() async throws {
        let attempts = [
            (1, 0), (1, 0), (2, 10), (1, 20), (1, 20), (2, 10), (3, 30), (32_767, 40), (5, 50), (5, 50),
        ]
        let logged = try await Self.logged(attempts.map { [$0] })
        #expect(logged == "1 0, 2 10, 3 20, 4 30, 32767 40, 5 50")
    }

    /// A notifier that lost a lease and took it again records two attempts with one number; the second gets the next
    /// number.
    @Test func eachOfOneBatchHasANumber() async throws {
        let batch = [(1, 20), (2, 10), (1, 0), (1, 30)]
        for batches in [[batch], [batch, batch]] {
            #expect(try await Self.logged(batches) == "1 0, 2 10, 3 20, 4 30")
        }
        #expect(try await Self.logged([[(1, 0)], [(2, 30), (1, 20), (1, 10)]]) == "1 0, 3 10, 4 20, 2 30")
    }
}
