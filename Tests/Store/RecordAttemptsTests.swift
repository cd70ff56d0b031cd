import Instants
import Postgres
import TestSupport
import Testing
import WaterQuality

@testable import Store

/// The log of attempts.
@Suite struct RecordAttemptsTests {
    private static let start = Timestamp(unixSeconds: Int64(1_900_000_000))

    private static func attempt(_ number: Int16, startedAt second: Int) -> RecordAttempts.Attempt {
        RecordAttempts.Attempt(
            key: DeliveryKey(slot: Slot.all[1], alert: Alert.ID(rawValue: 1), endpoint: Endpoint.ID(rawValue: 1)),
            lease: LeaseName(number: number, draw: 7), state: .pending, outcome: .retry, nextAttemptAt: nil,
            startedAt: start + .seconds(second), durationMicroseconds: 1, status: 503, registration: 1, detail: "")
    }

    /// An attempt is repeated after a commit of which nobody heard. A number is given again when its lease was lost.
    @Test func eachAttemptIsLoggedOnce() async throws {
        try await SchemaFixture.with { fixture in
            try await fixture.database.sql(
                """
                SET session_replication_role = replica;
                INSERT INTO delivery (slot, alert_id, endpoint_id, account_id, expires_at) VALUES (1, 1, 1, 1, now());
                """)
            let notifier = try await SchemaFixture.connect(fixture.database, .notifier)
            let attempts = [
                (1, 0), (1, 0), (2, 10), (1, 20), (1, 20), (2, 10), (3, 30), (32_767, 40), (5, 50), (5, 50),
            ]
            for (number, second) in attempts {
                try await notifier.perform(RecordAttempts([Self.attempt(Int16(number), startedAt: second)]))
            }
            await notifier.close()
            let logged = try await fixture.database.sql(
                """
                SELECT string_agg(attempt || ' ' || extract(epoch FROM started_at)::bigint - 1900000000, ', '
                    ORDER BY started_at) FROM delivery_attempt
                """)
            #expect(logged == "1 0, 2 10, 3 20, 4 30, 32767 40, 5 50")
        }
    }
}
