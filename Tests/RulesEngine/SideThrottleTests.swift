import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// The stored throttles of both sides.
struct SideThrottleTests {
    private static let policy = AlertPolicy(staleAfter: .seconds(86_400))
    private static let start = Timestamp.now.roundedDown(to: .seconds(60)) - .seconds(3_600)

    private func take(_ values: [Float], from minute: Int = 0, _ fixture: EngineFixture) async throws {
        for (index, value) in values.enumerated() {
            let time = Self.start + .seconds(60 * (minute + index))
            try await fixture.hand([.temperature: value], at: time, receivedAt: time + .seconds(1))
            try await fixture.claim(SharedMemory(), Self.policy)
        }
    }

    private let alerts = "SELECT string_agg(concat_ws(' ', side, value), ', ' ORDER BY alert_id) FROM alert"

    @Test func theOtherSideIsToldAtOnce() async throws {
        try await EngineFixture.with { fixture in
            try await take([22, 24.4], fixture)
            _ = try await fixture.sql("UPDATE alert SET state = 'delivered'")
            try await take([25, 11, 25, 10.9], from: 2, fixture)
            #expect(try await fixture.sql(alerts) == "high 24.4, low 10.9")
            #expect(
                try await fixture.sql("SELECT string_agg(kind, ' ' ORDER BY kind) FROM throttle") == "high low")
        }
    }

    /// A pending alarm of a recovered episode is changed to report the new episode.
    @Test func whatIsPendingTellsOfTheEpisodeThatIsOpen() async throws {
        try await EngineFixture.with { fixture in
            try await take([25, 20, 26], fixture)
            #expect(
                try await fixture.sql(
                    """
                    SELECT a.value, a.opened_at = e.opened_at, e.closed_at IS NULL, e.alert_id = a.alert_id
                    FROM alert a JOIN episode e USING (slot, episode_id)
                    """) == "26|t|t|t")
            #expect(try await fixture.sql("SELECT count(*) FROM episode") == "2")
        }
    }

    @Test func aPendingReminderOfAnotherEpisodeIsItsAlarm() async throws {
        try await EngineFixture.with { fixture in
            let purposes = "SELECT string_agg(purpose, ' ' ORDER BY alert_id) FROM alert"
            try await take([25], fixture)
            _ = try await fixture.sql("UPDATE alert SET state = 'delivered'")
            try await take([25, 26], from: 31, fixture)
            #expect(try await fixture.sql(purposes) == "alarm reminder")
            try await take([20, 26], from: 33, fixture)
            #expect(try await fixture.sql(purposes) == "alarm alarm")
        }
    }

    /// Engines of the previous version charge both sides as one, by the kind alone.
    @Test func aChargeOfTheVersionBeforeHoldsForTheSideOfItsAlert() async throws {
        try await EngineFixture.with { fixture in
            try await take([25], fixture)
            _ = try await fixture.sql("UPDATE throttle SET kind = 'range'; UPDATE alert SET state = 'delivered'")
            try await take([20, 25], from: 1, fixture)
            #expect(try await fixture.sql(alerts) == "high 25")
            try await take([11], from: 3, fixture)
            #expect(try await fixture.sql(alerts) == "high 25, low 11")
        }
    }
}
