import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// A fixture whose person is told by a phone, with one engine's memory, in which every alert arrives.
struct GatheringScene {
    let fixture: EngineFixture
    var policy = AlertPolicy(staleAfter: .seconds(86_400))
    let memory = SharedMemory()
    let start = Timestamp.now.roundedDown(to: .seconds(60)) - .seconds(7_200)

    /// Hands over values this many seconds after the start, and decides on them.
    func take(_ values: [Parameter: Float], at second: Int) async throws {
        try await fixture.hand(values, at: start + .seconds(second), receivedAt: start + .seconds(second + 1))
        try await fixture.claim(memory, policy)
        try await arrive()
    }

    func arrive() async throws {
        _ = try await fixture.sql("UPDATE alert SET state = 'delivered' WHERE state = 'decided'")
    }

    /// Tells the digests that are due.
    func tell() async throws -> [AlertRecord] {
        let alerts = try await fixture.owner.transaction { try GatheringSweep(policy: policy).perform($0).alerts }
        try await arrive()
        return alerts
    }

    /// Decides on the all-clears, all of them due.
    func sweep() async throws -> [AlertRecord] {
        _ = try await fixture.sql(
            "UPDATE episode SET recovery_due_at = now() - interval '1 s' WHERE recovery_due_at IS NOT NULL")
        let alerts = try await fixture.owner.transaction {
            try RecoverySweep(policy: policy).perform($0, now: .now)
        }.notices
        try await arrive()
        return alerts
    }

    /// Sets quiet hours that have begun an hour ago and end in an hour.
    /// - Parameter age: How long ago, by the database's clock, what was told so far was decided.
    func beginNight(silenceRings: Bool = false, after age: String = "0 s") async throws {
        _ = try await fixture.sql(
            """
            UPDATE ownership SET linked_at = now() - interval '1 day';
            UPDATE alert SET decided_at = decided_at - interval '\(age)';
            INSERT INTO quiet_hours (account_id, begins_at, ends_at, days, silence_rings)
            SELECT account_id, date_trunc('minute', now() AT TIME ZONE 'UTC' - interval '1 hour')::time,
                date_trunc('minute', now() AT TIME ZONE 'UTC' + interval '1 hour')::time, 127, \(silenceRings) FROM account
            """)
    }

    func endNight() async throws { _ = try await fixture.sql("DELETE FROM quiet_hours") }

    func gathered() async throws -> String { try await fixture.sql("SELECT count(*) FROM episode WHERE gathered") }

    /// - Parameter keepsWebhook: Whether a webhook of the person's is there as well.
    static func with(
        keepsWebhook: Bool = false, _ body: @Sendable @escaping (GatheringScene) async throws -> Void
    ) async throws {
        try await EngineFixture.with { fixture in
            let channel = keepsWebhook ? "" : "DELETE FROM endpoint WHERE channel = 'webhook';"
            _ = try await fixture.sql(
                """
                \(channel)
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
                SELECT 7, account_id, 'ntfy', 'https://ntfy.example.org/topic', '' FROM account
                """)
            try await body(GatheringScene(fixture: fixture))
        }
    }
}
