import Postgres
import TestSupport
import Testing
import WaterQuality

@testable import Store

/// Which apps Notifiers say that they can send to: each says its own, and none takes back what another says.
@Suite struct AppChannelTests {
    private static let known = "SELECT coalesce(string_agg(channel, ',' ORDER BY channel), '') FROM app_channel"
    private static let apple: [Endpoint.Channel: String] = [.apns: "org.example.water"]
    private static let google: [Endpoint.Channel: String] = [.fcm: "water-club-1"]

    @Test func `what nobody has announced for five minutes is taken back, also by one that sends to no app`()
        async throws
    {
        try await SchemaFixture.with { fixture in
            let database = fixture.database
            let notifier = try await SchemaFixture.connect(database, .notifier)
            func announce(_ apps: [Endpoint.Channel: String]) async throws -> String {
                try await notifier.perform(AnnounceAppChannels(apps))
                return try await database.sql(Self.known)
            }
            #expect(try await announce(Self.google) == "fcm")
            try await database.sql("UPDATE app_channel SET announced_at = now() - interval '4 minutes'")
            #expect(try await announce(Self.apple) == "apns,fcm")
            #expect(try await announce([:]) == "apns,fcm")
            try await database.sql("UPDATE app_channel SET announced_at = now() - interval '6 minutes'")
            #expect(try await announce(Self.apple) == "apns", "its own is announced anew")
            try await database.sql("UPDATE app_channel SET announced_at = now() - interval '6 minutes'")
            #expect(try await announce([:]) == "")
            await notifier.close()
        }
    }

    /// One that waited there, with its own row locked, would be waited for by whoever announces both.
    @Test func `a row that another notifier is announcing is not waited for`() async throws {
        try await SchemaFixture.with { fixture in
            try await fixture.database.sql(
                "INSERT INTO app_channel VALUES ('apns', 'org.example.water', now() - interval '6 minutes')")
            let both = try await SchemaFixture.connect(fixture.database, .notifier)
            let one = try await SchemaFixture.connect(fixture.database, .notifier)
            try await both.executeScript("BEGIN")
            try await both.perform(AnnounceAppChannels(Self.apple))
            try await one.executeScript("SET lock_timeout = '5s'")
            try await one.perform(AnnounceAppChannels(Self.google))
            try await both.perform(AnnounceAppChannels(Self.apple.merging(Self.google) { $1 }))
            try await both.executeScript("COMMIT")
            #expect(try await fixture.database.sql(Self.known) == "apns,fcm")
            await one.close()
            await both.close()
        }
    }
}
