import TestSupport
import Testing

@testable import Operator

/// Whether alerts can reach apps.
@Suite struct AppChecksTests {
    @Test func `it follows what the notifier has announced`() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            func told() async throws -> String { try await instance.examine([:]).report }
            #expect(try await !told().contains("may register"))
            try await instance.database.sql(
                "INSERT INTO app_channel (channel, app) VALUES ('apns', 'org.example.water')")
            #expect(try await told().contains("org.example.water (apns) may register"))
            try await instance.database.sql(
                """
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
                SELECT nextval('endpoint_id'), account_id, c, 'https://push.example.org/' || c, ''
                FROM (SELECT account_id FROM account LIMIT 1) a, unnest(ARRAY['apns', 'fcm']) c
                """)
            let report = try await told()
            #expect(report.contains("registered with fcm, to which no notifier can send: 1"))
            #expect(!report.contains("registered with apns"))
            try await instance.database.sql("UPDATE app_channel SET announced_at = now() - interval '10 minutes'")
            #expect(try await told().contains("no notifier has announced org.example.water (apns) for 10 minutes"))
        }
    }
}
