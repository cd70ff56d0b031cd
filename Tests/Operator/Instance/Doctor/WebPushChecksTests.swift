import TestSupport
import Testing

@testable import Operator

/// Whether alerts can reach browsers.
@Suite struct WebPushChecksTests {
    private static let key = "0123456789abcdef"
    private static let announced = """
        INSERT INTO vapid_key (key_id, public_key, position) VALUES ('\(key)', decode(repeat('04', 65), 'hex'), 0)
        """

    private static func browser(_ key: String) -> String {
        """
        INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret, fingerprint, vapid_key_id)
        SELECT nextval('endpoint_id'), account_id, 'webPush', 'https://fcm.googleapis.com/\(key)', '', sha256('x'), '\(key)'
        FROM account LIMIT 1
        """
    }

    @Test func `it follows what the notifier has announced`() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            func told(_ settings: [String: String?] = [:]) async throws -> String {
                try await instance.examine(settings).report
            }
            #expect(try await told().contains("nothing can be sent to browsers"))
            try await instance.database.sql(Self.announced)
            #expect(try await told().contains("browsers may subscribe, with key \(Self.key)"))
            try await instance.database.sql(Self.browser(Self.key))
            #expect(try await !told().contains("nothing reaches them"))
            try await instance.database.sql(Self.browser("fedcba9876543210"))
            #expect(try await told().contains("1 of 2 browsers subscribed with keys that the notifier does not have"))
            try await instance.database.sql("UPDATE vapid_key SET announced_at = now() - interval '10 minutes'")
            #expect(try await told().contains("no notifier has announced its keys for 10 minutes"))
            try await instance.database.sql("DELETE FROM vapid_key")
            #expect(try await told().contains("2 browsers are registered, and no notifier can send to them"))
        }
    }

    @Test func `it knows whom Apple refuses`() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            try await instance.database.sql(Self.announced)
            let nobody = "messages name nobody to write to"
            func told(_ settings: [String: String?]) async throws -> String {
                try await instance.examine(settings).report
            }
            #expect(try await told(["AQUA_PUBLIC_URL": "http://127.0.0.1:8080"]).contains(nobody))
            #expect(try await !told(["AQUA_PUBLIC_URL": "https://water.example.org"]).contains(nobody))
            #expect(
                try await !told([
                    "AQUA_PUBLIC_URL": "http://127.0.0.1:8080", "AQUA_VAPID_SUBJECT": "mailto:water@example.org",
                ]).contains(nobody))
            let wrong = try await instance.examine([
                "AQUA_VAPID_SUBJECT": "mailto:root@localhost", "AQUA_WEB_PUSH_HOSTS": "https://push.example.org",
            ]).wrong
            #expect(wrong.contains { $0.hasPrefix("AQUA_VAPID_SUBJECT is") })
            #expect(wrong.contains { $0.hasPrefix("AQUA_WEB_PUSH_HOSTS is") })
        }
    }
}
